/** Joins the flags and the configuration file to one configuration. Flags win. */

import { resolveAudit } from '../../config/audit.js';
import type { Config, ResolvedAudit } from '../../config/config.js';
import type { IntegrationOptions } from '../../config/kept/place.js';
import type { AuditConfig, UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
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

/** @throws ResyncError `config-invalid`, which names options as the user wrote them */
export function resolveFlags({ site, values, mistakes, told }: Arguments, written: WrittenConfig): Config {
  const { url, urls, include, exclude, hash, history, source, record, dumps, robots, headers, channels } =
    values;
  const given = keepGiven({
    site,
    url,
    urls,
    include,
    exclude,
    history,
    source,
    record,
    dumps: mergeDumps(written.config.dumps, dumps === true),
    archives: switchOn(written.config.archives, values.archives),
    robots,
    htmlLinks: values['html-links'],
    pageLinks: values['page-links'],
    noindex: values.noindex,
    headers,
    versions: switchOn(written.config.versions, values.versions),
    withdraw: values.withdraw,
    channels,
    page: switchOn(written.config.page, values.page),
    feed: switchOn(written.config.feed, values.feed),
    hash: typeof hash === 'string' ? hash.split(',').map((name) => name.trim()) : undefined,
  });
  const labels = {
    ...labelFlags(given),
    ...(written.config.site === undefined && { site: '<site>' }),
    ...(written.config.url === undefined && { url: '--url' }),
  };
  // What flags hold is text that nobody has checked yet; `resolveConfig` does.
  return resolveConfig(
    { ...written.config, ...(given as Partial<UserConfig>) },
    {
      title: titleOf(written),
      labels,
      mistakes: [...mistakes, ...(written.kept?.findMistakes(given) ?? [])],
      told,
    },
  );
}

/** @throws ResyncError `config-invalid`, which names options as the user wrote them */
export function resolveAuditFlags(
  { site, values, mistakes, told }: Arguments,
  written: WrittenConfig,
): ResolvedAudit {
  const { url, urls, include, exclude, sample, since, against } = values;
  const source = site ?? written.config.site;
  const given = keepGiven({
    source,
    url,
    urls,
    include,
    exclude,
    sample,
    since,
    against,
    maxBytes: values['max-bytes'],
    maxTime: values['max-time'],
  });
  // What the configuration says is about the site, not about what others publish.
  const isElsewhere = source === undefined || /^https?:/i.test(source);
  const kept = isElsewhere ? {} : keepGiven(pickSite(written.config));
  return resolveAudit({ ...kept, ...given } as Partial<AuditConfig>, {
    title: titleOf(written),
    labels: { ...labelFlags(given), source: '<site | URL>' },
    mistakes,
    told: told.map((name) => (name === 'site' ? 'source' : name)),
  });
}

function pickSite({ url, urls, include, exclude }: Partial<UserConfig>): object {
  return { url, urls, include, exclude };
}

export function keepGiven(flags: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

/** How options are called on the command line: `--max-bytes` for `maxBytes`. */
export function labelFlags(given: object): Record<string, string> {
  const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return Object.fromEntries(Object.keys(given).map((name) => [name, flagOf(name)]));
}

export function titleOf({ file }: WrittenConfig): string {
  return `The command cannot run${file === undefined ? '' : ` with the configuration ${file}`}`;
}

/** A flag switches on what a file may say more of. */
function switchOn(written: unknown, flag: unknown): true | undefined {
  return flag === true && typeof written !== 'object' ? true : undefined;
}

/** The flag says that there are to be dumps; which, and how large packages are, a file may say. */
function mergeDumps(written: UserConfig['dumps'], isFlagGiven: boolean): UserConfig['dumps'] {
  if (!isFlagGiven) return undefined;
  if (typeof written !== 'object') return true;
  const isOff = written?.resources === false && written.changes === false;
  return isOff ? { ...written, resources: true, changes: true } : undefined;
}
