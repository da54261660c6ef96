/** Sites so large that one document may not hold them (§7: 50,000 entries, 50 MB). */

import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkOf, readSource } from '../support/documents.js';
import { makeFolder, makeSite, runCli } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

const SITE_URL = 'https://example.org/';
const RESOURCE_LIST = `${SITE_URL}resourcesync/resourcelist.xml`;
const CAPABILITY_LIST = `${SITE_URL}resourcesync/capabilitylist.xml`;

/** Names for many files, and their URLs in order. Five hundred share an inode: some file systems are slow with new ones. */
function makeFiles(site: string, count: number, extension = 'txt'): string[] {
  const paths = Array.from({ length: count }, (_, index) => {
    const folder = `f${Math.floor(index / 5000)}`;
    if (index % 5000 === 0) mkdirSync(join(site, folder));
    const first = `${folder}/${index - (index % 500)}.${extension}`;
    const path = `${folder}/${index}.${extension}`;
    if (path === first) writeFileSync(join(site, path), `${index}`);
    else linkSync(join(site, first), join(site, path));
    return path;
  });
  return paths.map((path) => SITE_URL + path).sort();
}

const partUri = (index: number) =>
  RESOURCE_LIST.replace('.xml', `-${String(index + 1).padStart(4, '0')}.xml`);
const fileOf = (site: string, uri: string) => join(site, uri.slice(SITE_URL.length));

async function describeSite(site: string, ...args: string[]) {
  const env = { SOURCE_DATE_EPOCH: '1700000000' };
  const { status, stdout, stderr } = await runCli([site, '--json', ...args], { env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('Error') });
  const [set, ...others] = readSource(site, SITE_URL).sets;
  if (set === undefined || others.length > 0) throw new Error('one set was to be expected');
  return { report: JSON.parse(stdout), ...set };
}

test('one page more than the limit makes two parts of a list and of a sitemap, one less one of each again', async () => {
  const site = makeFolder();
  makeFiles(site, 50_001, 'html');
  const args = ['--url', SITE_URL, '--sitemap', '--history', 'none'];
  const split = await describeSite(site, ...args);
  expect(split.parts).toHaveLength(2);
  const sitemaps = ['sitemap-0001.xml', 'sitemap-0002.xml'];
  const namedIn = () => Object.keys(readDates(readFileSync(join(site, 'sitemap.xml'), 'utf8'), SITE_URL));
  expect(namedIn()).toEqual(sitemaps.map((name) => `/${name}`));
  const whole = await describeSite(site, ...args, '--exclude', 'f0/0.html');
  expect(namedIn()).toHaveLength(50_000);
  expect(whole.parts).toEqual([]);
  expect(whole.resourceList.name).toBe('urlset');
  expect(linkOf(whole.resourceList, 'up')).toBe(CAPABILITY_LIST);
  expect(linkOf(whole.resourceList, 'index')).toBeUndefined();
  expect(whole.resources).toHaveLength(50_000);
  const lists = [0, 1].map((index) => partUri(index).slice(SITE_URL.length));
  expect(whole.report.removed.sort()).toEqual([...lists, ...sitemaps]);
});

const LIMIT = 50_000_000;

// docs/reference.md: "past 50,000 URLs or 50 MB, an index"
test('a list past 50 MB is split before it, into parts that add up to it', async () => {
  const site = makeFolder();
  const uris = makeFiles(site, 3500);
  // Twenty kilobytes of links a file, no two alike in length, so that the limit falls somewhere within an entry.
  const config = join(
    makeSite({
      'large.config.mjs': `
          export default {
            url: ${JSON.stringify(SITE_URL)},
            links: ({ path, length }) => Array.from({ length: 10 }, (_, index) => ({
              rel: 'related',
              href: '/' + index + '?' + '&'.repeat(200) + path + 'x'.repeat(900 + Number(path.slice(-6, -4)) * 2),
            })),
          };`,
    }),
    'large.config.mjs',
  );

  const { report, parts, resources } = await describeSite(site, '--config', config);

  expect(parts.length).toBeGreaterThan(1);
  expect(resources.map(({ uri }) => uri)).toEqual(uris);
  const texts = parts.map((_, index) => readFileSync(fileOf(site, partUri(index)), 'utf8'));
  const sizes = texts.map((text) => Buffer.byteLength(text));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMIT);
  expect(report.documents.slice(0, parts.length).map(({ bytes }: { bytes: number }) => bytes)).toEqual(sizes);
  // No part but the last has room for a hundredth more.
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(0.99 * LIMIT);
  const rows = texts.flatMap((text) => text.match(/<url>.*?<\/url>/gs) ?? []);
  expect(rows).toHaveLength(uris.length);
  expect(rows.every((row, index) => row.includes(`<loc>${uris[index]}</loc>`))).toBe(true);
});
