/** After a deploy, others are told: a hub and its subscribers, search engines, channels. */

import { expect, test } from 'vitest';
import { type NotifyConfig, notify } from '../../src/tell/index.js';
import { readFiles } from '../support/documentation.js';
import { makeProject } from '../support/frameworks.js';
import { startSource } from '../support/mirror.js';
import { serve } from '../support/server.js';
import { callCli, configured, makeSite, runProgram } from '../support/site.js';
import { startHub, startTaker } from '../support/websub.js';

const FIRST = { 'index.html': '<title>home', 'a.html': '<title>a', 'data.csv': '1,2' };

/** Waits for nobody, and says how long it would have. */
function makeClock() {
  const pauses: number[] = [];
  let now = 0;
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  return { clock: { now: () => now, sleep }, pauses };
}

const tell = (source: string, more: Partial<NotifyConfig>, clock = makeClock().clock) =>
  notify({ source, http: { timeout: 5000, attempts: 2 }, ...more }, { clock });

// docs/notification.md: "Only live documents that name the hub are reported to it."
test('a hub gets the feed for its subscribers, and the Change List where it comes with headers', async () => {
  const hub = await startHub();
  const named: string[] = [];
  const source = await startSource({ feed: true, hub: hub.url, headers: 'netlify' }, (path, response) => {
    // As Netlify does what `_headers` say.
    if (path.endsWith('changelist.xml')) response.setHeader('link', named);
    return false;
  });
  await source.publish(0, FIRST);
  await source.publish(60, { 'a.html': '<title>new' });

  const feed = `${source.url}resourcesync/changes.atom`;
  const report = await tell(source.site, { hubs: [hub.url] });
  expect(report).toMatchObject({ source: source.url, changes: 1 });
  expect(report.notified).toEqual([
    { kind: 'hub', target: new URL(hub.url).origin, topic: feed, done: true, status: 204 },
  ]);
  expect(hub.delivered).toMatchObject([
    {
      topic: feed,
      type: expect.stringContaining('application/atom+xml'),
      body: expect.stringContaining('<title>new</title>'),
    },
  ]);

  const list = `${source.url}resourcesync/changelist.xml`;
  named.push(`<${hub.url}>; rel="hub"`, `<${list}>; rel="self"`);
  await source.publish(120, { 'a.html': undefined });
  expect((await tell(source.site, { hubs: [hub.url] })).notified).toMatchObject([
    { topic: feed, done: true },
    { topic: list, done: true },
  ]);
  const lists = hub.delivered.slice(1).filter(({ topic }) => topic === list);
  expect(lists).toMatchObject([{ body: expect.stringContaining('capability="changelist"') }]);
});

// docs/notification.md: "If a server fails, the others still get their message".
test('a hub that nothing names, or that refuses, is named, and the others are told', async () => {
  const hub = await startHub();
  const other = await startHub();
  const busy = await startTaker([503]);
  const moved = await startTaker([307]);
  const source = await startSource({ feed: true, hub: hub.url });
  await source.publish(0, FIRST);
  hub.refusals.push(403);
  const { notified } = await tell(source.url, {
    hubs: [hub.url, other.url],
    channels: [busy.url, moved.url],
  });
  expect(notified).toMatchObject([
    { kind: 'channel', done: true, status: 202 },
    { kind: 'channel', done: false, status: 307 },
    { kind: 'hub', done: false, status: 403, found: 'not now' },
    { kind: 'hub', done: false, found: expect.stringContaining('names this hub') },
  ]);
  expect(busy.seen.map(({ path }) => path)).toEqual(['POST /deployed', 'POST /deployed']);
  expect(moved.seen).toHaveLength(1);
  expect(other.delivered).toEqual([]);
});

const KEY = 'b6a5d7e4-0123456789';

