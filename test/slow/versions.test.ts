/** Versions at addresses of their own: what is there, what links to it, and when it goes. */

import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { audit } from '../../src/index.js';
import {
  type ClosedLists,
  checkClosed,
  datetimeAt,
  describeAt,
  readDocuments,
  SITE_URL,
} from '../support/changes.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { copyStory } from '../support/places.js';
import { makeSite, readTree } from '../support/site.js';
import {
  checkLinked,
  listVersionFiles,
  readInventory,
  readLinked,
  readTimeMap,
  serveAll,
} from '../support/versions.js';

const told = (site: string, url = SITE_URL) =>
  readLinked(site, url).map(
    ({ uri, md, memento }) =>
      `${md['change']} ${uri.slice(url.length - 1)} ${memento?.['href']?.replace(/.*\/versions\/[\w-]+/, '…') ?? '-'}`,
  );

const STORY = [
  'updated /a.html …/a.html',
  'created /b/c.html …/b/c.html',
  'updated /a.html …/a.html',
  'deleted /old.html -',
];

/** When each file was written. */
const timesOf = (site: string) =>
  Object.keys(readTree(site)).map((path) => `${path} ${statSync(join(site, path)).mtimeMs}`);

test('each version that is listed has an address, and is said to be what it is', async () => {
  const site = join(copyStory(), 'dist');
  const config: Partial<UserConfig> = {
    site,
    history: 'HEAD:dist',
    versions: true,
    robots: true,
    exclude: ['robots.txt'],
    dumps: true,
  };
  const report = await describeAt(1000, config);
  expect(told(site)).toEqual(STORY);
  const served = serveAll(site, SITE_URL);
  expect(checkLinked(readLinked(site, SITE_URL), served)).toBe(3);
  expect(report.versions).toEqual({ count: 3, bytes: 11 });
  expect(report.resources).toBe(3);

  const timemap = served.get(`${SITE_URL}resourcesync/timemaps/a.html.txt`)?.toString() ?? '';
  expect(timemap.split(',\n').map((line) => line.replace(/versions\/\w+/, 'versions/#'))).toEqual([
    '<https://example.org/a.html>; rel="original"',
    '<https://example.org/resourcesync/timemaps/a.html.txt>; rel="self"; type="application/link-format"; from="Tue, 14 Nov 2023 22:15:00 GMT"; until="Tue, 14 Nov 2023 22:16:40 GMT"',
    '<https://example.org/resourcesync/versions/#/a.html>; rel="first memento"; datetime="Tue, 14 Nov 2023 22:15:00 GMT"',
    '<https://example.org/resourcesync/versions/#/a.html>; rel="last memento"; datetime="Tue, 14 Nov 2023 22:16:40 GMT"\n',
  ]);
  expect(readTree(site)['robots.txt']).not.toContain('versions');
  expect(readInventory(site)).toEqual(listVersionFiles(site));

  const before = timesOf(site);
  expect((await describeAt(2000, config)).removed).toEqual([]);
  expect(timesOf(site)).toEqual(before);
});

/** Publishes states of `a.txt`, a hundred seconds after one another. */
function publishStates(states: readonly (string | undefined)[]): string {
  const repository = makeRepository();
  for (const [index, text] of states.entries()) {
    const isThere = text !== undefined || states[index - 1] !== undefined;
    commitFiles(repository, index * 100, {
      'dist/index.html': 'home',
      ...(isThere && { 'dist/a.txt': text }),
    });
  }
  return join(repository, 'dist');
}

/** The versions of a resource, by their TimeMap: the bytes of each, and the seconds since the first publication. */
function tellTimeMap(site: string, url = SITE_URL, path = 'a.txt'): string[] {
  const served = serveAll(site, url);
  const text = `${served.get(`${url}resourcesync/timemaps/${path}.txt`)}`;
  const start = Date.parse(datetimeAt(0));
  return readTimeMap(url + path, text).map(
    ({ href, datetime }) => `${served.get(href)} ${(Date.parse(datetime) - start) / 1000}`,
  );
}

