/** `--history published`: what is live is continued, and never begun afresh because it could not be read. */

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.js';
import { describeSite } from '../../src/describe/describe.js';
import type { RunMemory } from '../../src/describe/run/memory.js';
import { readLive } from '../../src/history/live/live.js';
import { datetimeAt, describeAt, lineOf, readDocuments } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { BEGIN } from '../support/git.js';
import { type Host, publishLive, startHost } from '../support/host.js';
import { callCli, makeFolder, makeSite, readTree } from '../support/site.js';

function tellChanges(site: string, url: string, set = 0): string[] {
  const changes = readSource(site, url).sets[set]?.changes ?? [];
  return changes.map((entry) => lineOf(entry).split(' ').slice(0, 3).join(' ').replace(url, '/'));
}

const at = datetimeAt;
/** Few readings, soon one after the other. */
const IMPATIENT = { timeout: 60_000, readings: 2, pause: 10, time: 60_000 };

function run(host: Host, site: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  return callCli([site, '--url', host.url, '--history', 'published', ...args], {
    env: { SOURCE_DATE_EPOCH: `${BEGIN + 5000}`, ...env },
  });
}

describe('what is live', () => {
  test('is asked for past the caches on the way', async () => {
    const host = await startHost(makeFolder());
    await publishLive(host, 100, { 'index.html': 'one' });
    const asked = new Map<string, string | undefined>();
    host.intercept = ({ url = '', headers }) => {
      asked.set(url, headers['cache-control']);
      return false;
    };
    await publishLive(host, 200, { 'index.html': 'two' });
    expect([...asked.keys()]).toContain('/resourcesync/resourcelist.xml');
    expect(new Set(asked.values())).toEqual(new Set(['no-cache']));
  });

  test('without a condition, is not what it was', async () => {
    const host = await startHost(makeFolder());
    const { site } = await publishLive(host, 100, { 'index.html': 'one' });
    host.intercept = (_, response) => {
      response.writeHead(304).end();
      return true;
    };
    const reading = readLive(resolveConfig({ url: host.url, site }), IMPATIENT);
    await expect(reading).rejects.toMatchObject({ code: 'live-unreadable' });
  });

  test('may have been described without a history: that Resource List is the baseline', async () => {
    const host = await startHost(makeFolder());
    await publishLive(host, 100, { 'index.html': 'one' }, { history: 'none' });
    const { site } = await publishLive(host, 200, { 'index.html': 'two' });
    expect(tellChanges(site, host.url)).toEqual([`updated / ${at(200)}`]);
    expect(readDocuments(site)['resourcesync/changelist.xml']).toContain(`from="${at(100)}"`);
  });

  test('goes on where the host leaves out names that begin with a dot, and says so', async () => {
    const host = await startHost(makeFolder());
    host.intercept = ({ url = '' }, response) => {
      const isLeftOut = url.startsWith('/.');
      if (isLeftOut) response.writeHead(404).end();
      return isLeftOut;
    };
    const page = (text: string) => `<title>${text}</title><main>${text}</main>`;
    const files = { 'index.html': page('one'), 'a/index.html': page('one') };
    expect((await publishLive(host, 100, files, { sitemap: true })).notices).toContain('first-published');
    const more = { ...files, 'index.html': page('two') };
    const second = await publishLive(host, 200, more, { sitemap: true });
    expect(second.notices).toContain('description-not-live');
    const third = await publishLive(host, 300, { ...more, 'a/index.html': page('two') }, { sitemap: true });
    expect(tellChanges(third.site, host.url)).toEqual([`updated / ${at(200)}`, `updated /a/ ${at(300)}`]);
    expect(readFileSync(join(third.site, 'sitemap.xml'), 'utf8')).toContain(`<lastmod>${at(200)}</lastmod>`);
  });

  test('may be nothing yet, where the host leaves out such names and serves a page for all others', async () => {
    const host = await startHost(makeFolder());
    host.intercept = ({ url = '' }, response) => {
      if (url.startsWith('/.')) response.writeHead(404).end();
      else response.end('<!doctype html><p>Home');
      return true;
    };
    const site = makeSite({ 'index.html': 'one' });
    const { notices } = await describeAt(100, { url: host.url, history: 'published', site });
    expect(notices.map(({ code }) => code)).toContain('first-published');
  });

  test('is read under a path, too', async () => {
    const root = makeFolder();
    const host = await startHost(root);
    const url = `${host.url}repo/`;
    for (const [seconds, text] of [
      [100, 'one'],
      [200, 'two'],
    ] as const) {
      const site = makeSite({ 'index.html': text });
      await describeAt(seconds, { url, history: 'published', site });
      cpSync(site, join(root, 'repo'), { recursive: true });
    }
    expect(tellChanges(join(root, 'repo'), url)).toEqual([`updated / ${at(200)}`]);
    expect(host.asked.every((path) => path.startsWith('/repo/'))).toBe(true);
  });

  test('has sets: one that is new begins now, one that is gone is gone', async () => {
    const host = await startHost(makeFolder());
    const pages = { name: 'pages', include: ['**/*.html'] };
    const styles = { name: 'styles', include: ['**/*.css'] };
    const files = { 'index.html': 'one', 'a.css': 'one' };
    await publishLive(host, 100, files, { sets: [pages] });
    const more = await publishLive(host, 200, { ...files, 'index.html': 'two' }, { sets: [pages, styles] });
    expect(more.notices).toContain('set-first-published');
    expect(tellChanges(more.site, host.url, 0)).toEqual([`updated / ${at(200)}`]);
    expect(tellChanges(more.site, host.url, 1)).toEqual([]);
    const less = await publishLive(host, 300, { ...files, 'a.css': 'two' }, { sets: [styles] });
    expect(readSource(less.site, host.url).sets).toHaveLength(1);
    expect(tellChanges(less.site, host.url)).toEqual([`updated /a.css ${at(300)}`]);
  });

  test('keeps its closed lists byte for byte, however they were written', async () => {
    const host = await startHost(makeFolder());
    const config = { changes: { period: 'day' } } as const;
    const day = 86_400;
    for (const [days, text] of ['one', 'two', 'three', 'four'].entries()) {
      await publishLive(host, days * day, { 'index.html': text }, config);
    }
    const name = Object.keys(readDocuments(host.folder)).find((path) => /changelist-\d/.test(path)) ?? '';
    const odd = readFileSync(join(host.folder, name), 'utf8').replace('<url>', '<url  >');
    writeFileSync(join(host.folder, name), odd);
    const { site } = await publishLive(host, 9 * day, { 'index.html': 'five' }, { changes: {} });
    expect(readDocuments(site)[name]).toBe(odd);
    expect(tellChanges(site, host.url)).toHaveLength(4);
  });

  test('lists digests that were not asked for any more: what both have is compared', async () => {
    const host = await startHost(makeFolder());
    await publishLive(host, 100, { 'index.html': 'one', 'a.css': 'one' }, { hash: ['md5', 'sha-256'] });
    const { site } = await publishLive(
      host,
      200,
      { 'index.html': 'one', 'a.css': 'two' },
      { hash: ['sha-256', 'sha-512'] },
    );
    expect(tellChanges(site, host.url)).toEqual([`updated /a.css ${at(200)}`]);
    const next = publishLive(host, 300, { 'index.html': 'one' }, { hash: ['md5'] });
    await expect(next).rejects.toMatchObject({
      code: 'live-foreign',
      message: expect.stringContaining('option hash'),
    });
  });
});

