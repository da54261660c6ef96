/** Resolves options from flags, the configuration file and the saved options of a build. Flags win. */

import { relative } from 'node:path';
import { resolveAudit } from '../../audit/config.js';
import type { AuditConfig, ResolvedAudit } from '../../audit/options.js';
import { type ConfigOrigin, makeConfigError } from '../../base/options/mistakes.js';
import { say } from '../../base/text/say.js';
import { isMeantAsUrl } from '../../base/url.js';
import type { Config } from '../../config/config.js';
import { readEnvironment } from '../../config/file.js';
import type { UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
import {
  type BuildOptions,
  COMMAND_LINE,
  findBuiltSites,
  findContradictions,
  findSavedOptions,
  makeBuildOptions,
} from '../../config/saved.js';
import { printNote } from '../terminal.js';
import { type Arguments, CANNOT_RUN } from './arguments.js';
import { flagsOf } from './table.js';

/** A configuration file: its path, and its content, unchecked. */
export interface WrittenConfig {
  readonly file: string | undefined;
  readonly config: Partial<UserConfig>;
}

interface FlagOptions {
  readonly options: Record<string, unknown>;
  /** Names of the given flags, by option: `--max-bytes` for `maxBytes`. */
  readonly labels: Record<string, string>;
}

/** Reads the options that flags set. @param written options of the configuration file; a switch such as `--page` does not replace an object there */
export function takeFlags({ command, values }: Arguments, written: object = {}): FlagOptions {
  const given = flagsOf(command).flatMap(({ name, key, value }) => {
    const found = values[name];
    if (key === undefined || found === undefined) return [];
    const configured: unknown = Object.entries(written).find(([option]) => option === key)?.[1];
    return value === undefined && typeof configured === 'object'
      ? []
      : [{ key, name, found: read(value, found) }];
  });
  return {
    options: Object.fromEntries(given.map(({ key, found }) => [key, found])),
    labels: Object.fromEntries(given.map(({ key, name }) => [key, `--${name}`])),
  };
}

/** Parses the value of a flag `<n>` as a number. Other values stay text, also wrong ones, which messages quote. */
function read(value: string | undefined, found: unknown): unknown {
  if (typeof found !== 'string') return found;
  return value === '<n>' && /^\d+$/.test(found) ? Number(found) : found;
}

/** Says how messages name the options and the configuration file. @param labels names as the user wrote them, such as flags, by option */
export function wordOrigin(
  { mistakes, reported }: Arguments,
  labels: Readonly<Record<string, string>>,
  file?: string,
): ConfigOrigin {
  const title = file === undefined ? CANNOT_RUN : `${CANNOT_RUN} with the configuration ${file}`;
  return { title, labels, mistakes, reported };
}

/** Completes a missing site by the one that a build described in the working directory, with a note. @throws ResyncError `config-invalid` for several such sites */
export function completeSite(given: Arguments, { config }: WrittenConfig): Arguments {
  if (given.site !== undefined || config.site !== undefined) return given;
  const here = process.cwd();
  const [site, ...others] = findBuiltSites(here).map((folder) => relative(here, folder) || '.');
  if (site === undefined) return given;
  if (others.length === 0) {
    printNote(say`The site is ${site}, which the last build wrote.`);
    return { ...given, site };
  }
  const mistake = `No site is named. Builds have described ${[site, ...others].join(', ')}. Name one: resync-static ${given.command} ${site}`;
  throw makeConfigError([...given.mistakes, mistake], CANNOT_RUN);
}

/** Configuration of a run, with the options to save for later runs on the site; undefined if a configuration file has them. */
interface SettledRun {
  readonly config: Config;
  readonly saved: BuildOptions | undefined;
}

/**
 * Joins the flags with the configuration file or, if there is none, with the options that a build saved for the site.
 * Saved options must not contradict a configuration file.
 *
 * @throws ResyncError `config-invalid`, which names options as the user wrote them
 */
export function settleRun(given: Arguments, { file, config: written }: WrittenConfig): SettledRun {
  const folder = given.site ?? written.site;
  // Options that a command saved, and not an integration, are for `record` only: other commands are given all their options.
  const ofCommand = given.command === 'record' && file === undefined;
  const saved = typeof folder === 'string' ? findSavedOptions(folder, ofCommand) : undefined;
  const config = file === undefined && saved !== undefined ? saved.options : written;
  const { options, labels } = takeFlags(given, config);
  if (given.values.verbose === true && file === undefined && saved?.functions.length === 0) {
    const names = Object.keys(saved.options).filter((name) => !(name in options));
    printNote(
      say`The options are those of the last build with ${saved.integration}: ${names.join(', ')}. Flags win over them.`,
    );
  }
  const { dumps } = config;
  // `--dumps` switches dumps on; the configuration file may choose which dumps, and the size of packages.
  const isOff = typeof dumps === 'object' && dumps?.resources === false && dumps.changes === false;
  const flags = {
    ...options,
    ...(given.site !== undefined && { site: given.site }),
    ...(isOff && given.values.dumps === true && { dumps: { ...dumps, resources: true, changes: true } }),
  };
  const missing = {
    ...(config.site === undefined && { site: '<site>' }),
    ...(config.url === undefined && { url: '--url' }),
  };
  const contradictions =
    saved === undefined ? [] : findContradictions(saved, file === undefined ? undefined : written, flags);
  const here = readEnvironment(process.env);
  // `RESYNC_HISTORY` wins over the flag, too: it is for one build of a host whose command stays.
  const { history } = here.options;
  const once = history === undefined ? {} : { history };
  const onceLabel = history === undefined ? {} : { history: 'RESYNC_HISTORY' };
  const user = { ...config, ...here.options, ...(flags as Partial<UserConfig>), ...once };
  const origin = wordOrigin(given, { ...here.labels, ...labels, ...missing, ...onceLabel }, file);
  return {
    config: resolveConfig(user, { ...origin, mistakes: [...given.mistakes, ...contradictions] }),
    saved: saved ?? (file === undefined ? makeBuildOptions(COMMAND_LINE, flags) : undefined),
  };
}

/** Resolves the flags of `audit`. @throws ResyncError `config-invalid`, which names options as the user wrote them */
export function resolveAuditFlags(given: Arguments, { file, config }: WrittenConfig): ResolvedAudit {
  const { options, labels } = takeFlags(given);
  const source = given.site ?? config.site;
  // A configuration file is about its own site, and not about a Source on the web.
  const isElsewhere = source === undefined || isMeantAsUrl(source);
  const { url, urls, include, exclude } = isElsewhere ? {} : config;
  return resolveAudit(
    { source, url, urls, include, exclude, ...options } as Partial<AuditConfig>,
    wordOrigin(given, { servedAt: '--served-at', ...labels, source: '<site | URL>' }, file),
  );
}
