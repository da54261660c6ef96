/** Counts what is received, and keeps it below a rate. */

import { setTimeout as sleep } from 'node:timers/promises';

/** What was received in a run. */
export interface Received {
  readonly bytes: () => number;
  /** Counts bytes; to be waited for where it returns a promise. */
  readonly take: (bytes: number) => void | Promise<void>;
}

/** Milliseconds; timers are no more exact. */
const SHORTEST_PAUSE = 5;

/**
 * Starts to count.
 *
 * @param rate bytes per second; undefined for no limit
 */
export function startReceiving(rate: number | undefined): Received {
  let bytes = 0;
  let begin: number | undefined;
  return {
    bytes: () => bytes,
    take(count) {
      bytes += count;
      begin ??= performance.now();
      if (rate === undefined) return undefined;
      const ahead = (1000 * bytes) / rate - (performance.now() - begin);
      return ahead < SHORTEST_PAUSE ? undefined : sleep(ahead);
    },
  };
}
