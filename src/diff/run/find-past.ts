/** Finds the previous publication in any kind of history. */

import { NO_VERSIONS, type Past, type SiteWithHistory } from './past.js';
import { findPastInGit } from './past-in-git.js';
import { findPastOnline, type SiteAddress } from './past-online.js';

/** Finds the newest publication, and the changes since then. @throws ResyncError `git-failed`, `live-foreign` */
export async function findPast(address: SiteAddress, place: Omit<SiteWithHistory, 'records'>): Promise<Past> {
  const { scanned, history, timeline } = place;
  if (history?.kind === 'published') return findPastOnline(address, scanned, history);
  if (history === undefined || timeline?.committed === undefined) return NO_PAST;
  return findPastInGit({ ...place, history }, timeline.committed);
}

const NO_PAST: Past = {
  comparedWith: { history: 'none' },
  changes: [],
  readLimit: 0,
  previousLength: () => undefined,
  openVersions: async () => NO_VERSIONS,
  history: undefined,
};
