/** Sites that have a Sitemap, and nothing of ResourceSync. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe } from '../../../src/index.js';
import { copy, readCopy, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { makeFolder } from '../../support/site.js';

const sitemap = (url: string, paths: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${url}${path}</loc></url>`).join('')}</urlset>`;

async function startPlain(files: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const site = makeFolder();
  const asked: string[] = [];
  const url = await serve(site, (path, response) => {
    asked.push(path);
    response.setHeaders(new Map(Object.entries(headers)));
    return false;
  });
  for (const path of files) write(site, path, `this is ${path}`);
  return { site, url, asked };
}

const PLAIN = { inSync: true, failed: [] };

// docs/mirror.md: "A site without ResourceSync can be copied by its Sitemaps".
test('are found by the Sitemaps that robots.txt names, all of them', async () => {
  const { site, url } = await startPlain(['a.txt', 'b.txt', 'c.txt']);
  write(site, 'one.xml', sitemap(url, ['a.txt', 'b.txt']));
  write(site, 'two.xml', sitemap(url, ['b.txt', 'c.txt']));
  write(site, 'sitemap.xml', sitemap(url, ['not-asked-for.txt']));
  write(site, 'robots.txt', `User-agent: *\nSitemap: ${url}one.xml\nsitemap: /two.xml\n`);
  const folder = makeFolder();
  expect(await copy(url, folder)).toMatchObject({ ...PLAIN, created: 3, unverified: 3 });
  expect(Object.keys(readCopy(folder))).toEqual(['a.txt', 'b.txt', 'c.txt']);
  // Named no more, and so listed no more. A byte order mark and a comment are no part of a line.
  write(site, 'robots.txt', `\ufeffSitemap: ${url}one.xml#two.xml\n`);
  expect(await copy(url, folder)).toMatchObject({ ...PLAIN, deleted: 1, unverified: 2 });
  // One that cannot be read: nobody knows what it lists.
  write(site, 'robots.txt', `Sitemap: ${url}gone.xml\n`);
  await expect(copy(url, folder)).rejects.toMatchObject({ code: 'source-unreadable' });
  expect(Object.keys(readCopy(folder))).toEqual(['a.txt', 'b.txt']);
});

test.each(['', 'docs/'])('are found by their sitemap.xml, below "%s"', async (path) => {
  const { site, url } = await startPlain(['a.txt', 'docs/b.txt']);
  write(site, 'sitemap.xml', sitemap(url, ['a.txt']));
  write(site, 'docs/sitemap.xml', sitemap(url, ['docs/b.txt']));
  const folder = makeFolder();
  expect(await copy(`${url}${path}`, folder)).toMatchObject({ ...PLAIN, created: 1, unverified: 1 });
  expect(Object.keys(readCopy(folder))).toEqual([path === '' ? 'a.txt' : 'b.txt']);
  // The server sends no validators, so the file is fetched again.
  const again = { created: 0, updated: 0, unverified: 1 };
  expect(await copy(`${url}${path}`, folder)).toMatchObject({ ...PLAIN, ...again });
});

test('are read by their lists as soon as they have some', async () => {
  const { site, url } = await startPlain(['a.txt', 'b.txt'], { etag: '"1"' });
  write(site, 'sitemap.xml', sitemap(url, ['a.txt']));
  const folder = makeFolder();
  expect(await copy(url, folder)).toMatchObject({ ...PLAIN, created: 1, unverified: 1 });
  await describe({ site, url, history: 'none' });
  expect(await copy(url, folder)).toMatchObject({ inSync: true, unverified: 0 });
  expect(readCopy(folder)).toMatchObject({ 'a.txt': 'this is a.txt', 'b.txt': 'this is b.txt' });
});

test('a Source that has lost its description is not taken for one of them', async () => {
  const { site, url } = await startPlain(['a.txt', 'b.txt']);
  write(site, 'sitemap.xml', sitemap(url, ['a.txt']));
  await describe({ site, url, history: 'none' });
  const folder = makeFolder();
  await copy(url, folder);
  const before = readCopy(folder);
  rmSync(join(site, '.well-known'), { recursive: true });
  await expect(copy(url, folder)).rejects.toThrow(/there is no Source Description/);
  expect(readCopy(folder)).toEqual(before);
});

test('a site with neither is an error that says what was looked for', async () => {
  const { url, asked } = await startPlain(['index.html']);
  await expect(copy(url, makeFolder())).rejects.toThrow(/nothing that leads to one, and no Sitemap/);
  expect(asked).toEqual(expect.arrayContaining(['/.well-known/resourcesync', '/robots.txt', '/sitemap.xml']));
});
