/** Progress of a run, and the durations of its stages. */

import { SYSTEM_CLOCK } from './time.js';

/** Another run works on the site, and this one waits for it. */
export interface Waiting {
  /** The lock file. */
  readonly lock: string;
  /** The other run; undefined if the file does not say. */
  readonly holder: { readonly host: string; readonly pid: number } | undefined;
  readonly seconds: number;
}

/** Called at most once. */
export type WaitObserver = (waiting: Waiting) => void;

export type Stage = 'discovery' | 'scan' | 'changes' | 'pack' | 'plan' | 'publish' | 'record';

export type Observer = (progress: Progress) => void;

export interface Progress {
  readonly stage: Stage;
  /** Files read so far, and to be read; packages written, and to be written. `total` is absent while files are still found. */
  readonly done?: number;
  readonly total?: number;
  /** Another run works on the site, and this one waits for it. Told once, after a second. */
  readonly waiting?: Waiting;
}

/** Milliseconds by stage; `total` includes the time between stages. */
export type Durations = Readonly<Record<Stage | 'total', number>>;

/** Times the stages of a run, and reports each as it begins. */
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

  /** Bound, because it is passed as an observer. */
  readonly report = (done: number, total?: number): void => {
    if (this.#current === undefined) return;
    this.#observe({ stage: this.#current.stage, done, ...(total !== undefined && { total }) });
  };

  /** Bound, because it is passed as an observer. */
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
