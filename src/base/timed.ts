/** Ends work that would take for ever, such as matches of regular expressions that others wrote. */

import { createContext, Script } from 'node:vm';
import type { ResyncError } from './errors.js';

/** Limits of time for one call, and for all calls together, in milliseconds. */
const CALL_TIME = 2_000;
const TOTAL_TIME = 10_000;

/**
 * Wraps a function so that it gives up after too long. Only code that runs in a context of its own can be stopped.
 * @param refuse makes the error for that case @param callTime, totalTime limits for one call and for all calls, in milliseconds
 */
export function limitTime<Input, Result>(
  work: (input: Input) => Result,
  refuse: (input: Input) => ResyncError,
  callTime = CALL_TIME,
  totalTime = TOTAL_TIME,
): (input: Input) => Result {
  let input: Input;
  let result: Result;
  let spent = 0;
  const script = new Script('work()');
  const context = createContext({
    work: () => {
      result = work(input);
    },
  });
  return (given) => {
    input = given;
    const begin = performance.now();
    try {
      script.runInContext(context, { timeout: callTime });
    } catch (error) {
      // Errors of another context are not instances of the `Error` of this context.
      if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw refuse(given);
      throw error;
    }
    const took = performance.now() - begin;
    // Shorter calls are not counted: the timing itself takes up to a millisecond.
    if (took > 1) spent += took;
    if (spent > totalTime) throw refuse(given);
    return result;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
