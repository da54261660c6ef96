/** Leaves the sitemaps of a site out of what is listed. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { isOurSitemap, isOurs } from '../../paths/hold/ownership.js';
import { SITEMAP } from '../../paths/ours.js';
import { fingerprint } from '../../standard/digests.js';
import { findSitemaps, type SiteSitemaps } from './sitemaps.js';

/**
 * Finds the sitemaps of a site, where one is wanted. They count as documents of ours then: what we write in them is no
 * change of the site, now or in the past.
 */
export async function leaveSitemaps(
  config: Config,
  site: string,
): Promise<{ readonly config: Config; readonly sitemaps: SiteSitemaps | undefined }> {
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

/** Those that we wrote when one was wanted, in a folder that was not built anew since: they are to go. */
function findAbandoned(site: string): SiteSitemaps | undefined {
  const names = unlessRefused(() => readdirSync(site)) ?? [];
  const own = names.filter((name) => name.endsWith('.xml') && isOurs(join(site, name))).sort();
  if (own.length === 0) return undefined;
  return { files: [], own, holds: (path) => own.includes(path), patterns: [], identity: own.join('\n') };
}

/** The same where nobody said whether one is wanted: those count that are ours by what is in them. */
export async function leaveOwnSitemaps(config: Config, site: string): Promise<Config> {
  const left = await leaveSitemaps({ ...config, sitemap: config.sitemap ?? { file: SITEMAP } }, site);
  const { own = [], files = [] } = left.sitemaps ?? {};
  const isOurs =
    config.sitemap !== undefined || own.length > 0 || files.some((path) => isOurSitemap(join(site, path)));
  return isOurs ? left.config : config;
}
