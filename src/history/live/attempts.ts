/** Reads the live site within bounds, and again where that may help. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ResyncError } from '../../base/errors.js';
import { say, Words } from '../../base/text/say.js';
import { BoundReached, type Bounds, startBounds } from '../../source/web/bounds.js';
import { startClient } from '../../source/web/client.js';
import { FetchError } from '../../source/web/failure.js';
import { CONNECTIONS, type LiveReader, makeDocumentReader } from './reader.js';
import { CHOICES, refuseUnreadable } from './refusals.js';

/** How long to go on when the live site does not answer as it should. */
export interface LivePatience {
  /** Milliseconds to wait for an answer, and for each piece of it. */
  readonly timeout: number;
  /** How often all is read from its beginning, unless there is no answer in time. */
  readonly readings: number;
  /** Milliseconds after the first reading that failed; three times as long after each one more. */
  readonly pause: number;
}

export const PATIENCE: LivePatience = { timeout: 30_000, readings: 3, pause: 1000 };

/** Each time, a host that is busy may ask us to wait once. */
const ATTEMPTS = 2;

/** Milliseconds for all readings together. */
const TOTAL_TIME = 15 * 60_000;

/** Bytes of memory for what is remembered of them. */
const TOTAL_KEPT = 1024 ** 3;

/** Reads, and begins again after a pause where that may help. */
export async function withReader<T>(
  url: string,
  patience: LivePatience,
  read: (reader: LiveReader) => Promise<T>,
): Promise<T> {
  const limits = { timeout: patience.timeout, attempts: ATTEMPTS, connections: CONNECTIONS };
  const bounds = startBounds({ bytes: Number.POSITIVE_INFINITY, time: TOTAL_TIME, memory: TOTAL_KEPT });
  const client = startClient(url, limits, { agent: 'resync-static', staysHome: true, bounds });
  try {
    for (let reading = 1, pause = patience.pause; ; reading++, pause *= 3) {
      try {
        return await withinBounds(bounds, url, read(makeDocumentReader(client, url, bounds)));
      } catch (error) {
        if (!(error instanceof ResyncError) || error.code !== 'live-unreadable') throw error;
        if (isFinal(error) || reading >= patience.readings) {
          throw new ResyncError(
            error.code,
            say`${Words.asWritten(error.message)}\nTried ${reading === 1 ? 'once' : `${reading} times`}. Run again when the site answers. ${CHOICES}`,
            { cause: error },
          );
        }
      }
      await sleep(pause);
    }
  } finally {
    bounds.stop();
    client.close();
  }
}

async function withinBounds<T>(bounds: Bounds, url: string, work: Promise<T>): Promise<T> {
  try {
    return await bounds.race(work);
  } catch (error) {
    if (error instanceof BoundReached) refuseUnreadable(url, error.message, error);
    throw error;
  }
}

/** Who did not answer in time would keep us waiting once more, and what is too much is too much again. */
function isFinal({ cause }: ResyncError): boolean {
  return cause instanceof BoundReached || (cause instanceof FetchError && cause.failure === 'slow');
}
