/** Ends work that reads what strangers send: after so many bytes, after so much time, or with so much to remember. */

import { setMaxListeners } from 'node:events';
import { LONGEST_TIMER } from '../../base/bell.js';

export type Bound = 'bytes' | 'time' | 'memory' | 'disk';

/** The work has met one of its bounds and is over; the message says which. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached';
  readonly bound: Bound;

  constructor(bound: Bound, message: string) {
    super(message);
    this.bound = bound;
  }
}

export interface BoundLimits {
  /** Bytes that come over the network, and those that come out of compressed ones. */
  readonly bytes: number;
  /** Milliseconds from now. */
  readonly time: number;
  /** Bytes of what is kept of documents, about as many as they take in memory. */
  readonly memory: number;
  /** Ends the work from outside, with its own reason. */
  readonly signal?: AbortSignal;
}

export interface Bounds {
  /** Is aborted, with the BoundReached as its reason, as soon as a bound is met. */
  readonly signal: AbortSignal;
  /** Counts bytes that were read. @throws BoundReached */
  readonly take: (bytes: number) => void;
  /** Counts bytes of memory that something kept takes. @throws BoundReached */
  readonly keep: (bytes: number) => void;
  /** Looks at the clock, for work that gives timers no chance. @throws BoundReached */
  readonly check: () => void;
  /** Does something for as long as no bound is met. What the promise stands for is to end by itself soon after. */
  readonly race: <T>(work: Promise<T>) => Promise<T>;
  /** To be called once the work is over, whatever became of it. */
  readonly stop: () => void;
}

/** Starts to count bytes of memory, also those that are let go again: a number below 0. It throws BoundReached. */
export function startRoom(most: number): (bytes: number) => void {
  let room = most;
  return (bytes) => {
    room -= bytes;
    if (room < 0) throw new BoundReached('memory', wordMemory(most));
  };
}

function wordMemory(most: number): string {
  return `more than ${most} bytes of entries were to be remembered`;
}

/** Starts to count. */
export function startBounds(limits: BoundLimits): Bounds {
  const controller = new AbortController();
  const { signal } = controller;
  // Every request under way listens.
  setMaxListeners(0, signal);
  const deadline = performance.now() + limits.time;
  let rest = limits.bytes;
  let room = limits.memory;

  const end = (bound: Bound, message: string) => {
    if (!signal.aborted) controller.abort(new BoundReached(bound, message));
  };
  const endByTime = () => end('time', `the time is over, after ${Math.ceil(limits.time / 1000)} s`);
  const endFromOutside = () => controller.abort(limits.signal?.reason);
  limits.signal?.addEventListener('abort', endFromOutside);
  if (limits.signal?.aborted === true) endFromOutside();
  const timer = setTimeout(endByTime, Math.min(limits.time, LONGEST_TIMER));

  return {
    signal,
    take(bytes) {
      rest -= bytes;
      if (rest < 0) end('bytes', `more than ${limits.bytes} bytes were to be read`);
      signal.throwIfAborted();
    },
    keep(bytes) {
      room -= bytes;
      if (room < 0) end('memory', wordMemory(limits.memory));
      signal.throwIfAborted();
    },
    check() {
      if (performance.now() > deadline) endByTime();
      signal.throwIfAborted();
    },
    async race(work) {
      signal.throwIfAborted();
      let stop = (): void => undefined;
      const over = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
      });
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await Promise.race([work, over]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    stop: () => {
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', endFromOutside);
    },
  };
}
