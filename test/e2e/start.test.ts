/** What the command line loads before it does anything: little, so that it starts fast. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { SITE_URL } from '../support/command.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { listLoaded } from '../support/loaded.js';
import { pageOf } from '../support/people.js';
import { serve } from '../support/server.js';
import { CLI, makeFolder, makeSite } from '../support/site.js';
import { readEntries } from '../support/sitemap.js';

const DOORS = fileURLToPath(new URL('../../dist/', import.meta.url));
const loadDoor = (name: string) =>
  listLoaded(['-e', `import(${JSON.stringify(pathToFileURL(`${DOORS}${name}.js`).href)})`]);

const filesOf = (loaded: readonly string[]) => loaded.filter((url) => url.startsWith('file:'));
const BUNDLE = `${pathToFileURL(dirname(CLI))}/`;

test('to tell its version, three files', async () => {
  const loaded = await listLoaded([CLI, '--version']);
  expect(filesOf(loaded).length).toBeLessThanOrEqual(3);
  expect(loaded).toContain(pathToFileURL(CLI).href);
  expect(loaded).not.toContain('node:crypto');
});

test('to describe a small site, a few files, no package, and no thread', async () => {
  const site = makeSite({ 'index.html': 'a', 'b/index.html': 'b' });
  const loaded = await listLoaded([CLI, site, '--url', SITE_URL, '--history', 'none']);
  expect(filesOf(loaded).length).toBeLessThanOrEqual(8);
  expect(filesOf(loaded).filter((url) => !url.startsWith(BUNDLE))).toEqual([]);
  expect(loaded).toContain('node:crypto');
  for (const module of ['child_process', 'http', 'https', 'worker_threads', 'zlib']) {
    expect(loaded).not.toContain(`node:${module}`);
  }
});

test('to look for a history where there is no repository, nothing that runs git', async () => {
  const loaded = await listLoaded([CLI, makeSite({ 'index.html': 'a' }), '--url', SITE_URL]);
  expect(filesOf(loaded).length).toBeLessThanOrEqual(8);
  expect(loaded).not.toContain('node:child_process');
});

test('to describe a larger one, what its threads need, too', async () => {
  const files = Array.from({ length: 1300 }, (_, index) => [`${index}.txt`, `${index}`] as const);
  const loaded = await listLoaded([
    CLI,
    makeSite(Object.fromEntries(files)),
    '--url',
    SITE_URL,
    '--history',
    'none',
  ]);
  expect(loaded).toContain('node:worker_threads');
  expect(filesOf(loaded).length).toBeLessThanOrEqual(9);
});

test('to write a sitemap, nothing that reads XML or HTML, or fetches', async () => {
  const folder = makeRepository();
  commitFiles(folder, 0, { 'site/a.html': pageOf('A', 'One') });
  commitFiles(folder, 60, { 'site/a.html': pageOf('A', 'Two') });
  const loaded = await listLoaded([CLI, join(folder, 'site'), '--url', SITE_URL, '--sitemap']);
  expect(readEntries(folder)['/a.html']).toBeDefined();
  expect(filesOf(loaded).filter((url) => !url.startsWith(BUNDLE))).toEqual([]);
  expect(loaded).not.toContain('node:http');
});

test('to mirror, no WebSockets unless a channel is followed', async () => {
  const url = await serve(
    makeSite({ 'sitemap.xml': '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>' }),
  );
  const loaded = await listLoaded([CLI, 'mirror', `${url}sitemap.xml`, makeFolder()]);
  expect(loaded).toContain('node:http');
  expect(loaded.filter((file) => file.includes('/ws/'))).toEqual([]);
});

test.each([
  ['eleventy', 6],
  ['vite', 6],
  ['vitepress', 6],
  // All else comes with the build.
  ['astro', 3],
])('%s is loaded with %i files, and no package', async (name, most) => {
  const files = filesOf(await loadDoor(name));
  expect(files).toContain(pathToFileURL(`${DOORS}${name}.js`).href);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
});

test('the library is loaded without what few need', async () => {
  const files = filesOf(await loadDoor('index'));
  expect(files).toContain(pathToFileURL(`${DOORS}astro.js`).href);
  expect(files.filter((file) => /\/node_modules\/(?:ws|yauzl|chokidar|jiti|pako)\//.test(file))).toEqual([]);
});

test('the files of the package import each other in no circle, so each may be the first', () => {
  const folder = dirname(CLI);
  const left = new Map(
    readdirSync(folder, 'utf8').map((name) => {
      const code = readFileSync(`${folder}/${name}`, 'utf8');
      return [name, [...code.matchAll(/^(?:im|ex)port\b.*?"\.\/([^"]+\.js)";$/gm)].map(([, other]) => other)];
    }),
  );
  expect(left.get('main.js')).not.toEqual([]);
  const isLeft = (name: string | undefined) => name !== undefined && left.has(name);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [name, others] of left) if (!others.some(isLeft)) left.delete(name);
  }
  expect([...left.keys()]).toEqual([]);
});