// docs/notification.md: "sends the URLs of pages that are new, deleted, or have another main text"
test('IndexNow is told of the pages that changed and may be shown, in its format', async () => {
  const engine = await startTaker();
  const source = await startSource({ sitemap: true });
  await source.publish(0, { ...FIRST, 'old.html': 'old', [`${KEY}.txt`]: `${KEY}\n` });
  await source.publish(60, {
    'a.html': '<title>a2',
    'data.csv': '3,4',
    'old.html': undefined,
    'draft.html': '<!doctype html><META NAME="Robots" content="follow, NOINDEX">',
  });
  const report = await tell(source.url, { indexnow: KEY, indexnowEndpoint: `${engine.url}indexnow` });
  expect(report.notified).toEqual([
    {
      kind: 'indexnow',
      target: new URL(engine.url).origin,
      done: true,
      status: 202,
      urls: 2,
      skipped: { unlisted: 1, markup: 0 },
    },
  ]);
  expect(source.asked.filter((path) => path.endsWith('.html'))).toEqual([]);
  const [{ path, type, body } = { path: '', type: '', body: '' }, ...others] = engine.seen;
  expect(others).toEqual([]);
  expect({ path, type }).toEqual({ path: 'POST /indexnow', type: 'application/json; charset=utf-8' });
  expect(JSON.parse(body)).toEqual({
    host: new URL(source.url).host,
    key: KEY,
    keyLocation: `${source.url}${KEY}.txt`,
    urlList: [`${source.url}a.html`, `${source.url}old.html`],
  });

  const since = await tell(source.built, {
    indexnow: KEY,
    indexnowEndpoint: engine.url,
    since: '2020-01-01T00:00:00Z',
  });
  expect(since.from).toBeDefined();
  expect(since.notified).toMatchObject([{ urls: 2 }]);
});

const page = (text: string, hash: string) => `<title>x</title><script src=/${hash}.js></script><p>${text}`;

test('IndexNow is told of no page whose main text is as it was', async () => {
  const engine = await startTaker();
  const source = await startSource({ feed: true });
  const pages = { 'b.html': page('b', 'a1'), 'c.html': page('c', 'a1'), 'd.html': page('d', 'a1') };
  await source.publish(0, { ...FIRST, ...pages, [`${KEY}.txt`]: KEY });
  await source.publish(86_400, {
    'b.html': page('b', 'b2'),
    'c.html': page('other', 'b2'),
    'd.html': undefined,
    'e.html': page('e', 'b2'),
  });
  const settings = { indexnow: KEY, indexnowEndpoint: `${engine.url}indexnow` };
  expect((await tell(source.url, settings)).notified).toMatchObject([
    { done: true, urls: 3, skipped: { unlisted: 0, markup: 1 } },
  ]);
  const { urlList } = JSON.parse(engine.seen[0]?.body ?? '{}');
  expect(urlList).toEqual(['c.html', 'd.html', 'e.html'].map((name) => source.url + name));
  await source.publish(2 * 86_400, { 'b.html': page('b', 'c3'), 'c.html': page('other', 'c3') });
  const [quiet] = (await tell(source.url, settings)).notified;
  expect(quiet).toMatchObject({ done: true, urls: 0, skipped: { unlisted: 0, markup: 2 } });
  expect(engine.seen).toHaveLength(1);
  const { stdout } = await callCli(['notify', source.url, '--indexnow', KEY]);
  expect(stdout).toContain('2 left out because their main text is the same');
});

