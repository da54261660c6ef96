/** Runs of the command line beside a small site. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readSource } from './documents.js';
import { callCli, makeSite, type RunOptions, type RunResult, readTree, runCli } from './site.js';

export const SITE_URL = 'https://example.org/';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const ESCAPE = '\u001b';

/** Runs in a folder with a site in `dist`, and other files; nothing may be written but documents. */
export async function runIn(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  options: RunOptions = {},
  run: typeof callCli = runCli,
): Promise<RunResult & { folder: string }> {
  const folder = makeSite({ 'dist/index.html': '<h1>Home</h1>', 'dist/a.txt': 'a', ...files });
  const result = await run(args, { ...options, cwd: join(folder, options.cwd ?? '.') });
  expect(result.stdout + result.stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  return { ...result, folder };
}

/** The same without a process of its own. */
export const callIn = (files: Readonly<Record<string, string>>, args: readonly string[], options = {}) =>
  runIn(files, args, options, callCli);

export const listedUris = (site: string) =>
  readSource(site, SITE_URL).sets.flatMap(({ resources }) => resources.map(({ uri }) => uri));

export function expectNothingWritten(folder: string): void {
  expect(Object.keys(readTree(join(folder, 'dist')))).toEqual(['a.txt', 'index.html']);
}
