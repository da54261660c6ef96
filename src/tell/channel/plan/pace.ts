/** Decides when to poll a Source. Pure: times are milliseconds of a monotonic clock. */

import type { ChannelTiming } from '../options.js';

interface Pace {
  /** Time at which the last poll began; undefined before the first. */
  readonly last: number | undefined;
  /** Times at which to poll because of a deploy. */
  readonly asked: readonly number[];
  /** Time at which the last deploy was announced; undefined before the first. */
  readonly deployed: number | undefined;
}

type Timing = Pick<ChannelTiming, 'gap' | 'again'>;

export const START: Pace = { last: undefined, asked: [], deployed: undefined };

/** Schedules polls after a deploy: one now, and more later, because caches lag. */
export function paceAfterDeploy({ last }: Pace, now: number, { again }: Timing): Pace {
  return { last, asked: [now, ...again.map((delay) => now + delay)], deployed: now };
}

/** Returns the time at which the next poll is due, which may be in the past. */
export function nextPoll({ last, asked }: Pace, every: number, { gap }: Timing): number {
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  const [first = Number.POSITIVE_INFINITY] = asked;
  return Math.max(last + gap, Math.min(first, last + every));
}

export function paceAfterPoll({ asked, deployed }: Pace, now: number): Pace {
  return { last: now, asked: asked.filter((time) => time > now), deployed };
}

/** Drops the polls of a deploy if the last poll began after it and found news. */
export function paceAfterNews(pace: Pace): Pace {
  const { last = Number.NEGATIVE_INFINITY, deployed = Number.POSITIVE_INFINITY } = pace;
  return deployed <= last ? { ...pace, asked: [] } : pace;
}
