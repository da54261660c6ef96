/** Repeats an action until it gives a result. */

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an action until it returns a result.
 *
 * @param once the action: returns the result, or the milliseconds to wait before the next attempt; must throw if `isLast`
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