test('what is live is read once for as long as a watch goes on', async () => {
  const host = await startHost(makeFolder());
  await publishLive(host, 100, { 'index.html': 'one' });
  const memory: RunMemory = {};
  const site = makeFolder();
  const config = resolveConfig({ site, url: host.url, history: 'published' });
  for (const text of ['two', 'three']) {
    makeSite({ 'index.html': text }, site);
    await describeSite(config, new Date((BEGIN + 500) * 1000), undefined, { memory });
  }
  expect(tellChanges(site, host.url)).toEqual([`updated / ${at(500)}`]);
  expect(host.asked.filter((path) => path === '/.well-known/resourcesync')).toHaveLength(2);
});

describe('packages of a Change Dump', () => {
  const isPackage = (path: string) => path.includes('changedump-');
  const story = async (host: Host) => {
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      await publishLive(host, 100 * (index + 1), { 'index.html': text }, { dumps: true });
    }
    return Object.entries(readDocuments(host.folder)).filter(([path]) => isPackage(path));
  };

  test('end where one is not what the dump says, with a notice', async () => {
    const host = await startHost(makeFolder());
    const [[path] = ['']] = (await story(host)).filter(([name]) => name.endsWith('.zip'));
    writeFileSync(join(host.folder, path), 'x'.repeat(700));
    const site = makeSite({ 'index.html': 'four' });
    const { stdout, status } = await run(host, site, ['--dumps', '--json']);
    expect(status).toBe(0);
    const codes = JSON.parse(stdout).notices.map(({ code }: { code: string }) => code);
    expect(codes).toContain('change-dump-shortened');
    const documents = readDocuments(site);
    expect(documents['resourcesync/changedump.xml']).toContain(`from="${at(200)}"`);
    expect(Object.keys(documents)).not.toContain(path);
    // Changes themselves are all there.
    expect(tellChanges(site, host.url)).toHaveLength(3);
  });

  test('begin with this publication where the live site has none', async () => {
    const host = await startHost(makeFolder());
    for (const [index, text] of ['one', 'two'].entries()) {
      await publishLive(host, 100 * (index + 1), { 'index.html': text });
    }
    const { site, notices } = await publishLive(host, 300, { 'index.html': 'three' }, { dumps: true });
    expect(notices).toContain('change-dump-shortened');
    expect(readDocuments(site)['resourcesync/changedump.xml']).toContain(`from="${at(200)}"`);
  });
});

