/** Sites that are described with dumps, and what became of their packages. */

import type { UserConfig } from '../../src/config/options.js';
import type { Report } from '../../src/describe/report.js';
import { describeAt } from './changes.js';
import { DUMPS_URL } from './dumps.js';
import { BEGIN } from './git.js';
import { callCli, configured, readTree } from './site.js';

/** Calls the command line so many seconds after the beginning of history. */
export function callAt(seconds: number, site: string, args: readonly string[]) {
  const url = args.includes('--config') || args.includes('--url') ? [] : ['--url', DUMPS_URL];
  return callCli([site, ...url, ...args], { env: { SOURCE_DATE_EPOCH: `${BEGIN + seconds}` } });
}

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

export const pathsOf = (report: Report) => report.packages.map(({ path }) => path);

export const written = (report: Report) =>
  report.packages.filter(({ changed }) => changed).map(({ path }) => path);

/** The files of the dumps that stand in a site. */
export function dumpFiles(site: string): string[] {
  return Object.keys(readTree(site)).filter((path) => /^resourcesync\/.*dump/.test(path));
}
