/** The only module that reads the system's clock: for the moment of a run, fixed once, and for code that waits. */

import { setTimeout } from 'node:timers/promises';
import { ResyncError } from './errors.js';
import { say } from './text/say.js';

/** The last second of the year 9999, in seconds since 1970. */
export const LAST_SECOND = 253_402_300_799;

/**
 * Reads the moment of the run, in whole seconds: `SOURCE_DATE_EPOCH` if it is set, or else the clock.
 * @throws ResyncError `config-invalid` if `SOURCE_DATE_EPOCH` is not a number of seconds
 */
export function fixNow(env: Readonly<Record<string, string | undefined>>): Date {
  const epoch = env['SOURCE_DATE_EPOCH'];
  if (epoch === undefined || epoch === '') return new Date(Math.floor(Date.now() / 1000) * 1000);
  if (!/^\d{1,12}$/.test(epoch) || Number(epoch) > LAST_SECOND) {
    throw new ResyncError(
      'config-invalid',
      say`SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}, but must be whole seconds since 1970, such as 1767225600.`,
    );
  }
  return new Date(Number(epoch) * 1000);
}

/** Returns the moment after which nothing can have happened yet: the present, or `SOURCE_DATE_EPOCH` if that is later. */
export function fixLatest(env: Readonly<Record<string, string | undefined>>): Date {
  return new Date(Math.max(Date.now(), fixNow(env).getTime()));
}

export interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  // `performance` would load a module of Node, which takes a millisecond.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (milliseconds) => setTimeout(milliseconds),
};