describe('what cannot be continued is an error, and nothing is written', () => {
  const answer =
    (status: number, headers = {}, body = '') =>
    (response: ServerResponse) => {
      response.writeHead(status, headers).end(body);
      return true;
    };
  const edit = (path: string, change: (text: string) => string) => (host: Host) => {
    const file = join(host.folder, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  const everywhere = (respond: (response: ServerResponse) => boolean) => (host: Host) => {
    host.intercept = (_, response) => respond(response);
  };

  test.each<[string, (host: Host) => void, string, RegExp, number?]>([
    // Hostile servers are in `test/slow/strangers.test.ts`.
    [
      'an answer that stops',
      everywhere((response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('<?xml version="1.0"?>');
        return true;
      }),
      'live-unreadable',
      /nothing more/,
      // This one waits for the end of the time; no other answer may take as long, however busy the machine is.
      200,
    ],
    [
      'a redirect to another origin',
      everywhere(answer(301, { location: 'https://elsewhere.invalid/' })),
      'live-foreign',
      /redirects to https:\/\/elsewhere\.invalid\//,
    ],
    [
      'a page for everything',
      everywhere(answer(200, {}, '<!doctype html><title>app')),
      'live-foreign',
      /HTML page/,
    ],
    [
      'documents of another tool',
      edit('.well-known/resourcesync', (text) => text.replace('Written by resync-static', '')),
      'live-foreign',
      /not written by resync-static/,
    ],
    [
      'a resource of another site',
      edit('resourcesync/resourcelist.xml', (text) =>
        text.replace(/<loc>[^<]*/, '<loc>https://example.org/'),
      ),
      'live-foreign',
      /lists https:\/\/example\.org\//,
    ],
    [
      'a list that is missing',
      (host) => rmSync(join(host.folder, 'resourcesync/changelist.xml')),
      'live-unreadable',
      /changelist\.xml: it is missing/,
    ],
    [
      'documents of two publications',
      edit('resourcesync/resourcelist.xml', (text) => text.replace(/<lastmod>\d+/, '<lastmod>2030')),
      'live-unreadable',
      /does not fit the other documents/,
    ],
  ])('%s', async (_, spoil, code, message, timeout = IMPATIENT.timeout) => {
    const host = await startHost(makeFolder());
    await publishLive(host, 100, { 'index.html': 'one' });
    await publishLive(host, 200, { 'index.html': 'two' });
    spoil(host);
    const config = resolveConfig({ site: '.', url: host.url, history: 'published' });
    const reading = readLive(config, { ...IMPATIENT, timeout });
    await expect(reading).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(reading).rejects.toThrow(/RESYNC_HISTORY=none/);
  });

  test('which the command line tells, after it has tried again', async () => {
    const host = await startHost(makeFolder());
    host.intercept = (_, response) => answer(503)(response);
    const site = makeSite({ 'index.html': 'one' });
    const before = readTree(site);
    const { status, stderr } = await run(host, site);
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/status 503[\s\S]*3 times[\s\S]*RESYNC_HISTORY=none/),
    });
    expect(host.asked.length).toBeGreaterThanOrEqual(3);
    expect(readTree(site)).toEqual(before);
    // The way out that the message names works beside the flag.
    expect(await run(host, site, [], { RESYNC_HISTORY: 'none' })).toMatchObject({ status: 0 });
  });

  test('but not when the host recovers meanwhile', async () => {
    const host = await startHost(makeFolder());
    await publishLive(host, 100, { 'index.html': 'one' });
    let failures = 2;
    host.intercept = (_, response) => failures-- > 0 && answer(500)(response);
    const site = makeSite({ 'index.html': 'two' });
    expect(await run(host, site)).toMatchObject({ status: 0 });
    expect(tellChanges(site, host.url)).toEqual([`updated / ${at(5000)}`]);
  });

  test('nor when there is nothing yet', async () => {
    const host = await startHost(makeFolder());
    host.intercept = (_, response) => answer(410)(response);
    const { status, stderr } = await run(host, makeSite({ 'index.html': 'one' }));
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('The history starts when you deploy'),
    });
  });
});

test.each([
  [{ NETLIFY: 'true', CONTEXT: 'deploy-preview' }, 'Netlify builds a deploy-preview'],
  [{ VERCEL: '1', VERCEL_ENV: 'preview' }, 'Vercel builds a preview deployment'],
  [{ CF_PAGES: '1', CF_PAGES_BRANCH: 'main' }, undefined],
])('says what a host builds as a preview: %o', async (env, text) => {
  const host = await startHost(makeFolder());
  const site = makeSite({ 'index.html': 'one' });
  const { stderr } = await callCli([site, '--url', host.url, '--history', 'published'], { env });
  expect(stderr.includes('If you deploy this somewhere else')).toBe(text !== undefined);
  expect(stderr).toContain(text ?? '');
});
