/** Excludes the sitemaps of a site from its resources. */

import { join } from 'node:path';
import { listQuietly } from '../../base/folders.js';
import { isOurSitemap, isOurs } from '../../paths/hold/ownership.js';
import { SITEMAP } from '../../paths/ours.js';
import { fingerprint } from '../../standard/digests.js';
import type { ServedRules } from './served.js';
import { findSitemaps, type SitemapRules, type SiteSitemaps } from './sitemaps.js';

type ListingRules = SitemapRules & Pick<ServedRules, 'sets' | 'selection'>;

/**
 * Finds the sitemaps of a site if the configuration wants one. They count as our documents: dates that we write into them
 * are no changes of the site, now or in the past.
 */
export async function excludeSitemaps<T extends ListingRules>(
  config: T,
  site: string,
): Promise<{ readonly config: T; readonly sitemaps: SiteSitemaps | undefined }> {
  if (config.sets.length === 0) return { config, sitemaps: undefined };
  const sitemaps = config.sitemap === undefined ? findAbandoned(site) : await findSitemaps(site, config);
  if (sitemaps === undefined) return { config, sitemaps };
  const { selection } = config;
  const { patterns } = sitemaps;
  return {
    config: {
      ...config,
      selection: (path) => (sitemaps.holds(path) ? 'own-document' : selection(path)),
      sets:
        config.sitemap === undefined
          ? config.sets
          : config.sets.map((set) => ({ ...set, listing: fingerprint([set.listing, patterns]) })),
    },
    sitemaps,
  };
}

/** Finds our sitemaps at the top of a site that wants none any more; they are to be removed. */
function findAbandoned(site: string): SiteSitemaps | undefined {
  const own = listQuietly(site)
    .filter((name) => name.endsWith('.xml') && isOurs(join(site, name)))
    .sort();
  if (own.length === 0) return undefined;
  return { files: [], own, holds: (path) => own.includes(path), patterns: [], identity: own.join('\n') };
}

/** Excludes the sitemaps of a site if the configuration wants one, or if a sitemap is written or dated by us. */
export async function excludeOwnSitemaps<T extends ListingRules>(config: T, site: string): Promise<T> {
  const excluded = await excludeSitemaps({ ...config, sitemap: config.sitemap ?? { file: SITEMAP } }, site);
  const { own = [], files = [] } = excluded.sitemaps ?? {};
  const isOurs =
    config.sitemap !== undefined || own.length > 0 || files.some((path) => isOurSitemap(join(site, path)));
  return isOurs ? excluded.config : config;
}