// docs/notification.md: "If that file or the key file is missing, nothing goes to search engines, and `notify` says so."
test('without pages.json, or with one that cannot be believed, IndexNow is told nothing', async () => {
  const engine = await startTaker();
  const answers: Record<string, string> = {};
  const source = await startSource({ page: true }, (path, response) => {
    const answer = answers[path];
    if (answer !== undefined) response.writeHead(answer === '' ? 404 : 200).end(answer);
    return answer !== undefined;
  });
  await source.publish(0, { ...FIRST, [`${KEY}.txt`]: KEY });
  const former = source.read('resourcesync/pages.json');
  await source.publish(60, { 'a.html': '<title>a2' });
  const place = '/resourcesync/pages.json';
  const present = source.read('resourcesync/pages.json');
  const settings = { indexnow: KEY, indexnowEndpoint: engine.url };
  for (const [answer, found] of [
    ['', 'missing'],
    ['<!doctype html>', 'is not valid'],
    [present.slice(0, -9), 'is not valid'],
    [present.replaceAll(source.url, 'https://example.com/'), 'is not valid'],
  ] as const) {
    answers[place] = answer;
    expect((await tell(source.url, settings)).notified).toMatchObject([
      { done: false, found: expect.stringContaining(found) },
    ]);
  }
  answers[place] = '';
  const { status, stdout } = await callCli(['notify', source.url, '--indexnow', KEY]);
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining('--sitemap, --feed and --page'),
  });
  // One of the publication before is waited for, as a deploy is.
  answers[place] = former;
  const { clock, pauses } = makeClock();
  await expect(tell(source.url, { ...settings, wait: '10s' }, clock)).rejects.toMatchObject({
    code: 'not-live',
    message: expect.stringContaining('older than the Change List'),
  });
  expect(pauses).toEqual([1000, 2000, 4000, 3000]);
  expect(engine.seen).toEqual([]);
});

// docs/notification.md: "the key file is missing, nothing goes to search engines, and `notify` says so."
test('a key that is not on the site is told nobody, and never printed', async () => {
  const engine = await startTaker(Array(9).fill(403), `no ${KEY}`);
  const source = await startSource({ sitemap: true });
  await source.publish(0, FIRST);
  await source.publish(60, { 'a.html': '2' });
  const missing = await tell(source.url, { indexnow: KEY, indexnowEndpoint: engine.url });
  expect(missing.notified).toMatchObject([{ done: false, found: expect.stringContaining('key file') }]);
  expect(engine.seen).toEqual([]);
  await source.publish(120, { 'a.html': '3', [`${KEY}.txt`]: KEY });
  const channel = `${engine.url}x?token=s3cr3t`;
  const endpoint = configured({ url: source.url, indexnowEndpoint: engine.url });
  const flags = ['--indexnow', KEY, '--channel', channel, ...endpoint];
  for (const more of [[], ['--json'], ['--verbose']]) {
    const { status, stdout, stderr } = await callCli(['notify', source.url, ...flags, ...more]);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('no …');
    expect(stdout + stderr).not.toMatch(new RegExp(`${KEY}|s3cr3t`));
  }
  const wrong = await callCli(['notify', source.url, '--indexnow', `${KEY}!`]);
  expect(wrong).toMatchObject({ status: 2, stderr: expect.not.stringContaining(KEY) });
});

// docs/notification.md: "sends none on to a redirect.".
test('a redirect is not followed', async () => {
  const other = await startTaker();
  const away = await serve(makeSite({}), (_, response) => {
    response.writeHead(307, { location: `${other.url}deployed?token=s3cr3t` }).end();
    return true;
  });
  const source = await startSource({ sitemap: true });
  await source.publish(0, { ...FIRST, [`${KEY}.txt`]: KEY });
  await source.publish(60, { 'new.html': '2' });
  const { notified } = await tell(source.url, {
    channels: [`${away}?token=s3cr3t`],
    indexnow: KEY,
    indexnowEndpoint: away,
  });
  expect(notified.map(({ done }) => done)).toEqual([false, false]);
  expect(other.seen).toEqual([]);
  expect(JSON.stringify(notified)).not.toMatch(new RegExp(`${KEY}|s3cr3t`));
});

