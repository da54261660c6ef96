/** Versions at addresses of their own: what is there, what links to it, and when it goes. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { copyStory } from '../support/places.js';
import { makeSite, readTree } from '../support/site.js';
import { checkLinked, listVersionFiles, readInventory, readLinked, serveAll } from '../support/versions.js';

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
