/** Carries over from one run to the next what need not be read again. */

import { ResyncError } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import { blobNameOf } from '../../history/find.js';
import type { History } from '../../history/history.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import { SiteMemory } from '../../site/scan/rescan.js';
import { scanSite } from '../../site/scan/scan.js';
import type { Joined } from '../join/joined.js';

/** Data that one run leaves to the next run of the same configuration. */
export interface RunMemory {
  readonly site: SiteMemory;
  history: History | undefined;
  /** Sets that other builds describe. They are read once, and not after every rebuild. */
  joined: Joined | undefined;
  /** Identity of the sitemaps after the run. */
  sitemaps: string | undefined;
}

export function makeRunMemory(): RunMemory {
  return { site: new SiteMemory(), history: undefined, joined: undefined, sitemaps: undefined };
}

/**
 * Looks at all of a site, and says whether it differs from what the last run met.
 *
 * @param failure the message of the last run, if it failed
 */
export async function siteHasChanged(
  asked: Config,
  memory: RunMemory,
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
