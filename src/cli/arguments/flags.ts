/** Joins the flags and the configuration file to one configuration. Flags win. */

import { type ResolvedAudit, resolveAudit } from '../../config/audit.js';
import type { Config } from '../../config/config.js';
import type { IntegrationOptions } from '../../config/kept/place.js';
import type { AuditConfig, UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
import type { ConfigOrigin } from '../../config/schema/mistakes.js';
import { flagsOf } from '../../config/table.js';
import type { Arguments } from './arguments.js';

/** What the configuration file holds; nothing has been checked yet. */
export interface WrittenConfig {
  /** Undefined where there is no such file. */
  readonly file: string | undefined;
  readonly config: Partial<UserConfig>;
  /** What an integration left for the site; without a configuration file, `config` holds it. */
  readonly kept?: {
    readonly options: IntegrationOptions;
    /** What this run cannot do as the integration did, a line each; flags are by option. */
    readonly findMistakes: (flags: object) => readonly string[];
  };
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
  if (value === '<names>') return found.split(',').map((name) => name.trim());
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

/** @throws ResyncError `config-invalid`, which names options as the user wrote them */
export function resolveFlags(given: Arguments, { file, config, kept }: WrittenConfig): Config {
  const { options, labels } = takeFlags(given, config);
  const { dumps } = config;
  // The flag says that there are to be dumps; which, and how large packages are, a file may say.
  const isOff = typeof dumps === 'object' && dumps?.resources === false && dumps.changes === false;
  const flags = {
    ...options,
    ...(given.site !== undefined && { site: given.site }),
    ...(isOff && given.values.dumps === true && { dumps: { ...dumps, resources: true, changes: true } }),
  };
  const origin = wordOrigin(
    given,
    {
      ...labels,
      ...(config.site === undefined && { site: '<site>' }),
      ...(config.url === undefined && { url: '--url' }),
    },
    file,
  );
  return resolveConfig(
    { ...config, ...(flags as Partial<UserConfig>) },
    {
      ...origin,
      mistakes: [...given.mistakes, ...(kept?.findMistakes(flags) ?? [])],
      told: given.told,
    },
  );
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
    wordOrigin(given, { ...labels, source: '<site | URL>' }, file),
  );
}
