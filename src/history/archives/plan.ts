/** Plans archives: the closed lists of changes, and the moments whose whole state is kept. Pure. */

import type { ArchivesConfig } from '../../config/config.js';
import { closeLists, endOfPeriod } from '../../standard/cuts/changes.js';
import type { ClosedSegment, DatedChange } from '../../standard/limits.js';

export interface ArchivePlan<T> {
  /** The end of the archived changes; the current lists reach back to this moment. */
  readonly end: Date;
  /** One for each period that is over and holds a change, or several where one list could not hold all of it. */
  readonly lists: readonly ClosedSegment<T>[];
  /** The last publication of each period that is over and holds one. */
  readonly moments: readonly Date[];
}

interface KnownInterval {
  /** Since when changes are known. */
  readonly from: Date;
  /** The newest final publication, or undefined if there is none. */
  readonly newest: Date | undefined;
}

const DAY = 86_400_000;

/**
 * Plans an archive. The first publication after a period ends it, not the clock. @param changes and publications oldest
 * first
 */
export function planArchive<T extends DatedChange>(
  changes: readonly T[],
  publications: readonly Date[],
  { from, newest }: KnownInterval,
  { period, keep, linked }: Pick<ArchivesConfig, 'period' | 'keep' | 'linked'>,
): ArchivePlan<T> {
  if (newest === undefined) return { end: from, lists: [], moments: [] };
  const isOver = (moment: Date) => endOfPeriod(moment, period) <= newest;
  const horizon = new Date(newest.getTime() - keep * DAY);
  const recent = changes.filter(({ datetime }) => datetime > from);
  // The last list of a period ends before the first change after it.
  const lists = closeLists(recent, { from, at: newest }, { period, linked }).closed;
  const closed = lists.filter((list) => list.changes.every(({ datetime }) => isOver(datetime)));
  const moments = new Map<number, Date>();
  for (const moment of publications) {
    if (isOver(moment)) moments.set(endOfPeriod(moment, period).getTime(), moment);
  }
  return {
    end: closed.at(-1)?.until ?? from,
    lists: closed.filter(({ until }) => until > horizon),
    moments: [...moments.values()].filter((moment) => moment >= horizon),
  };
}
