/** Places in lists that a mirror does not understand: nothing counts as gone, and the place is named. */

import { describe, expect, test } from 'vitest';
import { startHandMade } from '../../support/lists.js';
import { copy, readCopy } from '../../support/mirror.js';
import { makeFolder, makeForFile } from '../../support/site.js';

const FILES = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' };
const B = /<url><loc>[^<]*b\.txt<\/loc>.*?<\/url>/;

/** A copy of three files, and its Source. */
async function startCopied() {
  const source = await startHandMade();
  const list = (days: number) => source.lists.resources(days, FILES);
  source.put({ ...FILES, 'resourcelist.xml': list(0), 'changelist.xml': source.lists.changes(0, []) });
  const folder = makeFolder();
  expect(await copy(source.source, folder)).toMatchObject({ inSync: true, created: 3 });
  return { ...source, folder, list, run: () => copy(source.source, folder, { maxDelete: '100%' }) };
}

// docs/copies.md: "A list that is not understood deletes nothing either."
describe('a place in a Resource List that is not understood', () => {
  const copied = makeForFile(startCopied);
  /** The moment of the newest list. */
  let days = 0;

  test.each<[name: string, damage: (list: string) => string, found: RegExp]>([
    ['an entry without <loc>', (list) => list.replace(/<loc>[^<]*b\.txt<\/loc>/, ''), /without <loc>/],
    ['an empty <loc>', (list) => list.replace(/<loc>[^<]*b\.txt<\/loc>/, '<loc> </loc>'), /without <loc>/],
    ['<LOC>', (list) => list.replace(/<loc>([^<]*b\.txt)<\/loc>/, '<LOC>$1</LOC>'), /<LOC> in <url>/],
    ['<entry>', (list) => list.replace(B, (url) => url.replaceAll('url>', 'entry>')), /<entry> in <urlset>/],
    [
      'two addresses',
      (list) => list.replace(/(a\.txt<\/loc>)(.*?)(<loc>[^<]*b\.txt<\/loc>)/, '$1$3$2'),
      /another <loc>/,
    ],
    [
      'an entry in an entry',
      (list) => list.replace(B, '').replace('</url>', `${B.exec(list)?.[0]}</url>`),
      /<url> in <url>/,
    ],
    [
      'an entry in an extension',
      (list) => list.replace(B, '<x:x xmlns:x="urn:x">$&</x:x>'),
      /<url> in <x:x>/,
    ],
    [
      'an entry of another namespace',
      (list) => list.replace(B, (url) => url.replace('<url>', '<url xmlns="urn:x">')),
      /<url> in <urlset>/,
    ],
    ['an entry as text', (list) => list.replace(B, '<![CDATA[$&]]>'), /text in <urlset>/],
    ['another scheme', (list) => list.replace(/http(:[^<]*b\.txt)/, 'ftp$1'), /ftp:.* is no URL that/],
    ['no URL', (list) => list.replace(/http:[^<]*b\.txt/, 'http://[b.txt'), /is no URL that/],
    ['a root of an index', (list) => list.replaceAll('urlset', 'sitemapindex'), /<url> in <sitemapindex>/],
  ])('%s', async (_, damage, found) => {
    const { put, list, run, folder, url } = copied();
    const right = list(++days);
    const damaged = damage(right);
    expect(damaged).not.toBe(right);
    put({ 'resourcelist.xml': damaged });
    expect(await run()).toMatchObject({
      inSync: false,
      deleted: 0,
      failed: expect.arrayContaining([
        {
          uri: `${url}resourcelist.xml`,
          reason: 'skipped',
          found: expect.stringMatching(new RegExp(`line 2: .*${found.source}`)),
        },
      ]),
    });
    expect(readCopy(folder)).toEqual(FILES);
    put({ 'resourcelist.xml': list(++days) });
    expect(await run()).toMatchObject({ inSync: true, deleted: 0, failed: [] });
  });
});

test.each([
  ['changelist', '<url><loc>{url}b.txt</loc></url>', 'changelist.xml'],
  ['Capability List', '<url><loc>{url}resourcelist.xml</loc></url>', 'capabilitylist.xml'],
  [
    'Capability List',
    '<Url><loc>{url}resourcelist.xml</loc><rs:md capability="resourcelist"/></Url>',
    'capabilitylist.xml',
  ],
])('nothing is deleted where a %s has %s', async (_, entry, document) => {
  const { put, url, run, folder, lists, list } = await startCopied();
  const { 'b.txt': b, ...rest } = FILES;
  put({
    'resourcelist.xml': lists.resources(1, rest),
    'changelist.xml': lists.changes(1, [{ path: 'b.txt', change: 'deleted', at: 1 }]),
  });
  const before = {
    'changelist.xml': lists.changes(1, []),
    'capabilitylist.xml': lists.capabilities({
      'changelist.xml': 'changelist',
      'resourcelist.xml': 'resourcelist',
    }),
  };
  const text = before[document as keyof typeof before];
  put({ [document]: text.replace(/<\/urlset>/, `${entry.replace('{url}', url)}</urlset>`) });
  const report = await run();
  expect([report.inSync, report.deleted]).toEqual([false, 0]);
  expect(report.failed).toContainEqual(
    expect.objectContaining({ uri: `${url}${document}`, reason: 'skipped' }),
  );
  expect(readCopy(folder)).toEqual({ ...rest, 'b.txt': b });
  put({ [document]: text, 'resourcelist.xml': list(2) });
  expect(await run()).toMatchObject({ inSync: true, deleted: 0 });
});

