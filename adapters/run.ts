/** What the adapters share: a framework's settings and a user's options become one described site. */

import { ResyncError } from '../src/base/errors.js';
import { judgeNotices, type Notice, type ReportedNotice } from '../src/base/notices.js';
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
import { type IntegrationOptions, makeIntegrationOptions, saveOptions } from '../src/config/saved.js';
import { describeSite } from '../src/describe/describe.js';
import { readReachable } from '../src/history/live/kept.js';
import type { UrlStyle } from '../src/paths/urls.js';

/** All that a configuration file may hold; what is given wins over what the framework says. */
export type AdapterOptions = Partial<UserConfig>;

/** What a framework's own configuration says of the site. */
export interface FrameworkSite {
  /** The entry point that is used, `resync-static/eleventy`. */
  readonly integration: string;
  /** The folder that the build writes; absolute, or relative to the working directory. */
  readonly site: string;
  /** The site's URL, if the framework knows it. */
  readonly url?: string | undefined;
  /** The path below which the host serves the site, `/` or `/docs/`; anything but a path says nothing. */
  readonly base: string;
  readonly urls: UrlStyle;
  /** What sets the URL, as the user writes it. */
  readonly urlOption: string;
}

/** The part of a framework's logger that is used. */
export interface AdapterLogger {
  info(message: string): void;
  warn(message: string): void;
}

/** A run that a framework asks for. */
export interface AdapterRun {
  readonly config: Config;
  /** The options as they were given, for other runs on the same site. */
  readonly given: IntegrationOptions;
}

/**
 * Makes the configuration of a run. Adapters call it before the build too, so that a mistake costs no build.
 *
 * @throws ResyncError `config-invalid`
 */
export function makeConfig(
  { integration, site, url, base, urls, urlOption }: FrameworkSite,
  options: AdapterOptions,
): AdapterRun {
  // A variable that is not set, as in `url: process.env.URL`, is no choice.
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const chosen = options.url ?? url;
  const all = { site, urls, ...given, ...(chosen !== undefined && { url: addBase(chosen, base) }) };
  const here = readEnvironment(process.env, options);
  const labels = { ...here.labels, ...(options.url === undefined && { url: urlOption }) };
  try {
    const config = resolveConfig({ ...all, ...here.options }, { labels });
    return { config, given: makeIntegrationOptions(integration, all) };
  } catch (error) {
    throw bare(error);
  }
}

/** The URL of a host becomes that of the site; a URL that has a path says already where the site is. */
function addBase(url: string, base: string): string {
  const bare = URL.canParse(url) && /^https?:\/\/[^/?#]*\/?$/i.test(url);
  return bare && /^\/(?!\/)/.test(base) ? new URL(base, url).href : url;
}

/**
 * Describes the built site, tells about it, and leaves the options for other runs.
 *
 * @param noticed what the adapter has noticed by itself
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
    throw bare(error);
  }
}

/** Frameworks print the stack of what is thrown, and of its cause: what a user can mend is told in words alone. */
function bare(error: unknown): unknown {
  if (!(error instanceof ResyncError)) return error;
  const told = new ResyncError(error.code, Words.asWritten(nameOptions(error.message)));
  told.stack = `${told.name}: ${told.message}`;
  return told;
}

const OPTIONS: ReadonlyMap<string, string | undefined> = new Map(
  flagsOf('describe').map(({ name, key }) => [name, key]),
);

const PLAIN_VALUE = '(none|published|snapshots(?::<name>)?|skip|directory|clean|bare|file)(?![\\w-])';
const FLAG = new RegExp(`(?<![\\w-])--([a-z-]+)(?: (?:'([^']*)'|${PLAIN_VALUE}))?`, 'g');

/** Replaces flags of the command line by options: `--history none` is `history: 'none'` in a plugin. */
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
  const reached = local ? await readReachable(config, now) : undefined;
  const all = [...noticed, ...(reached?.notices ?? [])];
  // What a build before has left stays: without it, a deploy would end the history.
  if (reached !== undefined && reached.history === undefined) return tellNotices(all, config, logger);
  const observe: Observer = ({ waiting }) => {
    if (waiting !== undefined) logger.warn(formatWaiting(waiting).toString());
  };
  const report = await describeSite(config, now, observe, { read: reached?.history });
  saveOptions(report.site, given);
  for (const line of formatSummary(report)) logger.info(line.toString());
  logNotices(report.notices, logger);
  tellNotices(all, config, logger);
}

/** What hosts and services set where they build what is deployed. */
const HOSTED = ['CI', 'NETLIFY', 'VERCEL', 'CF_PAGES'];

function isHosted(env: Readonly<Record<string, string | undefined>>): boolean {
  return HOSTED.some((name) => !['', '0', 'false', undefined].includes(env[name]));
}

/** Tells what an adapter has noticed by itself, as far as the user wants to know it. */
export function tellNotices(noticed: readonly Notice[], { notices }: Config, logger: AdapterLogger): void {
  logNotices(judgeNotices(noticed, notices), logger);
}

function logNotices(notices: readonly ReportedNotice[], logger: AdapterLogger): void {
  for (const notice of notices) {
    logger[notice.severity === 'warning' ? 'warn' : 'info'](nameOptions(formatNotice(notice).toString()));
  }
}

/** For loggers that do not say who speaks. */
export function labelled(logger: AdapterLogger): AdapterLogger {
  return {
    info: (message) => logger.info(`[resync-static] ${message}`),
    warn: (message) => logger.warn(`[resync-static] ${message}`),
  };
}
