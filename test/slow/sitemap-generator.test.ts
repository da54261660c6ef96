/** The sitemap of a generator: its dates are set, and every other byte stays. */

import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describe as describeSite } from '../../src/index.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { publishLive, startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { makeFolder, makeSite } from '../support/site.js';
import { readEntries } from '../support/sitemap.js';

const URL_OF_SITE = 'https://example.org/';
const DAY = 86_400;
const MARK = '<!-- Dated by resync-static -->';
const run = (folder: string, config: Partial<UserConfig> = {}) =>
  describeSite({ site: join(folder, 'site'), url: URL_OF_SITE, sitemap: true, ...config });

/** Since the baseline, one page has another text and one is new; the sitemap is there from the beginning. */
function makeProject(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = makeRepository();
  const sitemaps = Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text]));
  commitFiles(folder, 0, {
    'site/index.html': pageOf('Home', 'one'),
    'site/ü.html': pageOf('U', 'two'),
    'site/old.html': pageOf('Old', 'old'),
    ...sitemaps,
  });
  commitFiles(folder, DAY, { 'site/new.html': pageOf('New', 'new') });
  commitFiles(folder, 2 * DAY, { 'site/index.html': pageOf('Home', 'other') });
  return folder;
}

const read = (folder: string, path = 'sitemap.xml') => readFileSync(join(folder, 'site', path), 'utf8');
const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const codesOf = ({ notices }: Awaited<ReturnType<typeof run>>) => notices.map(({ code }) => code);

