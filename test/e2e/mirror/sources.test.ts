/** Sources in the shapes that other programs write, and Sources that are not what they were. */

import { cpSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { md5, startHandMade, type Told } from '../../support/lists.js';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { makeFolder } from '../../support/site.js';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const listOf = (rows: readonly string[]) =>
  `${XML}<urlset ${NAMESPACES}><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>${rows.join('')}</urlset>`;
const row = (url: string, path: string, md = '', more = '') =>
  `<url><loc>${url}${path}</loc>${md === '' ? '' : `<rs:md ${md}/>`}${more}</url>`;

describe('a Source of another program', () => {
  test.each([
    ['md5 only', (text: string) => `hash="${md5(text)}" length="${text.length}"`, 0],
    ['md5 without length', (text: string) => `hash="${md5(text)}"`, 0],
    [
      'a digest of a kind that is not known',
      (text: string) => `hash="whirlpool:00" length="${text.length}"`,
      2,
    ],
    ['length only', (text: string) => `length="${text.length}"`, 2],
    ['nothing', () => '', 2],
  ])('with %s', async (_, describe, unverified) => {
    const { source, lists, put } = await startHandMade({ describe });
    const files = { 'a.txt': 'one', 'b/c.txt': 'two' };
    put({
      ...files,
      'resourcelist.xml': lists.resources(0, files),
      'capabilitylist.xml': lists.capabilities({ 'resourcelist.xml': 'resourcelist' }),
    });
    const folder = makeFolder();
    expect(await copy(source, folder)).toMatchObject({ inSync: true, created: 2, unverified });
    expect(readCopy(folder)).toEqual(files);
    put({ 'a.txt': 'ONE', 'resourcelist.xml': lists.resources(1, { 'a.txt': 'ONE' }) });
    expect(await copy(source, folder)).toMatchObject({ inSync: true, updated: 1, deleted: 1 });
    expect(readCopy(folder)).toEqual({ 'a.txt': 'ONE' });
  });

  // docs/mirror.md: "A Sitemap has no checksums, so every run asks the server about each file, and the report counts them as
  // *unverified*."
  test('a plain Sitemap is mirrored by what the server says of each file', async () => {
    const site = makeFolder();
    let asked: string[] = [];
    const url = await serve(site, (path, response, request) => {
      if (!/^\/[ab]\.txt$/.test(path)) return false;
      const text = readFileSync(join(site, path), 'utf8');
      const etag = `"${md5(text)}"`;
      const isSame = request.headers['if-none-match'] === etag;
      asked.push(`${isSame ? 304 : 200} ${path}`);
      response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? undefined : text);
      return true;
    });
    for (const name of ['a.txt', 'b.txt']) write(site, name, name);
    const plain = `${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${row(url, 'a.txt')}${row(url, 'b.txt')}</urlset>`;
    write(site, 'sitemap.xml', plain);
    const folder = makeFolder();
    expect(await copy(`${url}sitemap.xml`, folder)).toMatchObject({
      inSync: true,
      created: 2,
      unverified: 2,
    });
    asked = [];
    expect(await copy(`${url}sitemap.xml`, folder)).toMatchObject({ inSync: true, unchanged: 2, updated: 0 });
    expect(asked.sort()).toEqual(['304 /a.txt', '304 /b.txt']);
    write(site, 'b.txt', 'new');
    expect(await copy(`${url}sitemap.xml`, folder)).toMatchObject({ inSync: true, updated: 1, unchanged: 1 });
    expect(readCopy(folder)).toEqual({ 'a.txt': 'a.txt', 'b.txt': 'new' });
  });

  test('several Change Lists without an index, entries without datetime, an index under the name of a list', async () => {
    const { source, lists, put } = await startHandMade();
    const files = { 'a.txt': 'one', 'b.txt': 'two' };
    put({
      ...files,
      'part.xml': lists.resources(0, files),
      'resourcelist.xml': lists.resourceIndex(0, ['part.xml']),
      'one.xml': lists.changes(0, []),
      'capabilitylist.xml': lists.capabilities({
        'resourcelist.xml': 'resourcelist',
        'one.xml': 'changelist',
      }),
    });
    const folder = makeFolder();
    expect(await copy(source, folder)).toMatchObject({ inSync: true, created: 2 });
    const ended: Told[] = [
      { path: 'a.txt', text: 'gone by now', change: 'updated', at: 1 },
      { path: 'a.txt', text: 'three', change: 'updated', at: undefined },
    ];
    const open: Told[] = [
      { path: 'c.txt', text: 'new', change: 'created', at: 3 },
      { path: 'b.txt', change: 'deleted', at: 3 },
    ];
    put({
      'a.txt': 'three',
      'c.txt': 'new',
      'one.xml': lists.changes(0, ended, 2),
      'two.xml': lists.changes(2, open),
      'capabilitylist.xml': lists.capabilities({
        'resourcelist.xml': 'resourcelist',
        'one.xml': 'changelist',
        'two.xml': 'changelist',
      }),
    });
    expect(await copy(source, folder)).toMatchObject({
      ...{ inSync: true, created: 1, updated: 1, deleted: 1, at: '2026-01-04T00:00:00Z' },
      sets: [{ way: 'changes' }],
    });
    expect(readCopy(folder)).toEqual({ 'a.txt': 'three', 'c.txt': 'new' });
  });

  test('a duplicate stands in for a resource that cannot be had, by priority, and only on origins that are allowed', async () => {
    const { url: mirror, asked, put: putThere } = await startHandMade();
    putThere({ 'right.txt': 'one', 'wrong.txt': 'two' });
    const links = `<rs:ln rel="alternate" href="${mirror}wrong.txt"/><rs:ln rel="duplicate" pri="2" href="${mirror}right.txt"/><rs:ln rel="duplicate" pri="1" href="${mirror}wrong.txt"/>`;
    const { url, put } = await startHandMade();
    put({ 'resourcelist.xml': listOf([row(url, 'a.txt', `hash="${md5('one')}"`, links)]) });
    const folder = makeFolder();
    expect((await copy(`${url}resourcelist.xml`, folder)).failed).toMatchObject([{ reason: 'missing' }]);
    expect(asked).toEqual([]);
    const allow = [new URL(mirror).origin];
    expect(await copy(`${url}resourcelist.xml`, folder, { allow })).toMatchObject({
      inSync: true,
      created: 1,
    });
    expect(asked).toEqual(['/wrong.txt', '/right.txt']);
    expect(readCopy(folder)).toEqual({ 'a.txt': 'one' });
  });

  test('a version of a resource is never taken for it, unless it is the one that is listed', async () => {
    const { url, asked, put } = await startHandMade();
    const list = (entries: readonly string[]) => put({ 'resourcelist.xml': listOf(entries) });
    const memento = (path: string, hash = '') => `<rs:ln rel="memento" href="${url}${path}"${hash}/>`;
    const hash = (text: string) => ` hash="${md5(text)}"`;
    put({ 'now.txt': 'now', 'old.txt': 'old' });
    const canonical = `<rs:ln rel="canonical" href="${url}now.txt"/>`;
    list([
      row(url, 'no-digest.txt', hash('now').trim(), memento('now.txt')),
      row(url, 'other-digest.txt', hash('now').trim(), memento('now.txt', hash('old'))),
      row(url, 'unlisted-digest.txt', '', memento('now.txt', hash('now'))),
      row(url, 'canonical.txt', hash('now').trim(), canonical),
    ]);
    const folder = makeFolder();
    const { failed } = await copy(`${url}resourcelist.xml`, folder);
    expect(failed.map(({ reason }) => reason)).toEqual(['missing', 'missing', 'missing', 'missing']);
    expect(readCopy(folder)).toEqual({});
    expect(asked).not.toContain('/now.txt');
    // If the resource has changed again, the listed version is taken, and checked against its digest.
    put({ 'a.txt': 'newer', 'b.txt': 'newer' });
    list([
      row(url, 'a.txt', hash('old').trim(), memento('old.txt', hash('old'))),
      row(url, 'b.txt', hash('old').trim(), memento('now.txt', hash('old'))),
    ]);
    const report = await copy(`${url}resourcelist.xml`, folder);
    expect(report).toMatchObject({ created: 1, failed: [{ path: 'b.txt', reason: 'different' }] });
    expect(readCopy(folder)).toEqual({ 'a.txt': 'old' });
    // A resource that is as listed is not asked for elsewhere.
    asked.length = 0;
    list([row(url, 'now.txt', hash('now').trim(), memento('old.txt', hash('now')))]);
    expect(await copy(`${url}resourcelist.xml`, folder, { maxDelete: '100%' })).toMatchObject({
      inSync: true,
    });
    expect(asked).not.toContain('/old.txt');
  });
});

