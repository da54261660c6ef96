/** Common code of the adapters: joins the settings of a framework with the options of the user, and describes the site. */

import { ResyncError } from '../src/base/errors.js';
import { judgeNotices, type Notice, type ReportedNotice, selectNotices } from '../src/base/notices.js';
import type { Observer } from '../src/base/progress.js';
import { Words } from '../src/base/text/say.js';
import { fixNow } from '../src/base/time.js';
import { flagsOf } from '../src/cli/arguments/table.js';
import { formatSummary } from '../src/cli/words/describe.js';
import { formatNotice } from '../src/cli/words/notices.js';
import { formatWaiting } from '../src/cli/words/progress.js';
import type { Config } from '../src/config/config.js';
import { readEnvironment } from '../src/config/file.js';
import type { UserConfig } from '../src/config/options.js';
import { resolveConfig } from '../src/config/resolve.js';
import { type BuildOptions, makeBuildOptions, saveOptions } from '../src/config/saved.js';
import { describeSite } from '../src/describe/describe.js';
import type { UrlStyle } from '../src/paths/urls.js';

/** Options that the user gives to an adapter: those of a configuration file. They win over the settings of the framework. */
export type AdapterOptions = Partial<UserConfig>;

/** Settings for a run that an adapter takes from its framework. */
export interface FrameworkSite {
  /** Entry point of the adapter, such as `resync-static/eleventy`. */
  readonly integration: string;
  /** The folder that the build writes; absolute, or relative to the working directory. */
  readonly site: string;
  /** The site's URL, if the framework knows it. */
  readonly url?: string | undefined;
  /** The base path of the site on its host, such as `/docs/`; anything but a path is ignored. */
  readonly base: string;
  readonly urls: UrlStyle;
  /** Globs of pages without content, which the framework writes for hosts that need such a page. */
  readonly exclude?: readonly string[];
  /** The option that sets the URL, in words for messages. */
  readonly urlOption: string;
}

export interface AdapterLogger {
  info(message: string): void;
  warn(message: string): void;
}

export interface AdapterRun {
  readonly config: Config;
  /** Options of the integration, to be saved for other runs on the same site. */
  readonly given: BuildOptions;
}

/**
 * Makes the configuration of a run. Adapters also make one before the build, to report mistakes early.
 *
 * @throws ResyncError `config-invalid`
 */
export function makeConfig(
  { integration, site, url, base, urls, exclude = [], urlOption }: FrameworkSite,
  options: AdapterOptions,
): AdapterRun {
  // An option that is undefined, as in `url: process.env.URL`, counts as missing.
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const chosen = options.url ?? url;
  // An `exclude` that is no list stays as it is: `resolveConfig` below reports that.
  const { exclude: more = [] } = options;
  const excluded = exclude.length > 0 && Array.isArray(more) && { exclude: [...more, ...exclude] };
  const all = {
    site,
    urls,
    ...given,
    ...excluded,
    ...(chosen !== undefined && { url: addBase(chosen, base) }),
  };
  const here = readEnvironment(process.env);
  const labels = { ...here.labels, ...(options.url === undefined && { url: urlOption }) };
  try {
    const config = resolveConfig({ ...all, ...here.options }, { labels });
    return { config, given: makeBuildOptions(integration, all) };
  } catch (error) {
    throw withoutStack(error);
  }
}

/** Adds the base path to the URL of a host; a URL with a path is complete. */
function addBase(url: string, base: string): string {
  const bare = URL.canParse(url) && /^https?:\/\/[^/?#]*\/?$/i.test(url);
  return bare && /^\/(?!\/)/.test(base) ? new URL(base, url).href : url;
}

/**
 * Describes the built site, logs the report, and saves the options for other runs.
 *
 * @param noticed notices of the adapter
 * @throws ResyncError, for the framework to report
 */
export async function describeBuild(
  run: AdapterRun,
  logger: AdapterLogger,
  noticed: readonly Notice[] = [],
): Promise<void> {
  try {
    await describeHere(run, logger, noticed);
  } catch (error) {
    throw withoutStack(error);
  }
}

/** Copies an error of ours without stack and cause, which frameworks would print, and with options in place of flags. */
function withoutStack(error: unknown): unknown {
  if (!(error instanceof ResyncError)) return error;
  const plain = new ResyncError(error.code, Words.asWritten(nameOptions(error.message)));
  plain.stack = `${plain.name}: ${plain.message}`;
  return plain;
}

const OPTIONS: ReadonlyMap<string, string | undefined> = new Map(
  flagsOf('describe').map(({ name, key }) => [name, key]),
);

const PLAIN_VALUE = '(none|published|snapshots(?::<name>)?|skip|directory|clean|bare|file)(?![\\w-])';
const FLAG = new RegExp(`(?<![\\w-])--([a-z-]+)(?: (?:'([^']*)'|${PLAIN_VALUE}))?`, 'g');

/** Replaces flags of the command line in a text by options: `--history none` is `history: 'none'` in a plugin. */
export function nameOptions(text: string): string {
  return text
    .replace(/ \(in a configuration: [^()]*\)/g, '')
    .replace(FLAG, (flag, name: string, glob?: string, value?: string) => {
      const key = OPTIONS.get(name);
      if (key === undefined) return flag;
      if (glob !== undefined) return `${key}: ['${glob}']`;
      return value === undefined ? key : `${key}: '${value}'`;
    });
}

async function describeHere(
  { config, given }: AdapterRun,
  logger: AdapterLogger,
  noticed: readonly Notice[],
): Promise<void> {
  const now = fixNow(process.env);
  const local = config.history.kind === 'published' && !isHosted(process.env);
  // Most builds do not read the live site, and need not load the module that does.
  const live = local ? await import('../src/history/live/live.js') : undefined;
  const read = await live?.readReachable(config);
  // If the live site cannot be read, lists of an earlier build stay in the folder: a deploy without lists would end the history.
  if (read !== undefined && 'code' in read) return reportNotices([...noticed, read], config, logger);
  const observe: Observer = ({ waiting }) => {
    if (waiting !== undefined) logger.warn(formatWaiting(waiting).toString());
  };
  const report = await describeSite(config, now, observe, { memory: { history: read } });
  saveOptions(report.site, given);
  for (const line of formatSummary(report)) logger.info(line.toString());
  logNotices(selectNotices(report, false), logger);
  reportNotices(noticed, config, logger);
}

/** Environment variables that hosts and services set in builds for a deploy. */
const HOSTED = ['CI', 'NETLIFY', 'VERCEL', 'CF_PAGES'];

function isHosted(env: Readonly<Record<string, string | undefined>>): boolean {
  return HOSTED.some((name) => !['', '0', 'false', undefined].includes(env[name]));
}

/** Logs notices of an adapter, except those that the user has switched off. */
export function reportNotices(noticed: readonly Notice[], { notices }: Config, logger: AdapterLogger): void {
  logNotices(judgeNotices(noticed, notices), logger);
}

function logNotices(notices: readonly ReportedNotice[], logger: AdapterLogger): void {
  for (const notice of notices) {
    logger[notice.severity === 'warning' ? 'warn' : 'info'](nameOptions(formatNotice(notice).toString()));
  }
}

/** Adds a prefix to the messages of a logger that has none. */
export function labelled(logger: AdapterLogger): AdapterLogger {
  return {
    info: (message) => logger.info(`[resync-static] ${message}`),
    warn: (message) => logger.warn(`[resync-static] ${message}`),
  };
}
