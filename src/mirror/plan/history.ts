/** Decides whether the changes of a Source explain its new Resource List, so that a mirror need not read that list. Pure. */

import type { Changes, KnownPast } from '../../source/sets/changes.js';
import { type Event, lastOfEach } from '../../source/sets/entry.js';
import { CLOCK_SKEW } from '../../standard/limits.js';
import type { KeptComparison } from './digests.js';
import type { KnownList, SetState } from './model.js';

interface Weighed {
  readonly events: readonly Event[];
  /** True if the folder has all changes already, so that they do not explain a new Resource List. */
  readonly isSilent: boolean;
  /** True if some changes contradict the Resource List that the folder was compared with. */
  readonly isContradiction: boolean;
}

/**
 * Compares changes with the folder. Even changes published late count, unless they happened before the compared Resource
 * List, which should have them. @param compare compares the folder with a change
 */
export function weighChanges(
  { events, earlier }: Changes,
  { moment, since = Number.POSITIVE_INFINITY }: KnownPast,
  compare: (event: Event) => KeptComparison,
): Weighed {
  const others = earlier.filter((event) => compare(event) === 'other');
  const late = others.filter(({ time = since }) => time >= since);
  const isNews = (event: Event) => {
    const comparison = compare(event);
    // If neither length nor digest can tell whether the folder has a change, the time of the change does.
    const isLater = event.time === undefined || moment === undefined || event.time > moment;
    return comparison === 'other' || (comparison === 'unknown' && isLater);
  };
  return {
    events: [...events, ...late],
    isSilent: late.length === 0 && !lastOfEach(events).some(isNews),
    isContradiction: late.length < others.length,
  };
}

/** Moments that a mirror compares with that of a new Resource List, in milliseconds since 1970. */
interface Moments {
  /** Moment of the folder before the run. */
  readonly moment: number | undefined;
  /** Newest moment in the Change Lists, which may be in the future. */
  readonly newest: number | undefined;
  readonly now: number;
}

/**
 * Tests whether a new Resource List may say more than the changes. If it is older than the saved list, it may. If the folder
 * lacks some of the changes, it may only if it is newer than all of them and the clock. If the folder has all of them, it may,
 * unless it is an index no newer than the folder: such an index comes from a cache, or from a builder that rarely makes one.
 *
 * @param list the saved list @param heads heads of the new list; undefined if small requests cannot read them
 */
export function mayTellMore(
  list: Pick<KnownList, 'at'>,
  heads: { readonly at: number; readonly areIndexes: boolean } | undefined,
  isSilent: boolean,
  { moment = 0, newest = 0, now }: Moments,
): boolean {
  if (heads === undefined) return isSilent;
  const { at, areIndexes } = heads;
  if (list.at !== undefined && at < list.at) return true;
  return isSilent ? !areIndexes || at > moment : at > Math.max(newest, now + CLOCK_SKEW);
}

/** Milliseconds after which a Resource List that has changed is read whole, even if changes explain it. */
const WEEK = 7 * 86_400_000;

/** Returns whether the Resource List of a set was last read or found unchanged over a week ago. @param now milliseconds since 1970 */
export function isDue({ list }: Pick<SetState, 'list'>, now: number): boolean {
  return list !== undefined && Math.abs(now - list.read) >= WEEK;
}
