/** Whether changes, the folder and the Resource List agree with each other. Pure. */

import type { Changes, KnownPast } from '../../source/sets/changes.js';
import { type Event, lastOfEach } from '../../source/sets/entry.js';
import { CLOCK_SKEW } from '../../standard/limits.js';
import type { KeptComparison } from './digests.js';
import type { KnownList, SetState } from './model.js';

/** Changes, held against a folder. */
interface Weighed {
  /** What is to be done. */
  readonly events: readonly Event[];
  /** Whether the folder has all that they tell: where the Resource List is another one now, they do not say why. */
  readonly isSilent: boolean;
  /** Whether some are not what the Resource List said with which the folder was compared. */
  readonly isContradiction: boolean;
}

/**
 * Holds changes against the folder. One that was told late is news, wherever it stands, if it is of after the Resource List
 * that the folder was compared with. What is of before should be in that list, or in another one by now.
 *
 * @param compare whether the folder is as a change left it
 */
export function weighChanges(
  { events, earlier }: Changes,
  { moment, since = Number.POSITIVE_INFINITY }: KnownPast,
  compare: (event: Event) => KeptComparison,
): Weighed {
  const others = earlier.filter((event) => compare(event) === 'other');
  const late = others.filter(({ time = since }) => time >= since);
  const tells = (event: Event) => {
    const comparison = compare(event);
    // Where nothing tells whether the folder has it, only its time does.
    const isLater = event.time === undefined || moment === undefined || event.time > moment;
    return comparison === 'other' || (comparison === 'unknown' && isLater);
  };
  return {
    events: [...events, ...late],
    isSilent: late.length === 0 && !lastOfEach(events).some(tells),
    isContradiction: late.length < others.length,
  };
}

/** How far changes lead: milliseconds since 1970. */
interface Told {
  /** Of the folder, before. */
  readonly moment: number | undefined;
  /** The newest moment that they tell of, whether it has been or not. */
  readonly newest: number | undefined;
  readonly now: number;
}

/**
 * Whether a Resource List that has moved on may say what no change says. Where changes tell of news, it is believed to say the
 * same, unless it went back, or is of a time that neither they nor the clock know. Where they do not, an index of a moment up to
 * which changes were read before is made of these: it comes later than they do, where a cache lags, or where it is made seldom.
 *
 * @param list as it was known
 * @param heads undefined where they cannot be had for a small request
 */
export function mayTellMore(
  list: Pick<KnownList, 'at'>,
  heads: { readonly at: number; readonly areIndexes: boolean } | undefined,
  isSilent: boolean,
  { moment = 0, newest = 0, now }: Told,
): boolean {
  if (heads === undefined) return isSilent;
  const { at, areIndexes } = heads;
  if (list.at !== undefined && at < list.at) return true;
  return isSilent ? !areIndexes || at > moment : at > Math.max(newest, now + CLOCK_SKEW);
}

/** Milliseconds after which a Resource List is compared again, whatever the changes say. */
const WEEK = 7 * 86_400_000;

/** Whether the Resource List of a set has to be compared again. @param now milliseconds since 1970 */
export function isDue({ list }: Pick<SetState, 'list'>, now: number): boolean {
  return list !== undefined && Math.abs(now - list.read) >= WEEK;
}
