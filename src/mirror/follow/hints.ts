/** Hints from channels: which sets of a Source to read again, and when. Pure. All times are in milliseconds. */

import type { Channel, Heard } from './model.js';

export interface HintTiming {
  /** Least time between the beginnings of two runs. */
  readonly gap: number;
  /** Times from a message to further runs, as long as the documents do not have its changes: caches lag. */
  readonly again: readonly number[];
}

interface Hint {
  readonly set: string;
  readonly moment: number | undefined;
  readonly heard: number;
  /** Number of runs since the message, none of which found its changes. */
  readonly looks: number;
  readonly due: number;
}

/** One hint for each set and kind of channel. The newest moment wins, so that no sender can keep a follower busy for long. */
export type Hints = ReadonlyMap<string, Hint>;

/** The moments up to which all changes of the sets of a copy are known, by Capability List. */
export type Moments = ReadonlyMap<string, number | undefined>;

interface Hearing extends Pick<HintTiming, 'gap'> {
  readonly now: number;
  /** Beginning of the last run. */
  readonly lastLook: number;
  readonly moments: Moments;
}

/** Adds a hint for a message, unless the folder has the changes of the message, or an earlier hint will lead to them. */
export function noteHint(
  hints: Hints,
  { set, capability }: Channel,
  { moment }: Heard,
  { now, lastLook, moments, gap }: Hearing,
): Hints {
  const key = `${capability} ${set}`;
  const before = hints.get(key);
  if (moment === undefined) {
    // The change behind a message without a moment has a message of its own, which leads to a run at once.
    if (before !== undefined && before.looks === 0) return hints;
    return new Map(hints).set(key, { set, moment, heard: now, looks: 0, due: now + gap });
  }
  const newest = Math.max(moments.get(set) ?? -Infinity, before?.moment ?? -Infinity);
  if (moment <= newest) return hints;
  const due = Math.max(now, lastLook + gap);
  return new Map(hints).set(key, { set, moment, heard: now, looks: 0, due });
}

/** Returns the hints that remain after a run. @param look time when the run began */
export function settleHints(hints: Hints, look: number, moments: Moments, { gap, again }: HintTiming): Hints {
  const rest = [...hints].flatMap(([key, hint]): [string, Hint][] => {
    const { set, moment, heard, looks } = hint;
    const reached = moments.get(set);
    if (moment !== undefined && reached !== undefined && reached >= moment) return [];
    if (heard > look) return [[key, hint]];
    // Without a moment of the message or of the set, nothing shows whether the run found the changes: one run has to do.
    if (moment === undefined || reached === undefined) return [];
    const pause = again[looks];
    if (pause === undefined) return [];
    return [[key, { ...hint, looks: looks + 1, due: Math.max(heard + pause, look + gap) }]];
  });
  return new Map(rest);
}

export function nextDue(hints: Hints): number {
  return Math.min(Number.POSITIVE_INFINITY, ...[...hints.values()].map(({ due }) => due));
}
