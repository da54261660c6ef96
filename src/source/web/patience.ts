/** Asks again where that may help, and no more where it has not helped for long. */

import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bounds } from './bounds.js';
import { describeFailure, FetchError, isPassing } from './failure.js';
import type { RequestContent, RequestHeaders } from './request.js';

/** Milliseconds: before the first repetition, doubled for each one more; and the most that `Retry-After` may ask for. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
/** A host that fails so many times in a row is not asked any more. */
const MOST_FAILURES = 20;
/** The server is busy, or something between it and us. */
const BUSY: readonly number[] = [429, 502, 503, 504];

export interface Patience {
  /** @throws FetchError; BoundReached */
  ask(target: URL, headers?: RequestHeaders, content?: RequestContent): Promise<IncomingMessage>;
  /** Takes note that a target failed after it had answered. */
  noteFailure(target: URL): void;
}

/** @param attempts how often to ask for one target */
export function startPatience(
  askOnce: Patience['ask'],
  attempts: number,
  { race, signal }: Bounds,
): Patience {
  /** How many requests to an origin have failed since one did not. */
  const failures = new Map<string, number>();
  const noteOutcome = ({ origin }: URL, failed: boolean) =>
    failures.set(origin, failed ? (failures.get(origin) ?? 0) + 1 : 0);

  /** An answer, or how long to wait for the next attempt. */
  async function attempt(
    ask: () => Promise<IncomingMessage>,
    target: URL,
    isLast: boolean,
    pause: number,
  ): Promise<IncomingMessage | number> {
    try {
      const response = await ask();
      const { statusCode = 0 } = response;
      noteOutcome(target, statusCode === 429 || statusCode >= 500);
      if (isLast || !BUSY.includes(statusCode)) return response;
      response.destroy();
      return readWait(response, pause);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FetchError && error.failure === 'refused') throw error;
      noteOutcome(target, true);
      if (isLast || !isPassing(error)) throw describeFailure(error);
      return pause;
    }
  }

  return {
    async ask(target, headers, content) {
      for (let count = 1, pause = FIRST_PAUSE; ; count++, pause *= 2) {
        if ((failures.get(target.origin) ?? 0) >= MOST_FAILURES) {
          const found = `not asked: ${target.host} has failed ${MOST_FAILURES} times in a row`;
          throw new FetchError('failed', found);
        }
        const outcome = await attempt(
          () => askOnce(target, headers, content),
          target,
          count === attempts,
          pause,
        );
        if (typeof outcome !== 'number') return outcome;
        await race(sleep(outcome, undefined, { signal }));
      }
    },
    noteFailure: (target) => noteOutcome(target, true),
  };
}

/** @param pause how long to wait where the server does not say */
function readWait({ statusCode, headers }: IncomingMessage, pause: number): number {
  const wait = readRetryAfter(headers) ?? pause;
  if (wait <= LONGEST_PAUSE) return wait;
  throw new FetchError('failed', `status ${statusCode}, and to be asked again in ${wait / 1000} s only`);
}

/** Milliseconds; a date is compared with the server's own clock. */
function readRetryAfter(headers: IncomingMessage['headers']): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const wait = Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