const FIRST = { 'index.html': '0', 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' };

describe('a Source that is not what it was', () => {
  test('a rollback is noticed, and undone in the copy', async () => {
    const source = await startSource();
    const [folder, old] = [makeFolder(), makeFolder()];
    await source.publish(0, FIRST);
    await source.publish(60, { 'a.txt': 'a2' });
    cpSync(source.site, old, { recursive: true });
    await source.publish(120, { 'b.txt': 'b2', 'd.txt': 'd' });
    await copy(source.url, folder);
    rmSync(source.site, { recursive: true });
    cpSync(old, source.site, { recursive: true });
    const report = await copy(source.url, folder);
    expect(report).toMatchObject({ inSync: true, updated: 1, deleted: 1 });
    expect(report.sets).toMatchObject([{ way: 'list', reason: 'replaced' }]);
    expect(readCopy(folder)).toEqual(source.listed());
  });

  // docs/copies.md: "A failure deletes nothing", docs/mirror.md: the row "is listed, but not there".
  test('what is listed and not there holds all up once, and is outstanding from then on', async () => {
    const source = await startSource();
    const folder = makeFolder();
    await source.publish(0, FIRST);
    await copy(source.url, folder);
    await source.publish(60, { 'a.txt': 'a2', 'c.txt': undefined, 'd.txt': 'd' });
    unlinkSync(join(source.site, 'a.txt'));
    const first = await copy(source.url, folder);
    expect(first).toMatchObject({ inSync: false, created: 1, deleted: 0, outstanding: [] });
    expect(first.failed).toMatchObject([{ path: 'a.txt', reason: 'missing' }]);
    const second = await copy(source.url, folder);
    expect(second).toMatchObject({ inSync: false, deleted: 1, failed: [], at: expect.stringMatching(/T/) });
    expect(second.outstanding).toMatchObject([{ path: 'a.txt' }]);
    expect(readCopy(folder)).toEqual({ 'index.html': '0', 'a.txt': 'a', 'b.txt': 'b', 'd.txt': 'd' });
    expect(await copy(source.url, folder)).toMatchObject({ inSync: false, outstanding: [{ path: 'a.txt' }] });
    write(source.site, 'a.txt', 'a2');
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, updated: 1 });
  });

  test('several sets: one file for a URL in two, gone when no set lists it', async () => {
    const source = await startSource({
      sets: [
        { name: 'texts', include: ['*.txt'] },
        { name: 'ab', include: ['a.txt', 'b.txt'] },
        { name: 'pages', include: ['*.html'] },
      ],
    });
    const folder = makeFolder();
    await source.publish(0, FIRST);
    expect(await copy(source.url, folder, { sets: ['texts'] })).toMatchObject({ inSync: true, created: 3 });
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 1, unchanged: 3 });
    await source.publish(60, { 'a.txt': undefined, 'b.txt': 'b2', 'index.html': '1' });
    expect(await copy(source.url, folder, { sets: ['texts'] })).toMatchObject({
      inSync: true,
      updated: 1,
      deleted: 0,
    });
    expect(Object.keys(readCopy(folder))).toContain('a.txt');
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, updated: 1, deleted: 1 });
    expect(readCopy(folder)).toEqual(source.listed());
    await expect(copy(source.url, folder, { sets: ['none'] })).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});
