/** Tries something again. */

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Tries something until it gives something.
 *
 * @param once gives it, or the milliseconds to wait before the next attempt; the last attempt, it throws
 */
export async function tryAgain<T extends object>(
  attempts: number,
  once: (count: number, isLast: boolean) => Promise<T | number>,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<T> {
  for (let count = 1; ; count++) {
    const outcome = await once(count, count >= attempts);
    if (typeof outcome !== 'number') return outcome;
    await wait(outcome);
  }
}
