/** Plans the archives of a set: which closed lists of changes they keep, and of which moments the whole state. Pure. */

import type { ArchivesConfig } from '../../config/config.js';
import { closeLists, endOfPeriod } from '../../standard/cuts/changes.js';
import type { ClosedSegment, DatedChange } from '../../standard/limits.js';

export interface ArchivePlan<T> {
  /** Moment up to which changes are in closed lists; the current lists reach back to it. */
  readonly end: Date;
  /** Closed lists of each period that is over and holds a change; none that ended more than `keep` days ago. */
  readonly lists: readonly ClosedSegment<T>[];
  /** Moments of the last publication of each period that is over; none of more than `keep` days ago. */
  readonly moments: readonly Date[];
}

interface KnownInterval {
  /** Moment since which changes are known. */
  readonly from: Date;
  /** Moment of the newest publication that is recorded, or that this run records; undefined if there is none. */
  readonly newest: Date | undefined;
}

const DAY = 86_400_000;

/**
 * Plans the archives of a set. Not the clock ends a period, but the first publication after it.
 * @param changes oldest first @param publications moments of all publications, oldest first
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
  // A list is archived if the periods of all its changes are over.
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
