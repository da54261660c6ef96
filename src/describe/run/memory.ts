/** Data that `watch` keeps from one run to the next. */

import { ResyncError } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import { blobNameOf } from '../../history/find.js';
import type { History } from '../../history/history.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import type { SiteMemory } from '../../site/scan/rescan.js';
import { scanSite } from '../../site/scan/scan.js';
import type { Joined } from '../join/joined.js';

export interface RunMemory {
  /** Files of the site, which are read again only if they changed; undefined for a single run. */
  readonly site?: SiteMemory;
  /** The history as the last run read it. That of a live site is read only once. */
  history?: History | undefined;
  /** Sets of other builds; undefined until they were read, which happens only once. */
  joined?: Joined;
  sitemaps?: string | undefined;
}

/** Tests if a site has changed since the last run. @param failure message of the error, if the last run failed */
export async function siteHasChanged(
  asked: Config,
  memory: RunMemory & { readonly site: SiteMemory },
  failure: string | undefined,
): Promise<boolean> {
  const source = memory.history?.kind === 'git' ? memory.history.place : undefined;
  if (asked.sets.length === 0) return false;
  try {
    const site = resolveSite(asked.site);
    const { config, sitemaps } = await excludeSitemaps(asked, site);
    if (sitemaps?.identity !== memory.sitemaps) return true;
    await scanSite(site, config, { blobName: blobNameOf(source), reader: memory.site });
    return memory.site.hasChanged;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message !== failure;
  }
}
