/** Finds the publication before, wherever history is kept. */

import type { Config } from '../../config/config.js';
import type { History } from '../../history/known.js';
import type { ScannedSite } from '../../site/scanned.js';
import { NO_VERSIONS, type Past } from './past.js';

/**
 * Compares a site with its newest publication.
 *
 * @param history undefined where there is none
 * @throws ResyncError `git-failed`, `live-foreign`
 */
export async function findPast(
  config: Config,
  scanned: ScannedSite,
  history: History | undefined,
  now: Date,
): Promise<Past> {
  if (history === undefined) return NO_PAST;
  if (history.kind === 'git') {
    const { findPastInGit } = await import('./past-in-git.js');
    return await findPastInGit(config, scanned, history, now);
  }
  const { findPastOnline } = await import('./past-online.js');
  return findPastOnline(config, scanned, history);
}

const NO_PAST: Past = {
  comparedWith: { history: 'none' },
  changes: [],
  readLimit: 0,
  previousLength: () => undefined,
  openVersions: () => NO_VERSIONS,
};
