/** Data that `watch` keeps from one run to the next. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ResyncError } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import type { History } from '../../history/history.js';
import { stateOfFile } from '../../paths/hold/files.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import { scanSite } from '../../site/scan/scan.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { Joined } from '../join/joined.js';

export interface RunMemory {
  /** The history of a live site, which is read only once. */
  history?: History | undefined;
  /** Sets of other builds; undefined until they were read, which happens only once. */
  joined?: Joined;
  /** The state of the site as the last run read it; undefined if it is not to be kept. */
  state?: string;
  sitemaps?: string | undefined;
}

/** Returns a text that differs as soon as a file of the site has other bytes, or was written again. */
export function stateOfSite(site: string, { files, resources }: ScannedSite): string {
  const digest = createHash('sha256');
  for (const [place, { path }] of files.entries())
    digest.update(`${path} ${resources.at(place)?.hash} ${stateOfFile(join(site, path))}\n`);
  return digest.digest('hex');
}

/** Tests if a site has changed since the last run. @param failure message of the error, if the last run failed */
export async function siteHasChanged(
  asked: Config,
  memory: RunMemory,
  failure: string | undefined,
): Promise<boolean> {
  if (asked.sets.length === 0) return false;
  try {
    const site = resolveSite(asked.site);
    const { config, sitemaps } = await excludeSitemaps(asked, site);
    if (sitemaps?.identity !== memory.sitemaps) return true;
    return stateOfSite(site, await scanSite(site, config)) !== memory.state;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message !== failure;
  }
}
