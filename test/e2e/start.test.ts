/** What the command line loads before it does anything: little, so that it starts fast. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { SITE_URL } from '../support/command.js';
import { serve } from '../support/server.js';
import { CLI, makeFolder, makeSite, runCli } from '../support/site.js';

/** The files of ours, the packages and the modules of Node that a run loads, in all its threads. */
async function listLoaded(args: readonly string[]): Promise<string[]> {
  const coverage = makeFolder();
  const outcome = await runCli(args, { env: { NODE_V8_COVERAGE: coverage } });
  expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
  const urls = readdirSync(coverage).flatMap((file): string[] => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8'));
    return result.map(({ url }: { url: string }) => url);
  });
  return [...new Set(urls)].filter((url) => /^(?:file|node):/.test(url) && !url.startsWith('node:internal/'));
}

const filesOf = (loaded: readonly string[]) => loaded.filter((url) => url.startsWith('file:'));
const BUNDLE = `${pathToFileURL(dirname(CLI))}/`;

test('to tell its version, three files', async () => {
  const loaded = await listLoaded(['--version']);
  expect(filesOf(loaded).length).toBeLessThanOrEqual(3);
  expect(loaded).toContain(pathToFileURL(CLI).href);
  expect(loaded).not.toContain('node:crypto');
});

test('to describe a small site, a few files, no package, and no thread', async () => {
  const site = makeSite({ 'index.html': 'a', 'b/index.html': 'b' });
  const loaded = await listLoaded([site, '--url', SITE_URL, '--history', 'none']);
  expect(filesOf(loaded).length).toBeLessThanOrEqual(8);
  expect(filesOf(loaded).filter((url) => !url.startsWith(BUNDLE))).toEqual([]);
  expect(loaded).toContain('node:crypto');
  for (const module of ['child_process', 'http', 'https', 'worker_threads', 'zlib']) {
    expect(loaded).not.toContain(`node:${module}`);
  }
});

test('to look for a history where there is no repository, nothing that runs git', async () => {
  const loaded = await listLoaded([makeSite({ 'index.html': 'a' }), '--url', SITE_URL]);
  expect(filesOf(loaded).length).toBeLessThanOrEqual(8);
  expect(loaded).not.toContain('node:child_process');
});

test('to describe a larger one, what its threads need, too', async () => {
  const files = Array.from({ length: 1300 }, (_, index) => [`${index}.txt`, `${index}`] as const);
  const loaded = await listLoaded([
    makeSite(Object.fromEntries(files)),
    '--url',
    SITE_URL,
    '--history',
    'none',
  ]);
  expect(loaded).toContain('node:worker_threads');
  expect(filesOf(loaded).length).toBeLessThanOrEqual(9);
});

test('to mirror, no WebSockets unless a channel is followed', async () => {
  const url = await serve(
    makeSite({ 'sitemap.xml': '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>' }),
  );
  const loaded = await listLoaded(['mirror', `${url}sitemap.xml`, makeFolder()]);
  expect(loaded).toContain('node:http');
  expect(loaded.filter((file) => file.includes('/ws/'))).toEqual([]);
});
