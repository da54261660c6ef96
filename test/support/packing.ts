/** Sites that are described with dumps, and what became of their packages. */

import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { UserConfig } from '../../src/config/options.js';
import type { Report } from '../../src/describe/report.js';
import { makeUri } from '../../src/paths/urls.js';
import { describeAt } from './changes.js';
import { DUMPS_URL } from './dumps.js';
import { BEGIN } from './git.js';
import { callCli, configured, makeSite, type RunOptions, readTree, runCli } from './site.js';

export type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

/** Runs the command line so many seconds after the beginning of history. */
export function runAt(
  seconds: number,
  site: string,
  args: readonly string[],
  options: RunOptions = {},
  run: typeof callCli = runCli,
) {
  const env = { SOURCE_DATE_EPOCH: `${BEGIN + seconds}`, ...options.env };
  const url = args.includes('--config') || args.includes('--url') ? [] : ['--url', DUMPS_URL];
  return run([site, ...url, ...args], { ...options, env });
}

/** The same without a process of its own. */
export const callAt = (seconds: number, site: string, args: readonly string[]) =>
  runAt(seconds, site, args, {}, callCli);

/** Describes a site with its dumps, in this process, so many seconds after the beginning of history. */
export function describeDumps(
  seconds: number,
  site: string,
  config: Partial<UserConfig> = {},
): Promise<Report> {
  return describeAt(seconds, { url: DUMPS_URL, dumps: true, ...config, site });
}

/** A configuration file, as arguments of the command line. */
export const makeConfig = (config: object) => configured({ url: DUMPS_URL, ...config });

/** Writes files, or removes those that are undefined. */
export function change(site: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(site, path), { recursive: true });
    else makeSite({ [path]: content }, site);
  }
}

/** The state of a site: bytes by URL. */
export function stateOf(site: string, url = DUMPS_URL): Map<string, string> {
  const resources = Object.entries(readTree(site)).filter(
    ([path]) => !/(?:^|\/)(?:\.|resourcesync)/.test(path),
  );
  return new Map(resources.map(([path, content]) => [makeUri(url, path, 'directory'), content]));
}

/** Stamps that change when a file is written again. */
export function stampsOf(site: string, paths: readonly string[]) {
  return paths.map((path) => {
    const { ino, mtimeNs, ctimeNs, size } = statSync(join(site, path), { bigint: true });
    return { path, ino, mtimeNs, ctimeNs, size };
  });
}

export const pathsOf = (report: Report) => report.packages.map(({ path }) => path);

export const written = (report: Report) =>
  report.packages.filter(({ changed }) => changed).map(({ path }) => path);

/** The files of the dumps that stand in a site. */
export function dumpFiles(site: string): string[] {
  return Object.keys(readTree(site)).filter((path) => /^resourcesync\/.*dump/.test(path));
}

/** States of a site, one after another: what there is to be told from the baseline on. */
export const STEPS: readonly Files[] = [
  {
    'index.html': 'home',
    'a.txt': 'a, first',
    'b.txt': 'b',
    'empty.txt': '',
    'filled.txt': '',
    'big.bin': randomBytes(262_144),
    'old name.txt': 'the same under another name',
    'twice/a.txt': 'one',
    'twice/b.txt': 'two',
  },
  {
    'a.txt': 'a, second',
    'b.txt': undefined,
    'filled.txt': 'no longer empty',
    'big.bin': randomBytes(700_000),
    'twice/a.txt': 'the same bytes',
    'twice/b.txt': 'the same bytes',
    'gone.txt': 'created, and soon deleted',
    'edge.bin': randomBytes(262_144),
  },
  {
    'a.txt': 'a, third',
    'old name.txt': undefined,
    'new name.txt': 'the same under another name',
    'gone.txt': undefined,
    'empty.txt': 'was empty',
    'emptied.txt': '',
    'big.bin': randomBytes(262_145),
    'edge.bin': randomBytes(65_536),
    'CON.txt': 'a device on Windows',
    'CASE.txt': 'one',
    'case.txt': 'another',
  },
  { 'b.txt': 'b is back', 'emptied.txt': undefined, 'edge.bin': 'small', 'a.txt': 'a, second' },
];