describe('is dated in place', () => {
  test.each([
    [
      'as astro writes it',
      `<?xml version="1.0" encoding="UTF-8"?>${URLSET.replace('>', ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">')}<url><loc>https://example.org/</loc><lastmod>2026-01-01T10:00:00.000Z</lastmod></url><url><loc>https://example.org/new.html</loc></url></urlset>`,
      [
        ['2026-01-01T10:00:00.000Z', '2023-11-16T22:13:20Z'],
        ['new.html</loc>', 'new.html</loc><lastmod>2023-11-15T22:13:20Z</lastmod>'],
      ],
    ],
    [
      'with days, line breaks of DOS, comments, CDATA, and images',
      `\ufeff<?xml version='1.0'?>\r\n${URLSET.replace('>', ' xmlns:image="urn:image">')}\r\n\t<!-- <url><loc>https://example.org/</loc></url> -->\r\n\t<url>\r\n\t\t<loc><![CDATA[https://example.org/ü.html]]></loc><image:image><image:lastmod>1</image:lastmod></image:image></url>\r\n\t<url>\r\n\t\t<loc> https://example.org/ </loc>\r\n\t\t<lastmod>2026-01-01</lastmod>\r\n\t\t<priority>1 &amp; é €</priority>\r\n\t</url>\r\n\t<url>\r\n\t\t<loc>https://example.org/new.html</loc>\r\n\t\t<lastmod/>\r\n\t</url>\r\n</urlset>\r\n`,
      [
        ['2026-01-01', '2023-11-16'],
        ['<lastmod/>', '<lastmod>2023-11-15</lastmod>'],
      ],
    ],
    [
      'with a prefix, and without a line break between entries',
      '<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>https://example.org/new.html</s:loc></s:url><s:url><s:loc>https://example.org/%C3%BC.html</s:loc><s:lastmod>2026-01-01</s:lastmod></s:url></s:urlset>\n',
      [
        ['new.html</s:loc>', 'new.html</s:loc><s:lastmod>2023-11-15</s:lastmod>'],
        ['<s:lastmod>2026-01-01</s:lastmod>', ''],
      ],
    ],
    [
      'where a date is older than all that is known',
      `${URLSET}\n  <url>\n    <loc>https://example.org/old.html</loc>\n    <lastmod>2020-01-01</lastmod>\n  </url>\n  <url>\n    <loc>https://example.org/&#xFC;.html</loc>\n    <lastmod>2023-11-14T22:00:00+00:00</lastmod>\n  </url>\n</urlset>`,
      [['\n    <lastmod>2023-11-14T22:00:00+00:00</lastmod>', '']],
    ],
  ])('%s', async (_, before, edits) => {
    const folder = makeProject({ 'sitemap.xml': before });
    const report = await run(folder);
    const dated = edits.reduce((text, [from = '', to = '']) => text.replace(from, to), before);
    expect(read(folder)).toBe(before.endsWith('\n') ? `${dated}${MARK}\n` : `${dated}${MARK}`);
    expect(codesOf(report)).not.toContain('sitemap-not-dated');
    for (const turn of [3, 4]) {
      const again = await run(folder);
      expect(again.at).toBe('2023-11-16T22:13:20Z');
      expect(again.documents.filter(({ changed }) => changed)).toEqual([]);
      commitFiles(folder, turn * DAY, {});
      writeFileSync(join(folder, 'site/sitemap.xml'), before);
      await run(folder);
      expect(read(folder)).toBe(before.endsWith('\n') ? `${dated}${MARK}\n` : `${dated}${MARK}`);
    }
  });

  test('an index, its parts, and what is compressed', async () => {
    const part = (...names: string[]) =>
      `${URLSET}${names.map((name) => `<url><loc>${URL_OF_SITE}${name}</loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`;
    const entry = (name: string) =>
      `<sitemap><loc>${URL_OF_SITE}${name}</loc><lastmod>2026-01-01</lastmod></sitemap>`;
    const files = {
      'maps/a-1.xml': part('', 'new.html'),
      'maps/a-2.xml.gz': gzipSync(part('new.html')),
      'maps/a-3.xml': part('old.html'),
      'index.xml': `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entry('maps/a-1.xml')}${entry('maps/a-2.xml.gz')}${entry('maps/a-3.xml')}<sitemap><loc>https://example.net/b.xml</loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>`,
      'robots.txt': `Sitemap: ${URL_OF_SITE}index.xml\n`,
    };
    const folder = makeProject(files);
    const report = await run(folder);
    expect(readEntries(folder, 'index.xml')).toEqual({
      '/maps/a-1.xml': '2023-11-16',
      '/maps/a-2.xml.gz': '2023-11-15',
      '/maps/a-3.xml': undefined,
      'https://example.net/b.xml': '2026-01-01',
    });
    const packed = readFileSync(join(folder, 'site/maps/a-2.xml.gz'));
    expect(gunzipSync(packed).toString()).toBe(part('new.html').replace('2026-01-01', '2023-11-15') + MARK);
    expect(packed.readUInt32LE(4)).toBe(0);
    expect(existsSync(join(folder, 'site/sitemap.xml'))).toBe(false);
    expect(report.at).toBe('2023-11-16T22:13:20Z');
    const again = await run(folder);
    expect(again.documents.filter(({ changed }) => changed)).toEqual([]);
    expect(readFileSync(join(folder, 'site/resourcesync/resourcelist.xml'), 'utf8')).not.toContain(
      `${URL_OF_SITE}maps`,
    );
    expect(await audit({ source: join(folder, 'site') })).toMatchObject({ errors: 0, warnings: 0 });
    // Parts that were there before are no deletions.
    rmSync(join(folder, 'site/maps/a-3.xml'));
    expect((await run(folder)).publication).toMatchObject({ pending: false });
  });

  test('once the generator has written all of it', async () => {
    const whole = `${URLSET}<url><loc>${URL_OF_SITE}new.html</loc></url></urlset>`;
    const folder = makeProject({ 'sitemap.xml': whole });
    writeFileSync(join(folder, 'site/sitemap.xml'), whole.slice(0, 70));
    // Nothing tells that the run has read it, so it is written after the run has looked.
    setTimeout(() => writeFileSync(join(folder, 'site/sitemap.xml'), whole), 300);
    await run(folder);
    expect(readEntries(folder)).toEqual({ '/new.html': '2023-11-15T22:13:20Z' });
  });
});

