/** How far a run has come, and how long its stages take. */

import { SYSTEM_CLOCK } from './time.js';

/** Another run works on the site, and this one waits for it. */
export interface Waiting {
  /** The file that says so. */
  readonly lock: string;
  /** Of the other run, as the file says; undefined where it does not. */
  readonly holder: { readonly host: string; readonly pid: number } | undefined;
  /** So long, in seconds, this run waits for a sign of life. */
  readonly seconds: number;
}

/** Is told of it, once. */
export type WaitObserver = (waiting: Waiting) => void;

/** What a run does, in the order of its work. */
export type Stage = 'discovery' | 'scan' | 'changes' | 'pack' | 'plan' | 'publish' | 'record';

/** Is told how far a run has come. */
export type Observer = (progress: Progress) => void;

export interface Progress {
  readonly stage: Stage;
  /** Files read so far, and to be read; packages written, and to be written. `total` is absent while files are still found. */
  readonly done?: number;
  readonly total?: number;
  /** Another run works on the site, and this one waits for it. Told once, after a second. */
  readonly waiting?: Waiting;
}

/** Milliseconds by stage; `total` includes what lies between. */
export type Durations = Readonly<Record<Stage | 'total', number>>;

/** Times the stages of a run, and tells of each as it begins. */
export type StageClock = ReturnType<typeof startClock>;

export function startClock(observe: Observer) {
  const begin = SYSTEM_CLOCK.now();
  const durations: Record<Stage | 'total', number> = {
    discovery: 0,
    scan: 0,
    changes: 0,
    pack: 0,
    plan: 0,
    publish: 0,
    record: 0,
    total: 0,
  };
  let current: { stage: Stage; since: number } | undefined;
  const leave = () => {
    const now = SYSTEM_CLOCK.now();
    if (current !== undefined) durations[current.stage] += Math.round(now - current.since);
    return now;
  };
  return {
    enter: (stage: Stage): void => {
      current = { stage, since: leave() };
      observe({ stage });
    },
    /** How much of the stage is done. */
    tell: (done: number, total?: number): void => {
      if (current === undefined) return;
      observe({ stage: current.stage, done, ...(total !== undefined && { total }) });
    },
    /** Another run is waited for. */
    wait: (waiting: Waiting): void => {
      if (current !== undefined) observe({ stage: current.stage, waiting });
    },
    stop: (): Durations => {
      durations.total = Math.round(leave() - begin);
      return durations;
    },
  };
}
