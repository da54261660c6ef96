/** Progress of a run, and the durations of its stages. */

import { SYSTEM_CLOCK } from './time.js';

/** The wait of a run for another one that works on the same site. */
export interface Waiting {
  readonly lock: string;
  /** Machine and process of the run that holds the lock; undefined if the lock file does not name them. */
  readonly holder: { readonly host: string; readonly pid: number } | undefined;
  readonly seconds: number;
}

export type WaitObserver = (waiting: Waiting) => void;

export type Stage = 'discovery' | 'scan' | 'changes' | 'pack' | 'plan' | 'publish' | 'record';

export type Observer = (progress: Progress) => void;

export interface Progress {
  readonly stage: Stage;
  /** Number of files read or packages written so far; `total` is that of all, absent while files are still being found. */
  readonly done?: number;
  readonly total?: number;
  /** Present if this run waits for another one that works on the site; reported once, after a second. */
  readonly waiting?: Waiting;
}

/** Milliseconds by stage; `total` includes the time between stages. */
export type Durations = Readonly<Record<Stage | 'total', number>>;

export class StageClock {
  readonly #observe: Observer;
  readonly #begin = SYSTEM_CLOCK.now();
  readonly #durations = {
    discovery: 0,
    scan: 0,
    changes: 0,
    pack: 0,
    plan: 0,
    publish: 0,
    record: 0,
  };
  #current: { readonly stage: Stage; readonly since: number } | undefined;

  constructor(observe: Observer) {
    this.#observe = observe;
  }

  enter(stage: Stage): void {
    this.#current = { stage, since: this.#leave() };
    this.#observe({ stage });
  }

  /** Reports progress in the current stage. Bound, because it is passed on alone. */
  readonly report = (done: number, total?: number): void => {
    if (this.#current === undefined) return;
    this.#observe({ stage: this.#current.stage, done, ...(total !== undefined && { total }) });
  };

  /** Bound, because it is passed on alone. */
  readonly wait: WaitObserver = (waiting) => {
    if (this.#current !== undefined) this.#observe({ stage: this.#current.stage, waiting });
  };

  stop(): Durations {
    const total = Math.round(this.#leave() - this.#begin);
    return { ...this.#durations, total };
  }

  #leave(): number {
    const now = SYSTEM_CLOCK.now();
    if (this.#current !== undefined) {
      const { stage, since } = this.#current;
      this.#durations[stage] += Math.round(now - since);
    }
    return now;
  }
}