describe('stays as it is, and this is told', () => {
  const bomb = gzipSync(Buffer.alloc(70_000_000, 32));
  test.each([
    [
      'with entities',
      'sitemap.xml',
      `<!DOCTYPE urlset [<!ENTITY a "b">]>${URLSET}<url><loc>&a;</loc></url></urlset>`,
    ],
    ['that is not well-formed', 'sitemap.xml', `${URLSET}<url></urlset>`],
    ['in another encoding', 'sitemap.xml', Buffer.from(`${URLSET}<!-- ü --></urlset>`, 'latin1')],
    ['that unpacks to far too much', 'sitemap.xml.gz', bomb],
    ['in UTF-16 without a mark', 'sitemap.xml', Buffer.from(`${URLSET}</urlset>`, 'utf16le').swap16()],
    ['of white space', 'sitemap.xml', ' \n'],
  ])('one %s', async (_, path, content) => {
    const folder = makeProject({ [path]: content, 'robots.txt': `Sitemap: ${URL_OF_SITE}${path}` });
    expect(codesOf(await run(folder))).toContain('sitemap-not-dated');
    expect(readFileSync(join(folder, 'site', path)).equals(Buffer.from(content))).toBe(true);
  });

  test('one of a site without a history', async () => {
    const folder = makeFolder();
    const text = `${URLSET}<url><loc>${URL_OF_SITE}</loc><lastmod>2026-01-01</lastmod></url></urlset>`;
    makeSite({ 'site/index.html': 'x', 'site/sitemap.xml': text }, folder);
    expect(codesOf(await run(folder, { history: 'none' }))).toContain('sitemap-without-history');
    expect(read(folder)).toBe(text);
  });

  test('one behind a link, and what a link in robots.txt would lead out to', async () => {
    const text = `${URLSET}<url><loc>${URL_OF_SITE}new.html</loc></url></urlset>`;
    const folder = makeProject({
      'robots.txt': `Sitemap: ${URL_OF_SITE}..%2fsecret.xml\nSitemap: ${URL_OF_SITE}out/a.xml\n`,
    });
    makeSite({ 'secret.xml': text, 'out/a.xml': text }, folder);
    symlinkSync('../out', join(folder, 'site/out'));
    await run(folder);
    expect(readFileSync(join(folder, 'secret.xml'), 'utf8')).toBe(text);
    expect(readFileSync(join(folder, 'out/a.xml'), 'utf8')).toBe(text);
    expect(readEntries(folder)['/new.html']).toBe('2023-11-15T22:13:20Z');
  });
});

test('URLs that are no page for search engines are told', async () => {
  const folder = makeProject({
    'sitemap.xml': `${URLSET}<url><loc>${URL_OF_SITE}gone/</loc><lastmod>2026-01-01</lastmod></url><url><loc>${URL_OF_SITE}</loc></url></urlset>`,
  });
  const { notices } = await run(folder);
  expect(notices.find(({ code }) => code === 'sitemap-pages-unlisted')).toMatchObject({
    count: 1,
    example: `${URL_OF_SITE}gone/`,
  });
  expect(readEntries(folder)).toEqual({ '/gone/': '2026-01-01', '/': '2023-11-16' });
});

test('ours goes where a generator begins to write one', async () => {
  const folder = makeProject({});
  await run(folder);
  expect(read(folder)).toContain('Written by resync-static');
  writeFileSync(
    join(folder, 'site/sitemap-index.xml'),
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${URL_OF_SITE}sitemap-0.xml</loc></sitemap></sitemapindex>`,
  );
  writeFileSync(
    join(folder, 'site/sitemap-0.xml'),
    `${URLSET}<url><loc>${URL_OF_SITE}new.html</loc></url></urlset>`,
  );
  expect((await run(folder)).removed).toEqual(['sitemap.xml']);
  expect(readEntries(folder, 'sitemap-0.xml')).toEqual({ '/new.html': '2023-11-15T22:13:20Z' });
  expect(readEntries(folder, 'sitemap-index.xml')).toEqual({ '/sitemap-0.xml': '2023-11-15T22:13:20Z' });
});

test('it is no deletion to leave out what the live site lists, and what it told of that', async () => {
  const host = await startHost(makeFolder());
  const sitemap = (date: string) =>
    `${URLSET}<url><loc>${host.url}</loc><lastmod>${date}</lastmod></url></urlset>`;
  const publish = async (day: number, files: Record<string, string>, config: Partial<UserConfig> = {}) => {
    const { site } = await publishLive(host, day * DAY, files, { urls: 'file', ...config });
    return readFileSync(join(site, 'resourcesync/changelist.xml'), 'utf8');
  };
  await publish(0, { 'index.html': 'one', 'sitemap.xml': sitemap('2026-01-01') });
  const before = await publish(1, { 'index.html': 'two', 'sitemap.xml': sitemap('2026-01-02') });
  expect(before).toContain(`${host.url}sitemap.xml`);
  const after = await publish(
    2,
    { 'index.html': 'three', 'sitemap.xml': sitemap('2026-01-03') },
    { sitemap: true },
  );
  expect(after).not.toContain('sitemap.xml');
  expect(after.match(/change="\w+"/g)).toEqual(['change="updated"', 'change="updated"']);
  expect(await audit({ source: host.url })).toMatchObject({ errors: 0, warnings: 0 });
});
