/** What was heard and is not in the documents yet, and when to look for it. */

import type { Channel, Heard } from './model.js';

/** When to look at documents, in milliseconds. */
export interface HintTiming {
  /** Between the beginnings of two looks, whatever is heard. */
  readonly gap: number;
  /** After it was heard, where documents do not show it: caches lag. */
  readonly again: readonly number[];
}

export interface Hint {
  readonly set: string;
  readonly moment: number | undefined;
  /** When it was heard, and how often it was looked for since. */
  readonly heard: number;
  readonly looks: number;
  readonly due: number;
}

/** One for each set and kind: the newest moment counts, so whoever says what keeps nobody busy for long. */
export type Hints = ReadonlyMap<string, Hint>;

/** The moments of sets, by their Capability Lists, as the folder stands for them. */
export type Moments = ReadonlyMap<string, number | undefined>;

export interface ToldMoment {
  readonly now: number;
  /** When the last look began. */
  readonly lastLook: number;
}

/** Takes note of a message, unless it tells what the folder has or what is looked for already. */
export function noteHint(
  hints: Hints,
  { set, capability }: Channel,
  { moment }: Heard,
  { now, lastLook, moments, gap }: ToldMoment & Pick<HintTiming, 'gap'> & { readonly moments: Moments },
): Hints {
  const key = `${capability} ${set}`;
  const before = hints.get(key);
  if (moment === undefined) {
    // A change that brought this about is told as well, and is looked for at once.
    if (before !== undefined && before.looks === 0) return hints;
    return new Map(hints).set(key, { set, moment, heard: now, looks: 0, due: now + gap });
  }
  const known = Math.max(moments.get(set) ?? -Infinity, before?.moment ?? -Infinity);
  if (moment <= known) return hints;
  const due = Math.max(now, lastLook + gap);
  return new Map(hints).set(key, { set, moment, heard: now, looks: 0, due });
}

/** What is left to look for after a look. */
export function settleHints(hints: Hints, look: number, moments: Moments, { gap, again }: HintTiming): Hints {
  const left = [...hints].flatMap(([key, hint]): [string, Hint][] => {
    const { set, moment, heard, looks } = hint;
    const known = moments.get(set);
    if (moment !== undefined && known !== undefined && known >= moment) return [];
    if (heard > look) return [[key, hint]];
    // Where no list says a moment, nothing tells more than that it was read.
    if (moment === undefined || known === undefined) return [];
    const pause = again[looks];
    if (pause === undefined) return [];
    return [[key, { ...hint, looks: looks + 1, due: Math.max(heard + pause, look + gap) }]];
  });
  return new Map(left);
}

/** When to look next; Infinity for never. */
export function nextDue(hints: Hints): number {
  return Math.min(Number.POSITIVE_INFINITY, ...[...hints.values()].map(({ due }) => due));
}
