/** When to look at the Source next. Pure: moments are milliseconds of any clock that only goes forward. */

import type { ChannelTiming } from '../options.js';

interface Pace {
  /** When the last look began; undefined before the first. */
  readonly last: number | undefined;
  /** The looks that a deploy asked for. */
  readonly asked: readonly number[];
  /** When that deploy was told of. */
  readonly deployed: number | undefined;
}

type Timing = Pick<ChannelTiming, 'gap' | 'again'>;

export const START: Pace = { last: undefined, asked: [], deployed: undefined };

/** Takes note of a deploy: to be looked at now, and later again, because caches lag. */
export function noteDeploy({ last }: Pace, now: number, { again }: Timing): Pace {
  return { last, asked: [now, ...again.map((delay) => now + delay)], deployed: now };
}

/** When the next look is due; now, where that was before. */
export function nextLook({ last, asked }: Pace, every: number, { gap }: Timing): number {
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  const [first = Number.POSITIVE_INFINITY] = asked;
  return Math.max(last + gap, Math.min(first, last + every));
}

/** Takes note that a look begins. */
export function noteLook({ asked, deployed }: Pace, now: number): Pace {
  return { last: now, asked: asked.filter((moment) => moment > now), deployed };
}

/** Takes note that the last look has met what was deployed before it began: that deploy needs no more looks. */
export function noteNews(pace: Pace): Pace {
  const { last = Number.NEGATIVE_INFINITY, deployed = Number.POSITIVE_INFINITY } = pace;
  return deployed <= last ? { ...pace, asked: [] } : pace;
}
