/** What the adapters share: a framework's settings and a user's options become one described site. */

import { judgeNotices, type Notice } from '../src/base/notices.js';
import { fixNow } from '../src/base/time.js';
import { formatSummary } from '../src/cli/words/describe.js';
import { formatNotice } from '../src/cli/words/notices.js';
import { formatWaiting } from '../src/cli/words/progress.js';
import type { Config } from '../src/config/config.js';
import { type IntegrationOptions, leaveOptions, makeIntegrationOptions } from '../src/config/kept.js';
import type { UserConfig } from '../src/config/options.js';
import { resolveConfig } from '../src/config/resolve.js';
import { describeSite } from '../src/describe/describe.js';
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
  const config = resolveConfig(all, options.url === undefined ? { labels: { url: urlOption } } : {});
  return { config, given: makeIntegrationOptions(integration, all) };
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
  { config, given }: AdapterRun,
  logger: AdapterLogger,
  noticed: readonly Notice[] = [],
): Promise<void> {
  const report = await describeSite(config, fixNow(process.env), ({ waiting }) => {
    if (waiting !== undefined) logger.warn(formatWaiting(waiting).toString());
  });
  leaveOptions(report.site, given);
  for (const line of formatSummary(report)) logger.info(line.toString());
  for (const notice of [...report.notices, ...judgeNotices(noticed, config.notices)]) {
    logger[notice.severity === 'warning' ? 'warn' : 'info'](formatNotice(notice).toString());
  }
}

/** For loggers that do not say who speaks. */
export function labelled(logger: AdapterLogger): AdapterLogger {
  return {
    info: (message) => logger.info(`[resync-static] ${message}`),
    warn: (message) => logger.warn(`[resync-static] ${message}`),
  };
}
