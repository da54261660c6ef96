import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SITE_URL } from './changes.js';
import { BEGIN, gitText } from './git.js';
import { makeSite, type RunOptions, runCli } from './site.js';

export const REF = 'refs/resync-static/dist';

export const POSIX = process.platform !== 'win32';

export type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

/** Writes files, or removes files and folders that are undefined, one after another. */
export function change(site: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(site, path), { recursive: true });
    else makeSite({ [path]: content }, site);
  }
}

/** Commits of a ref, oldest first. */
export function chainOf(repository: string, ref = REF): string[] {
  return gitText(repository, 'log', '--first-parent', '--reverse', '--format=%H', ref).split('\n');
}

/** Runs the command line so many seconds after the beginning, in the work tree around a site. */
export function runAt(
  seconds: number,
  repository: string,
  args: readonly string[],
  options: RunOptions = {},
) {
  return runCli(['dist', '--url', SITE_URL, ...args], {
    cwd: repository,
    env: { HOME: repository, SOURCE_DATE_EPOCH: `${BEGIN + seconds}` },
    ...options,
  });
}

export const done = { status: 0, signal: null, stderr: expect.not.stringContaining('Error') };
