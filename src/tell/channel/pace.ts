/** Decides when to poll a Source. Times are milliseconds of a monotonic clock. */

import type { ResolvedChannel } from './options.js';

export class PollPace {
  readonly #every: number;
  readonly #gap: number;
  readonly #again: readonly number[];
  /** Time at which the last poll began. */
  #last = Number.NEGATIVE_INFINITY;
  /** Times at which to poll because of a deploy. */
  #asked: readonly number[] = [];
  #deployed = Number.POSITIVE_INFINITY;

  constructor({ every, timing }: Pick<ResolvedChannel, 'every' | 'timing'>) {
    this.#every = every;
    this.#gap = timing.gap;
    this.#again = timing.again;
  }

  /** Schedules polls after a deploy: one now, and more later, because caches lag. */
  noteDeploy(now: number): void {
    this.#asked = [now, ...this.#again.map((delay) => now + delay)];
    this.#deployed = now;
  }

  notePoll(now: number): void {
    this.#last = now;
    this.#asked = this.#asked.filter((time) => time > now);
  }

  /** Drops the polls of a deploy if the last poll, which found news, began after it. */
  noteNews(): void {
    if (this.#deployed <= this.#last) this.#asked = [];
  }

  /** Returns the time at which the next poll is due, which may be in the past. */
  next(): number {
    return Math.max(this.#last + this.#gap, Math.min(this.#last + this.#every, ...this.#asked));
  }
}
