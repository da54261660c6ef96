/** Finds the previous publication in any kind of history. */

import type { ReplayRules } from '../../history/from-git.js';
import type { History } from '../../history/history.js';
import type { ScannedSite } from '../../site/scanned.js';
import { NO_VERSIONS, type Past } from './past.js';
import { findPastInGit } from './past-in-git.js';
import { findPastOnline, type SiteAddress } from './past-online.js';

/** Options that decide what is compared, for any kind of history. */
export type PastRules = ReplayRules & SiteAddress;

/** Finds the newest publication, and the changes since then. @throws ResyncError `git-failed`, `live-foreign` */
export async function findPast(
  rules: PastRules,
  scanned: ScannedSite,
  history: History | undefined,
  now: Date,
): Promise<Past> {
  if (history === undefined) return NO_PAST;
  if (history.kind === 'git') return findPastInGit(rules, scanned, history, now);
  return findPastOnline(rules, scanned, history);
}

const NO_PAST: Past = {
  comparedWith: { history: 'none' },
  changes: [],
  readLimit: 0,
  previousLength: () => undefined,
  openVersions: () => NO_VERSIONS,
  history: undefined,
};
