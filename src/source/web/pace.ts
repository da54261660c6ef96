/** Counts what is received, keeps it below a rate, and leaves room on the disk for others. */

import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BoundReached } from './bounds.js';

/** What was received in a run. */
export type Received = Readonly<ReturnType<typeof startReceiving>>;

/** Milliseconds; timers are no more exact. */
const SHORTEST_PAUSE = 5;
/** Bytes after which the disk is looked at, and from one look to the next. */
const FIRST_LOOK = 16_000_000;
const STEPS = { least: 1_000_000, most: 64_000_000 };
/** What stays free on it: at most so many bytes, and so much of it. */
const MOST_SPARED = 1_000_000_000;
const SHARE_SPARED = 0.05;

/**
 * Starts to count.
 *
 * @param rate bytes per second; undefined for no limit
 * @param signal ends a pause
 * @param folder on the disk that is written to
 */
export function startReceiving(rate: number | undefined, signal: AbortSignal, folder: string) {
  let bytes = 0;
  let nextLook = FIRST_LOOK;
  let begin: number | undefined;
  return {
    bytes: () => bytes,
    /** Counts bytes; to be waited for where it returns a promise. */
    take(count: number): void | Promise<void> {
      bytes += count;
      if (bytes >= nextLook)
        nextLook = bytes + Math.min(STEPS.most, Math.max(STEPS.least, findRoom(folder) / 2));
      begin ??= performance.now();
      if (rate === undefined) return undefined;
      const ahead = (1000 * bytes) / rate - (performance.now() - begin);
      return ahead < SHORTEST_PAUSE ? undefined : sleep(ahead, undefined, { signal });
    },
  };
}

/** How many bytes may still be written. @throws BoundReached */
function findRoom(folder: string): number {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const spared = Math.min(MOST_SPARED, Math.floor(SHARE_SPARED * blocks * bsize));
  const room = bavail * bsize - spared;
  if (room < 0) throw new BoundReached('disk', `less than ${spared} bytes are free on the disk`);
  return room;
}
