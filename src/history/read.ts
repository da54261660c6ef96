/** Reads a history from git or the live site, and derives the timeline of the site. */

import type { Config } from '../config/config.js';
import type { ScannedSite } from '../site/scanned.js';
import { readCommitted } from './from-git.js';
import { derivePublished } from './from-live.js';
import type { History, HistoryPlace, Timeline } from './history.js';
import { readPublishedCommits } from './read-git.js';

/**
 * Reads the publications of a site, from git or from the live site.
 * @param previous result with the same configuration; reused for a live site, or if place and tip in git are the same
 * @throws ResyncError `history-missing` for a missing required ref, `git-failed`, `live-unreadable`, `live-foreign`
 */
export async function readHistory(place: HistoryPlace, config: Config, previous?: History): Promise<History> {
  if (place.kind === 'git') return await readPublishedCommits(place, previous);
  if (previous?.kind === 'published') return previous;
  // Loaded only here, because the modules that read the web take long to load.
  const { readLive } = await import('./live/live.js');
  return await readLive(config);
}

/** Derives the timeline of the site from its history. @throws ResyncError `git-failed`, `extras-invalid`, `live-foreign` */
export async function readTimeline(
  config: Config,
  scanned: ScannedSite,
  history: History,
  now: Date,
): Promise<Timeline> {
  if (history.kind === 'git') return await readCommitted(config, scanned, history, now);
  return derivePublished(config, scanned.sets, history, now);
}
