/** What a mirror does not understand in lists: nothing counts as gone, and the place is named. */

import { describe, expect, test } from 'vitest';
import { startHandMade } from '../../support/lists.js';
import { copy, readCopy } from '../../support/mirror.js';
import { makeFolder } from '../../support/site.js';

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

describe('a place in a Resource List that is not understood', () => {
  test.each<[name: string, damage: (list: string) => string, found: RegExp]>([
    ['an entry without <loc>', (list) => list.replace(/<loc>[^<]*b\.txt<\/loc>/, ''), /without <loc>/],
    ['an empty <loc>', (list) => list.replace(/<loc>[^<]*b\.txt<\/loc>/, '<loc> </loc>'), /without <loc>/],
    ['<LOC>', (list) => list.replace(/<loc>([^<]*b\.txt)<\/loc>/, '<LOC>$1</LOC>'), /<LOC> in <url>/],
    ['<link>', (list) => list.replace(/<loc>([^<]*b\.txt)<\/loc>/, '<link>$1</link>'), /without <loc>/],
    ['<entry>', (list) => list.replace(B, (url) => url.replaceAll('url>', 'entry>')), /<entry> in <urlset>/],
    ['<sitemap>', (list) => list.replace(B, (url) => url.replaceAll('url>', 'sitemap>')), /<sitemap> in/],
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
      'an entry in a list in the list',
      (list) => list.replace(B, '<urlset>$&</urlset>'),
      /<urlset> in <urlset>/,
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
    const { put, list, run, folder, url } = await startCopied();
    const damaged = damage(list(1));
    expect(damaged).not.toBe(list(1));
    put({ 'resourcelist.xml': damaged });
    for (let runs = 0; runs < 3; runs++) {
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
    }
    put({ 'resourcelist.xml': list(2) });
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

test('a rehearsal of a first copy is not in sync, and one of a right copy is', async () => {
  const { source, put, lists } = await startHandMade();
  put({ ...FILES, 'resourcelist.xml': lists.resources(0, FILES), 'changelist.xml': lists.changes(0, []) });
  const folder = makeFolder();
  expect(await copy(source, folder, { dryRun: true })).toMatchObject({
    inSync: false,
    created: 3,
    failed: [],
  });
  await copy(source, folder);
  expect(await copy(source, folder, { dryRun: true })).toMatchObject({ inSync: true });
});
