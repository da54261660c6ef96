/** Leaves the sitemaps of a site out of what is listed. Where none is wanted, nothing is loaded. */

import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { DEFAULTS } from '../../config/options.js';
import { isOurSitemap } from '../../paths/hold/ownership.js';
import type { SiteSitemaps } from './sitemaps.js';

/**
 * Finds the sitemaps of a site, where one is wanted. They count as documents of ours then: what we write in them is no
 * change of the site, now or in the past.
 */
export async function leaveSitemaps(
  config: Config,
  site: string,
): Promise<{ readonly config: Config; readonly sitemaps: SiteSitemaps | undefined }> {
  if (config.sitemap === undefined || config.sets.length === 0) return { config, sitemaps: undefined };
  const { findSitemaps } = await import('./sitemaps.js');
  const sitemaps = await findSitemaps(site, config);
  const { selection } = config;
  return {
    config: { ...config, selection: (path) => (sitemaps.holds(path) ? 'own-document' : selection(path)) },
    sitemaps,
  };
}

/** The same where nobody said whether one is wanted: those count that are ours by what is in them. */
export async function leaveOwnSitemaps(config: Config, site: string): Promise<Config> {
  const left = await leaveSitemaps({ ...config, sitemap: config.sitemap ?? DEFAULTS.sitemap }, site);
  const { own = [], files = [] } = left.sitemaps ?? {};
  const isOurs =
    config.sitemap !== undefined || own.length > 0 || files.some((path) => isOurSitemap(join(site, path)));
  return isOurs ? left.config : config;
}
