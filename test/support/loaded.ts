/** What a program loads: Node says it of each process when it ends. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeFolder, runProgram } from './site.js';

/** The files of ours, the packages and the modules of Node that a run of Node loads, in all its threads. */
export async function listLoaded(args: readonly string[], cwd = makeFolder()): Promise<string[]> {
  const coverage = makeFolder();
  // What users have in their configuration folder is neither read nor written.
  const env = { NODE_V8_COVERAGE: coverage, XDG_CONFIG_HOME: makeFolder() };
  const outcome = await runProgram(process.execPath, args, { cwd, env });
  expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
  const urls = readdirSync(coverage).flatMap((file): string[] => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8'));
    return result.map(({ url }: { url: string }) => url);
  });
  return [...new Set(urls)].filter((url) => /^(?:file|node):/.test(url) && !url.startsWith('node:internal/'));
}