test('it waits until what was deployed is live, in all sets and in the feed', async () => {
  const channel = await startTaker();
  let looks = 0;
  const hidden: Record<string, string> = {};
  const source = await startSource(
    {
      sets: [
        { name: 'pages', include: ['*.html'] },
        { name: 'data', include: ['*.csv'] },
      ],
      feed: true,
    },
    (path, response) => {
      if (path.endsWith('/data/capabilitylist.xml')) looks++;
      const [lag, old] = [
        { '/resourcesync/data/changelist.xml': 3, '/resourcesync/changes.atom': 5 },
        hidden,
      ];
      if (looks > (lag[path as keyof typeof lag] ?? 0) || old[path] === undefined) return false;
      response.end(old[path]);
      return true;
    },
  );
  await source.publish(0, FIRST);
  for (const path of ['/resourcesync/data/changelist.xml', '/resourcesync/changes.atom'])
    hidden[path] = await (await fetch(source.url + path.slice(1))).text();
  await source.publish(60, { 'a.html': '<title>2', 'data.csv': '2' });
  looks = 0;
  const { clock, pauses } = makeClock();
  const report = await tell(source.site, { channels: [channel.url] }, clock);
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 15_000]);
  expect(report.waited).toBe(30_000);
  expect(report.notified).toMatchObject([{ done: true }]);
});

// docs/notification.md: "If the lists are not live by then, it tells nobody, and the exit status is 1."
test('what is not live in time is told nobody', async () => {
  const channel = await startTaker();
  const source = await startSource();
  await source.publish(0, FIRST);
  const config = { channels: [channel.url], at: '2126-01-01T00:00:00Z', wait: '10s' };
  await expect(tell(source.url, config)).rejects.toMatchObject({ code: 'not-live' });
  expect(channel.seen).toEqual([]);
  const { status, stderr } = await callCli([
    ...['notify', source.url, '--channel', channel.url, '--at', config.at, '--wait', '1ms'],
  ]);
  expect(status).toBe(1);
  expect(stderr).toContain('was not live');
});

test('the configuration names whom to tell, and the command line shows it', async () => {
  const hub = await startHub();
  const channel = await startTaker();
  const source = await startSource({ feed: true, hub: hub.url });
  await source.publish(0, FIRST);
  await source.publish(60, { 'a.html': '<title>2' });
  const config = {
    url: source.url,
    site: source.site,
    hub: hub.url,
    channels: channel.url.replace('http', 'ws'),
  };
  const cwd = makeSite({ 'resync-static.config.json': JSON.stringify(config) });
  const { status, stdout, stderr } = await callCli(['notify'], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(
    `Notified  hub ${new URL(hub.url).origin} of ${source.url}resourcesync/changes.atom`,
  );
  expect(channel.seen).toEqual([{ path: 'POST /deployed', type: 'text/plain', body: '' }]);
  const nobody = await callCli(['notify', source.url]);
  expect(nobody).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--channel, --hub, --indexnow'),
  });
});

test('the library, as the documentation shows it', async () => {
  const channel = await startTaker();
  const source = await startSource();
  await source.publish(0, FIRST);
  const { 'notify.ts': code = '' } = readFiles('docs/notification.md');
  const script = code.replace('./dist', source.site).replace('https://push.example.org/', channel.url);
  const cwd = makeProject([], { 'notify.mjs': script });
  const { status, stdout, stderr } = await runProgram(process.execPath, ['notify.mjs'], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(`channel ${new URL(channel.url).origin} true undefined\n`);
});

// docs/notification.md: "at most 10,000 in a request".
test('more pages than one request may hold go in several', async () => {
  const engine = await startTaker();
  const source = await startSource({ urls: 'clean', sitemap: true });
  const many = Object.fromEntries(Array.from({ length: 10_002 }, (_, index) => [`p/${index}.html`, '']));
  await source.publish(0, { ...many, 'index.html': 'home', [`${KEY}.txt`]: KEY });
  await source.publish(60, Object.fromEntries(Object.keys(many).map((path) => [path, undefined])));
  const { notified } = await tell(source.url, { indexnow: KEY, indexnowEndpoint: engine.url });
  expect(notified.map(({ urls }) => urls)).toEqual([10_000, 2]);
  expect(engine.seen.map(({ body }) => JSON.parse(body).urlList.length)).toEqual([10_000, 2]);
});
