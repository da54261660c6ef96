/** Sites so large that one document may not hold them (§7: 50,000 entries, 50 MB). */

import { linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { child, linkOf, readSource } from '../support/documents.js';
import { configured, makeFolder, makeSite, runCli } from '../support/site.js';

const SITE_URL = 'https://example.org/';
const RESOURCE_LIST = `${SITE_URL}resourcesync/resourcelist.xml`;
const CAPABILITY_LIST = `${SITE_URL}resourcesync/capabilitylist.xml`;

/** Names for many files, and their URLs in order. Five hundred share an inode: some file systems are slow with new ones. */
function makeFiles(site: string, count: number): string[] {
  const paths = Array.from({ length: count }, (_, index) => {
    const folder = `f${Math.floor(index / 5000)}`;
    if (index % 5000 === 0) mkdirSync(join(site, folder));
    const first = `${folder}/${index - (index % 500)}.txt`;
    const path = `${folder}/${index}.txt`;
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
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [set, ...others] = readSource(site, SITE_URL).sets;
  if (set === undefined || others.length > 0) throw new Error('one set was to be expected');
  return { report: JSON.parse(stdout), ...set };
}

describe('entries', () => {
  test('120,001 files make three parts and an index', async () => {
    const site = makeFolder();
    const [files, sizes] = [120_001, [50_000, 50_000, 20_001]];
    const uris = makeFiles(site, files);

    const described = await describeSite(site, '--url', SITE_URL);

    const { resourceList, resources } = described;
    expect(resources.map(({ uri }) => uri)).toEqual(uris);
    expect(described.report).toMatchObject({ resources: files });
    expect(child(resourceList, 'rs:md').attributes).toEqual({
      capability: 'resourcelist',
      at: '2023-11-14T22:13:20Z',
    });
    expect(linkOf(resourceList, 'up')).toBe(CAPABILITY_LIST);
    expect(described.parts.map((part) => part.children.filter(({ name }) => name === 'url').length)).toEqual(
      sizes,
    );
    const entries = resourceList.children.filter(({ name }) => name === 'sitemap');
    expect(entries.map((entry) => child(entry, 'loc').text)).toEqual(sizes.map((_, index) => partUri(index)));
    for (const part of described.parts) {
      expect(child(part, 'rs:md').attributes).toEqual(child(resourceList, 'rs:md').attributes);
      expect(linkOf(part, 'up')).toBe(CAPABILITY_LIST);
      expect(linkOf(part, 'index')).toBe(RESOURCE_LIST);
    }
  });

  test('one file more than the limit makes two parts, one less one list again', async () => {
    const site = makeFolder();
    makeFiles(site, 50_001);
    const split = await describeSite(site, '--url', SITE_URL);
    expect(split.parts).toHaveLength(2);
    const whole = await describeSite(site, '--url', SITE_URL, '--exclude', 'f0/0.txt');
    expect(whole.parts).toEqual([]);
    expect(whole.resourceList.name).toBe('urlset');
    expect(linkOf(whole.resourceList, 'up')).toBe(CAPABILITY_LIST);
    expect(linkOf(whole.resourceList, 'index')).toBeUndefined();
    expect(whole.resources).toHaveLength(50_000);
    expect(whole.report.removed).toEqual([0, 1].map((index) => partUri(index).slice(SITE_URL.length)));
  });
});

describe('bytes', () => {
  const LIMIT = 50_000_000;

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
    expect(report.documents.slice(0, parts.length).map(({ bytes }: { bytes: number }) => bytes)).toEqual(
      sizes,
    );
    // No part but the last has room for a hundredth more.
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(0.99 * LIMIT);
    const rows = texts.flatMap((text) => text.match(/<url>.*?<\/url>/gs) ?? []);
    expect(rows).toHaveLength(uris.length);
    expect(rows.every((row, index) => row.includes(`<loc>${uris[index]}</loc>`))).toBe(true);
  });

  test('the size of files does not count: one of 200 MB is one entry', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const file = join(site, 'large.bin');
    writeFileSync(file, Buffer.alloc(200_000_000, 'resync'));
    const { resources } = await describeSite(site, '--url', SITE_URL, ...configured({ hash: ['md5'] }));
    expect(resources.map(({ md }) => md['length'])).toEqual(['4', String(statSync(file).size)]);
  });
});
