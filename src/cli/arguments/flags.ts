/** Joins the flags, the configuration file and what an integration left to one configuration. Flags win. */

import { relative } from 'node:path';
import { type ResolvedAudit, resolveAudit } from '../../audit/config.js';
import type { AuditConfig } from '../../audit/options.js';
import type { ConfigOrigin } from '../../base/options/mistakes.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { chooseKey, readEnvironment } from '../../config/file.js';
import type { UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
import {
  findBuiltSites,
  findContradictions,
  findSavedOptions,
  type IntegrationOptions,
} from '../../config/saved.js';
import { tellNote } from '../terminal.js';
import type { Arguments } from './arguments.js';
import { flagsOf } from './table.js';

/** What the configuration file holds; nothing has been checked yet. */
export interface WrittenConfig {
  /** Undefined where there is no such file. */
  readonly file: string | undefined;
  readonly config: Partial<UserConfig>;
}

/** What flags hold is text that nobody has checked yet. */
interface Given {
  readonly options: Record<string, unknown>;
  /** How these are called on the command line: `--max-bytes` for `maxBytes`. */
  readonly labels: Record<string, string>;
}

/**
 * Takes the options that the flags of a command set.
 *
 * @param written a switch turns on what this may say more of
 */
export function takeFlags({ command, values }: Arguments, written: object = {}): Given {
  const given = flagsOf(command).flatMap(({ name, key, value }) => {
    const found = values[name];
    if (key === undefined || found === undefined) return [];
    const known: unknown = Object.entries(written).find(([option]) => option === key)?.[1];
    return value === undefined && typeof known === 'object' ? [] : [{ key, name, found: read(value, found) }];
  });
  return {
    options: Object.fromEntries(given.map(({ key, found }) => [key, found])),
    labels: Object.fromEntries(given.map(({ key, name }) => [key, `--${name}`])),
  };
}

/** What is no number stays as it was written, for the mistake that is told. */
function read(value: string | undefined, found: unknown): unknown {
  if (typeof found !== 'string') return found;
  return value === '<n>' && /^\d+$/.test(found) ? Number(found) : found;
}

/** How mistakes are worded where no configuration file is read. */
export function wordOrigin(
  { mistakes, told }: Arguments,
  labels: Readonly<Record<string, string>>,
  file?: string,
): ConfigOrigin {
  const title = `The command cannot run${file === undefined ? '' : ` with the configuration ${file}`}`;
  // What is called a site here is a Source to most commands.
  return { title, labels, mistakes, told: told.map((name) => (name === 'site' ? 'source' : name)) };
}

/**
 * Names the site where nobody does: the one in the working directory that the last build with an integration described. A line says
 * which; where there are several, it is a mistake that names them.
 */
export function completeSite(given: Arguments, { config }: WrittenConfig): Arguments {
  if (given.site !== undefined || config.site !== undefined) return given;
  const here = process.cwd();
  const [site, ...others] = findBuiltSites(here).map((folder) => relative(here, folder) || '.');
  if (site === undefined) return given;
  if (others.length === 0) {
    tellNote(say`The site is ${site}, which the last build wrote.`);
    return { ...given, site };
  }
  const mistake = `No site is named. Builds have described ${[site, ...others].join(', ')}. Name one: resync-static ${given.command} ${site}`;
  return { ...given, mistakes: [...given.mistakes, mistake], told: [...given.told, 'site', 'url'] };
}

/** The configuration of a run, and what an integration left for its site. */
interface SettledRun {
  readonly config: Config;
  readonly kept: IntegrationOptions | undefined;
}

/**
 * Joins the flags, the configuration file, and what an integration left for the site: that is taken where there is no
 * configuration file, and held against the file where there is one.
 *
 * @throws ResyncError `config-invalid`, which names options as the user wrote them
 */
export function settleRun(given: Arguments, { file, config: written }: WrittenConfig): SettledRun {
  const folder = given.site ?? written.site;
  const kept = typeof folder === 'string' ? findSavedOptions(folder) : undefined;
  const config = file === undefined && kept !== undefined ? kept.options : written;
  const { options, labels } = takeFlags(given, config);
  if (file === undefined && kept?.functions.length === 0) {
    const names = Object.keys(kept.options).filter((name) => !(name in options));
    tellNote(
      say`The options are those of the last build with ${kept.integration}: ${names.join(', ')}. Flags win over them.`,
    );
  }
  const { dumps } = config;
  // The flag says that there are to be dumps; which, and how large packages are, a file may say.
  const isOff = typeof dumps === 'object' && dumps?.resources === false && dumps.changes === false;
  const flags = {
    ...options,
    ...(given.site !== undefined && { site: given.site }),
    ...(typeof given.values.sign === 'string' && { sign: chooseKey(given.values.sign, config.sign) }),
    ...(isOff && given.values.dumps === true && { dumps: { ...dumps, resources: true, changes: true } }),
  };
  const missing = {
    ...(config.site === undefined && { site: '<site>' }),
    ...(config.url === undefined && { url: '--url' }),
  };
  const contradictions = kept && findContradictions(kept, file === undefined ? undefined : written, flags);
  const here = readEnvironment(process.env, config);
  const user = { ...config, ...here.options, ...(flags as Partial<UserConfig>) };
  const origin = {
    ...wordOrigin(given, { ...here.labels, ...labels, ...missing }, file),
    mistakes: [...given.mistakes, ...(contradictions ?? [])],
    told: given.told,
  };
  return { config: resolveConfig(user, origin), kept };
}

/** @throws ResyncError `config-invalid`, which names options as the user wrote them */
export function resolveAuditFlags(given: Arguments, { file, config }: WrittenConfig): ResolvedAudit {
  const { options, labels } = takeFlags(given);
  const source = given.site ?? config.site;
  // What the configuration says is about the site, not about what others publish.
  const isElsewhere = source === undefined || /^https?:/i.test(source);
  const { url, urls, include, exclude } = isElsewhere ? {} : config;
  return resolveAudit(
    { source, url, urls, include, exclude, ...options } as Partial<AuditConfig>,
    wordOrigin(given, { servedAt: '--served-at', ...labels, source: '<site | URL>' }, file),
  );
}
