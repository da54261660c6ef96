/** Corrects the dates of publications whose clock was wrong. Pure. */

import type { Publication } from './replay.js';

/** Difference of dates that is tolerated, in seconds: clocks may be inexact, and time zones confused. */
const DAY = 86_400;

interface SettledDates {
  readonly publications: readonly Publication[];
  /** Publications whose own date is too late, with this date uncorrected. */
  readonly misdated: readonly Publication[];
}

/**
 * Corrects dates that are over a day too late: later than `latest`, or than those of most later publications. They become
 * the last seconds before the next right date, or undefined if none follows. Dates that are too early stay: when they are
 * used, each publication comes after the one before.
 *
 * @param publications oldest first @param latest the latest possible date, by our clock, in seconds since 1970
 */
export function settleDates(publications: readonly Publication[], latest: number): SettledDates {
  const right = findRight(publications, latest);
  if (right.size === publications.length) return { publications, misdated: [] };
  const settled = [...publications];
  const misdated: Publication[] = [];
  let next: number | undefined;
  for (let index = publications.length - 1; index >= 0; index--) {
    const publication = publications[index] as Publication;
    const { seconds } = publication;
    if (right.has(index)) next = seconds;
    else if (!isAtMost(seconds, next ?? latest)) {
      if (next !== undefined) next--;
      settled[index] = { ...publication, seconds: next };
      misdated.unshift(publication);
    }
  }
  return { publications: settled, misdated };
}

function isAtMost(seconds: number | undefined, latest: number): boolean {
  return seconds !== undefined && seconds <= latest + DAY;
}

/** Returns the indexes of the most publications whose dates are in order; if there is a choice, later publications. */
function findRight(publications: readonly Publication[], latest: number): ReadonlySet<number> {
  const secondsOf = (index: number | undefined) => publications[index ?? -1]?.seconds ?? 0;
  /** Index of the latest publication with which an ordered sequence can begin, by the length of the sequence less one. */
  const first: number[] = [];
  const following: (number | undefined)[] = [];
  for (let index = publications.length - 1; index >= 0; index--) {
    const seconds = publications[index]?.seconds;
    if (!isAtMost(seconds, latest)) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (secondsOf(first[middle]) < secondsOf(index)) high = middle;
      else low = middle + 1;
    }
    following[index] = first[low - 1];
    first[low] = index;
  }
  const right = new Set<number>();
  for (let index = first.at(-1); index !== undefined; index = following[index]) right.add(index);
  return right;
}
