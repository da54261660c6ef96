/** The previous publication, from any kind of history. */

import type { Config } from '../../config/config.js';
import type { History } from '../../history/history.js';
import type { ScannedSite } from '../../site/scanned.js';
import { NO_VERSIONS, type Past } from './past.js';
import { findPastInGit } from './past-in-git.js';
import { findPastOnline } from './past-online.js';

/** Finds the newest publication, and the changes since. @throws ResyncError `git-failed`, `live-foreign` */
export async function findPast(
  config: Config,
  scanned: ScannedSite,
  history: History | undefined,
  now: Date,
): Promise<Past> {
  if (history === undefined) return NO_PAST;
  if (history.kind === 'git') return findPastInGit(config, scanned, history, now);
  return findPastOnline(config, scanned, history);
}

const NO_PAST: Past = {
  comparedWith: { history: 'none' },
  changes: [],
  readLimit: 0,
  previousLength: () => undefined,
  openVersions: () => NO_VERSIONS,
  history: undefined,
};