describe('a change of an unknown kind', () => {
  const unknown = (text: string) => text.replace('change="updated"', 'change="modified"');

  test.each(['modified', 'UPDATED', ''])('"%s": a newer Resource List decides', async (kind) => {
    const { put, run, folder, lists } = await startCopied();
    const files = { ...FILES, 'a.txt': 'a2' };
    const changes = lists.changes(0, [{ path: 'a.txt', text: 'a2', change: 'updated', at: 1 }]);
    put({
      'a.txt': 'a2',
      'changelist.xml': changes.replace('change="updated"', `change="${kind}"`),
      'resourcelist.xml': lists.resources(2, files),
    });
    expect(await run()).toMatchObject({ inSync: true, updated: 1, sets: [{ reason: 'unknown-change' }] });
    expect(readCopy(folder)).toEqual(files);
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
  });

  test('an older Resource List knows nothing of it', async () => {
    const { put, run, folder, lists, url } = await startCopied();
    const changes = lists.changes(0, [
      { path: 'a.txt', text: 'a2', change: 'updated', at: 1 },
      { path: 'b.txt', change: 'deleted', at: 2 },
    ]);
    put({ 'changelist.xml': unknown(changes) });
    for (let runs = 0; runs < 3; runs++) {
      const failed = [
        { uri: `${url}changelist.xml`, found: expect.stringMatching(/line 2: .*a\.txt.*modified/) },
      ];
      expect(await run()).toMatchObject({ inSync: false, deleted: 0, failed });
    }
    put({ 'changelist.xml': changes.replace(' change="updated"', '') });
    const failed = [{ found: expect.stringContaining(`${url}a.txt has no attribute change`) }];
    expect(await run()).toMatchObject({ inSync: false, deleted: 0, failed });
    expect(readCopy(folder)).toEqual(FILES);
    put({ 'a.txt': 'a2', 'changelist.xml': changes });
    expect(await run()).toMatchObject({ inSync: true, updated: 1, deleted: 1 });
  });
});

describe('a relative address', () => {
  test.each(['{}', '/{}', './x/../{}', '//{host}/{}'])('%s is resolved, and told', async (form) => {
    const { put, run, folder, list, url } = await startCopied();
    const address = form.replace('{host}', new URL(url).host).replace('{}', 'b.txt');
    put({ 'resourcelist.xml': list(1).replace(`${url}b.txt`, address) });
    const found = { document: `${url}resourcelist.xml`, line: 2, found: address };
    expect(await run()).toMatchObject({ inSync: true, deleted: 0, relative: found });
    expect(readCopy(folder)).toEqual(FILES);
  });

  test('that leads nowhere deletes nothing, however often it is missing', async () => {
    const { put, run, folder, list, url } = await startCopied();
    put({ 'resourcelist.xml': list(1).replace(`${url}b.txt`, 'files/b.txt') });
    for (let runs = 0; runs < 4; runs++) expect(await run()).toMatchObject({ inSync: false, deleted: 0 });
    expect(readCopy(folder)).toEqual(FILES);
  });
});

describe('an index', () => {
  /** Indexes in one another, down to the list of all files. */
  const nest = (
    { lists, list }: Pick<Awaited<ReturnType<typeof startCopied>>, 'lists' | 'list'>,
    depth: number,
  ) =>
    Object.fromEntries(
      Array.from({ length: depth + 1 }, (_, level) => [
        level === 0 ? 'resourcelist.xml' : `l${level}.xml`,
        level === depth ? list(1) : lists.resourceIndex(1, [`l${level + 1}.xml`]),
      ]),
    );

  test.each([1, 2, 8])('of %i levels is read', async (depth) => {
    const copied = await startCopied();
    copied.put(nest(copied, depth));
    expect(await copied.run()).toMatchObject({ inSync: true, deleted: 0 });
    expect(readCopy(copied.folder)).toEqual(FILES);
  });

  test('of nine levels is not, and deletes nothing', async () => {
    const copied = await startCopied();
    copied.put(nest(copied, 9));
    const failed = [{ uri: `${copied.url}l8.xml`, reason: 'skipped' }];
    expect(await copied.run()).toMatchObject({ inSync: false, deleted: 0, failed });
    expect(readCopy(copied.folder)).toEqual(FILES);
  });

  test('of Source Descriptions that names itself deletes nothing', async () => {
    const { put, url } = await startCopied();
    const names = (root: string, entry: string, capability: string, path: string) =>
      `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="description"/><${entry}><loc>${url}${path}</loc><rs:md capability="${capability}"/></${entry}></${root}>`;
    const index = (path: string) => names('sitemapindex', 'sitemap', 'description', path);
    put({
      '.well-known/resourcesync': index('one.xml'),
      'one.xml': names('urlset', 'url', 'capabilitylist', 'capabilitylist.xml'),
    });
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 3 });
    put({ '.well-known/resourcesync': index('.well-known/resourcesync') });
    expect(await copy(url, folder, { maxDelete: '100%' })).toMatchObject({ inSync: false, deleted: 0 });
    expect(readCopy(folder)).toEqual(FILES);
  });
});

test.each([
  [
    'a capability that nobody knows, beside those that are known',
    { 'resourcelist.xml': 'resourcelist', 'x.xml': 'x' },
    true,
  ],
  ['nothing that is known', { 'resourcelist.xml': 'resourceList' }, false],
  ['a Change List alone', { 'changelist.xml': 'changelist' }, false],
  ['nothing', {}, false],
])('a Capability List with %s', async (_, listed, isRight) => {
  const { put, run, folder, lists } = await startCopied();
  put({ 'capabilitylist.xml': lists.capabilities(listed as Record<string, string>) });
  if (isRight) expect(await run()).toMatchObject({ inSync: true, deleted: 0 });
  else await expect(run()).rejects.toMatchObject({ code: 'source-unreadable' });
  expect(readCopy(folder)).toEqual(FILES);
});