test('what comes back is a version of its own moment, and keeps its address', async () => {
  const site = publishStates([undefined, 'one', 'two', 'one', undefined, 'one', 'two']);
  const config: Partial<UserConfig> = { site, history: 'HEAD:dist', versions: true, headers: 'netlify' };
  await describeAt(1000, config);
  const told = ['one 100', 'two 200', 'one 300', 'one 500', 'two 600'];
  expect(tellTimeMap(site)).toEqual(told);
  const linked = () => readLinked(site, SITE_URL).flatMap(({ memento }) => memento?.['href'] ?? []);
  const addresses = linked();
  const turns = addresses.map((href) => /versions\/\w{16}([^/]*)\//.exec(href)?.[1]);
  expect(turns).toEqual(['', '', '-2', '-3', '-2']);
  expect(checkLinked(readLinked(site, SITE_URL), serveAll(site, SITE_URL))).toBe(5);

  // Pending and committed, and when the window has moved on, each has the address that it had.
  makeSite({ 'a.txt': 'one' }, site);
  await describeAt(1000, config);
  const pending = linked().at(-1);
  expect(pending).toMatch(/-4\/a\.txt$/);
  commitFiles(join(site, '..'), 1100, {});
  await describeAt(2000, { ...config, changes: { window: 700 / 86_400 } });
  expect(linked()).toEqual([...addresses.slice(3), pending]);
  expect(tellTimeMap(site)).toEqual([...told.slice(3), 'one 1100']);
});

test('a folder has no version where a file of its name had one with the same bytes, also when that is no longer listed', async () => {
  const DAY = 86_400;
  const repository = makeRepository();
  const states = [
    { 'dist/index.html': 'home' },
    { 'dist/x': 'same' },
    { 'dist/x': undefined, 'dist/x/y': 'same', 'dist/x/z': 'other' },
    { 'dist/index.html': 'more' },
    { 'dist/index.html': 'most' },
  ];
  for (const [day, files] of states.entries()) commitFiles(repository, day * DAY, files);
  const site = join(repository, 'dist');
  const describeDays = (window: number) =>
    describeAt(5 * DAY, { site, history: 'HEAD:dist', versions: true, changes: { window, period: 'day' } });
  const former: ClosedLists = { options: '', lists: {} };
  await describeDays(30);
  checkClosed(site, former, '');
  expect(told(site)).toEqual([
    'created /x …/x',
    'deleted /x -',
    'created /x/y -',
    'created /x/z …/x/z',
    'updated / …/',
    'updated / …/',
  ]);
  await describeDays(2.5);
  expect(told(site)).toEqual([
    'deleted /x -',
    'created /x/y -',
    'created /x/z …/x/z',
    'updated / …/',
    'updated / …/',
  ]);
  checkClosed(site, former, '');
  expect(Object.keys(former.lists).length).toBeGreaterThan(1);
});

test('a version that a file of the run before is in the way of comes with the next run', async () => {
  const repository = makeRepository();
  const site = join(repository, 'dist');
  const config: Partial<UserConfig> = { site, history: 'HEAD:dist' };
  commitFiles(repository, 0, { 'dist/index.html': 'home' });
  commitFiles(repository, 100, { 'dist/x': 'same' });
  await describeAt(1000, { ...config, versions: { include: ['x'] } });
  expect(told(site)).toEqual(['created /x …/x']);
  commitFiles(repository, 200, { 'dist/x': undefined, 'dist/x/y': 'same' });
  const rest = ['created /x -', 'deleted /x -'];
  for (const created of ['created /x/y -', 'created /x/y …/x/y']) {
    await describeAt(1000, { ...config, versions: { include: ['x/y'] } });
    expect(told(site)).toEqual([...rest, created]);
    checkLinked(readLinked(site, SITE_URL), serveAll(site, SITE_URL));
    expect(readInventory(site)).toEqual(listVersionFiles(site));
  }
});

test('a version keeps its address when what is pending is committed, and when the window moves on', async () => {
  const repository = copyStory();
  const site = join(repository, 'dist');
  const config: Partial<UserConfig> = { site, history: 'HEAD:dist', versions: true };
  makeSite({ 'a.html': 'four' }, site);
  await describeAt(1000, config);
  const [, , , , pending] = readLinked(site, SITE_URL);
  expect(pending?.md['datetime']).toBe('2023-11-14T22:30:00Z');
  commitFiles(repository, 1100, {});
  await describeAt(2000, config);
  const [, , , , committed] = readLinked(site, SITE_URL);
  expect(committed?.memento?.['href']).toBe(pending?.memento?.['href']);
  expect(committed?.memento?.['modified']).toBe('2023-11-14T22:31:40Z');
  expect(Object.keys(listVersionFiles(site))).toHaveLength(4 + 2);

  // Only the last two publications are listed, then nothing but the last one.
  const later = { ...config, changes: { window: 950 / 86_400 } };
  expect((await describeAt(3000, later)).removed).toHaveLength(2 + 1);
  expect(told(site)).toEqual(
    ['updated /a.html …/a.html', 'deleted /old.html -', 'updated /a.html …/a.html'].slice(0, 3),
  );
  expect(checkLinked(readLinked(site, SITE_URL), serveAll(site, SITE_URL))).toBe(2);
  expect(readInventory(site)).toEqual(listVersionFiles(site));
});

test('what is pending has no version where nobody keeps it', async () => {
  const site = makeSite({ 'index.html': 'one' }, join(makeRepository(), 'dist'));
  const config: Partial<UserConfig> = { site, history: 'snapshots', versions: true };
  await describeAt(0, { ...config, record: true });
  makeSite({ 'index.html': 'two' }, site);
  await describeAt(100, config);
  expect(told(site)).toEqual(['updated / -']);
  expect(listVersionFiles(site)).toEqual({});
  await describeAt(200, { ...config, record: true });
  expect(told(site)).toEqual(['updated / …/']);
});

test('without versions, those of before are removed, and nothing else', async () => {
  const repository = copyStory();
  const site = join(repository, 'dist');
  const plain = { site, history: 'HEAD:dist' };
  await describeAt(1000, plain);
  const before = readDocuments(site);
  await describeAt(1000, { ...plain, versions: true });
  const mine = 'resourcesync/versions/0123456789abcdef/mine.txt';
  makeSite({ [mine]: 'mine' }, site);
  const [changed = ''] = Object.keys(listVersionFiles(site)).filter((path) => path.endsWith('c.html'));
  writeFileSync(join(site, changed), 'changed by somebody');
  await describeAt(1000, plain);
  expect(readDocuments(site)).toEqual({ ...before, [mine]: 'mine', [changed]: 'changed by somebody' });
});

test('a file of somebody else in the place of a version is not overwritten', async () => {
  const site = join(copyStory(), 'dist');
  const config = { site, history: 'HEAD:dist', versions: true };
  await describeAt(1000, config);
  const files = Object.keys(listVersionFiles(site));
  rmSync(join(site, 'resourcesync'), { recursive: true });
  for (const path of files) {
    const other = makeSite({ [path]: 'mine' }, site);
    await expect(describeAt(1000, config)).rejects.toMatchObject({ code: 'not-ours' });
    expect(Object.keys(readDocuments(other)).sort()).toEqual(['.well-known/resourcesync', path].sort());
    rmSync(join(site, path));
  }
});

test('only what is included has versions', async () => {
  const site = join(copyStory(), 'dist');
  await describeAt(1000, { site, history: 'HEAD:dist', versions: { include: ['b/**'] } });
  expect(told(site)).toEqual(STORY.map((line) => line.replace('…/a.html', '-')));
});

test('what cannot be a file beside the others has no version', async () => {
  const repository = makeRepository();
  const long = `${'n'.repeat(252)}.js`;
  commitFiles(repository, 0, { 'dist/index.html': 'home' });
  commitFiles(repository, 100, { 'dist/a': 'same', [`dist/${long}`]: 'long' });
  commitFiles(repository, 200, { 'dist/a': undefined });
  commitFiles(repository, 300, { 'dist/a/b': 'same', 'dist/about.html': 'about' });
  commitFiles(repository, 400, { 'dist/about.html': undefined, 'dist/about/index.html': 'other' });
  commitFiles(repository, 500, { 'dist/about/index.html': 'about' });
  const site = join(repository, 'dist');
  await describeAt(1000, { site, history: 'HEAD:dist', versions: true, urls: 'bare' });
  expect(told(site)).toEqual([
    'created /a …/a',
    `created /${long} …/${long}`,
    'deleted /a -',
    'created /a/b -',
    'created /about …/about',
    'updated /about …/about',
    // The bytes of before, which were in another file.
    'updated /about …/about',
  ]);
  // A name with four characters more would be too long for a file.
  const timemaps = readLinked(site, SITE_URL).map(({ timemap }) => timemap?.replace(/.*timemaps/, ''));
  expect(timemaps).toEqual(['/a.txt', undefined, undefined, undefined, ...Array(3).fill('/about.txt')]);
  expect(checkLinked(readLinked(site, SITE_URL), serveAll(site, SITE_URL, 'bare'))).toBe(5);
});

test('an audit reads versions, and finds those that are not what they are said to be', async () => {
  const site = join(copyStory(), 'dist');
  await describeAt(1000, { site, history: 'HEAD:dist', versions: true, describedby: 'about.html' });
  const codes = async () =>
    (await audit({ source: site, url: SITE_URL })).findings.map(({ code, count }) => `${code} ${count}`);
  makeSite({ 'about.html': 'about' }, site);
  await describeAt(1000, { site, history: 'HEAD:dist', versions: true, describedby: 'about.html' });
  expect(await codes()).toEqual([]);
  const [first = '', second = ''] = Object.keys(listVersionFiles(site)).filter((path) =>
    path.includes('/versions/'),
  );
  writeFileSync(join(site, first), 'xxx');
  rmSync(join(site, second));
  expect(await codes()).toEqual(['version-missing 1', 'hash-differs 1']);
});

test('an audit finds a TimeMap that ends before what is published', async () => {
  const site = publishStates([undefined, 'one', 'two', 'one']);
  await describeAt(1000, { site, history: 'HEAD:dist', versions: true });
  const findings = async () =>
    (await audit({ source: site, url: SITE_URL })).findings.filter(
      ({ code }) => code !== 'describedby-missing',
    );
  expect(await findings()).toEqual([]);
  const file = join(site, 'resourcesync/timemaps/a.txt.txt');
  const lines = readFileSync(file, 'utf8').split(',\n');
  const versions = lines.flatMap((line) => /versions\/\S+a\.txt/.exec(line) ?? []);
  writeFileSync(file, `${lines.slice(0, -1).join(',\n')}\n`);
  expect(await findings()).toMatchObject([
    {
      code: 'timemap-differs',
      severity: 'warning',
      findings: [
        {
          document: `${SITE_URL}resourcesync/timemaps/a.txt.txt`,
          entry: `${SITE_URL}a.txt`,
          found: `${SITE_URL}resourcesync/${versions[1]} of Tue, 14 Nov 2023 22:16:40 GMT`,
          expected: `${SITE_URL}resourcesync/${versions[2]} of Tue, 14 Nov 2023 22:18:20 GMT`,
        },
      ],
    },
  ]);
});

test('rules for versions have one order, whatever was there before', async () => {
  const config: Partial<UserConfig> = { history: 'HEAD:dist', versions: true, headers: 'netlify' };
  const [kept, fresh] = [join(copyStory(), 'dist'), join(copyStory(), 'dist')];
  await describeAt(1000, { ...config, site: kept, versions: { include: ['b/**'] } });
  for (const site of [kept, fresh]) await describeAt(1000, { ...config, site });
  expect(readTree(fresh)['_headers']).toContain('X-Robots-Tag: noindex');
  expect(readTree(kept)['_headers']).toBe(readTree(fresh)['_headers']);
});

test('on a host that takes rules, it is told to leave versions alone, and what TimeMaps are', async () => {
  const repository = copyStory();
  const site = join(repository, 'dist');
  const own = `/resourcesync/versions/*\n  Cache-Control: immutable\n${Array.from({ length: 94 }, (_, index) => `/${index}\n  X-Mine: 1\n`).join('')}`;
  makeSite({ _headers: own }, site);
  const config: Partial<UserConfig> = { site, history: 'HEAD:dist', versions: true, headers: 'cloudflare' };
  await describeAt(1000, config);
  const text = readTree(site)['_headers'] ?? '';
  expect(text).toContain('/resourcesync/versions/*\n  X-Robots-Tag: noindex\n  Cache-Control: immutable\n');
  expect(text).toContain(
    '/resourcesync/timemaps/*\n  Content-Type: application/link-format\n  X-Robots-Tag: noindex\n',
  );
  expect(text.match(/^\//gm)).toHaveLength(98);
  expect(readTree(site)['resourcesync/changelist.xml']).toContain(
    'a.html.txt" type="application/link-format"/>',
  );

  const before = timesOf(site);
  await describeAt(1000, config);
  expect(timesOf(site)).toEqual(before);

  // Without versions there are no rules, and the rest stays.
  await describeAt(1000, { ...config, versions: false });
  const left = readTree(site)['_headers'] ?? '';
  expect(left.replace(/^\/\*\n(?: .*\n)+|^\/\.well-known.*\n(?: .*\n)+/gm, '')).toBe(own);
});

test('the page for people leads to versions', async () => {
  const site = join(copyStory(), 'dist');
  await describeAt(1000, { site, history: 'HEAD:dist', versions: true, page: { lang: 'de' } });
  const page = readTree(site)['resourcesync/index.html'] ?? '';
  const links = [...page.matchAll(/ href="([^"]+)">wie sie war<\/a>/g)].map(([, href]) => href);
  const mementos = readLinked(site, SITE_URL).flatMap(({ memento }) => memento?.['href'] ?? []);
  expect(mementos.map((href) => href.slice(SITE_URL.length - 1))).toEqual(expect.arrayContaining(links));
  // All was published on one day, of which the page tells the last state.
  expect(links.map((href = '') => href.replace(/.*versions\/[\da-f]{16}/, '')).sort()).toEqual([
    '/a.html',
    '/b/c.html',
  ]);
});

test('where the live site keeps the history from then on, no list links to versions any more', async () => {
  const repository = copyStory();
  const site = join(repository, 'dist');
  const host = await startHost(site);
  commitFiles(repository, 2 * 86_400, { 'dist/a.html': 'four' });
  const config: Partial<UserConfig> = { url: host.url, changes: { period: 'day' } };
  await describeAt(3 * 86_400, { ...config, site, history: 'HEAD:dist', versions: true });
  const lists = (folder: string) =>
    Object.entries(readTree(folder)).filter(([path]) => /changelist-.*\.xml$/.test(path));
  const closed = lists(site).map(([path]) => path);
  expect(closed.length).toBeGreaterThan(1);
  for (const [, text] of lists(site)) expect(text).toContain('rel="memento"');
  const built = makeSite({ 'index.html': 'one', 'a.html': 'five', 'b/c.html': 'one' });
  await describeAt(3 * 86_400, { ...config, site: built, history: 'published' });
  expect(lists(built).map(([path]) => path)).toEqual(expect.arrayContaining(closed));
  for (const [, text] of lists(built)) expect(text).not.toMatch(/memento|timemap/);
  expect(await audit({ source: built })).toMatchObject({ errors: 0, warnings: 0 });
});
