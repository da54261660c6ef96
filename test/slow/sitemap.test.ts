/** Sitemaps of large sites. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { stride } from '../support/seed.js';
import { makeFolder, makeSite } from '../support/site.js';
import { readEntries } from '../support/sitemap.js';
import { startWatch } from '../support/watch.js';
import { QUIET } from '../support/watched.js';

test('is an index of parts past 50,000 pages, and one file again below', async () => {
  const folder = makeFolder();
  const names = Array.from({ length: 50_001 }, (_, number) => `site/p/${number}.html`);
  makeSite(Object.fromEntries(names.map((name) => [name, 'x'])), folder);
  const run = () =>
    describeSite({
      site: join(folder, 'site'),
      url: 'https://example.org/',
      sitemap: true,
      history: 'none',
    });
  const { documents } = await run();
  expect(
    documents.filter(({ kind }) => kind === 'sitemap').map(({ path, entries }) => [path, entries]),
  ).toEqual([
    ['sitemap-0001.xml', 50_000],
    ['sitemap-0002.xml', 1],
    ['sitemap.xml', 2],
  ]);
  expect(Object.keys(readEntries(folder))).toEqual(['/sitemap-0001.xml', '/sitemap-0002.xml']);
  rmSync(join(folder, 'site/p/7.html'));
  const { removed } = await run();
  expect(removed).toEqual(expect.arrayContaining(['sitemap-0001.xml', 'sitemap-0002.xml']));
  expect(Object.keys(readEntries(folder))).toHaveLength(50_000);
});

const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

test('a watch dates what a generator writes, and does not go round in circles', async () => {
  const folder = makeRepository();
  const sitemap = `${URLSET}<url><loc>https://example.org/</loc><lastmod>2026-01-01</lastmod></url></urlset>`;
  commitFiles(folder, 0, { 'site/index.html': 'one', 'site/sitemap.xml': sitemap });
  commitFiles(folder, 86_400, { 'site/index.html': 'two' });
  const watched = startWatch([join(folder, 'site'), '--url', 'https://example.org/', '--sitemap', '--json'], {
    env: { SOURCE_DATE_EPOCH: '1800000000' },
  });
  const isDated = () => readEntries(folder)['/'] === '2023-11-15';
  await watched.next();
  expect(isDated()).toBe(true);
  for (let turn = 0; turn < 3; turn++) {
    writeFileSync(join(folder, 'site/sitemap.xml'), sitemap);
    await watched.next();
    expect(isDated()).toBe(true);
  }
  // As long as nothing happens, nothing is done: what goes round would come round twice.
  const lines = watched.lines.length;
  await sleep(2 * QUIET);
  expect(watched.lines.length - lines).toBeLessThanOrEqual(1);
});

test('noise in thousands of pages moves no date, and hides no text', async () => {
  const folder = makeRepository();
  const pages = 6000 / stride(3);
  const build = (hash: string, text = 'x') =>
    Object.fromEntries(
      Array.from({ length: pages }, (_, number) => [
        `site/${number}.html`,
        pageOf(
          `Page ${number}`,
          `<span class="c-${hash}">${number === 7 ? text : 'x'}</span>`,
          `<link rel="stylesheet" href="/${hash}.css"><!-- built ${hash} --><script>var build = '${hash}'</script>`,
        ),
      ]),
    );
  commitFiles(folder, 0, build('a1'));
  commitFiles(folder, 86_400, { ...build('b2'), 'site/new.html': 'new' });
  commitFiles(folder, 2 * 86_400, build('c3', 'y'));
  const { notices } = await describeSite({
    site: join(folder, 'site'),
    url: 'https://example.org/',
    sitemap: true,
  });
  const dated = Object.entries(readEntries(folder)).filter(([, date]) => date !== undefined);
  expect(dated).toEqual([
    ['/7.html', '2023-11-16T22:13:20Z'],
    ['/new.html', '2023-11-15T22:13:20Z'],
  ]);
  expect(notices.map(({ code }) => code)).not.toContain('dates-not-moved');
});

test('a sitemap of 50 MB is dated', async () => {
  const folder = makeRepository();
  const rows = Array.from(
    { length: 50_000 },
    (_, number) =>
      `<url><loc>https://example.org/${number}.html</loc><lastmod>2026-01-01</lastmod><!-- ${'é'.repeat(440)} --></url>`,
  );
  const sitemap = `${URLSET}${rows.join('\n')}</urlset>\n`;
  expect(Buffer.byteLength(sitemap)).toBeGreaterThan(48_000_000);
  commitFiles(folder, 0, { 'site/index.html': 'x', 'site/sitemap.xml': sitemap });
  commitFiles(folder, 86_400, { 'site/49999.html': 'y' });
  await describeSite({ site: join(folder, 'site'), url: 'https://example.org/', sitemap: true });
  expect(readFileSync(join(folder, 'site/sitemap.xml'), 'utf8')).toBe(
    `${sitemap.replace('49999.html</loc><lastmod>2026-01-01', '49999.html</loc><lastmod>2023-11-15')}<!-- Dated by resync-static -->\n`,
  );
});
