/** Reads the body of an answer, as long as it comes fast enough and is not too long. */

import type { IncomingMessage } from 'node:http';
import { systemErrorCode } from '../errors.js';
import type { Bounds } from './bounds.js';
import { describeFailure, FetchError } from './failure.js';

/** A server that is slower, in any stretch of time as long as the time-out, is given up. */
const SLOWEST_BYTES_PER_SECOND = 1000;

export interface BodyLimits {
  /** Bytes. */
  readonly most: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly bounds: Bounds;
}

/**
 * Reads a body.
 *
 * @param noteFailure is called when it breaks off or is too slow
 * @throws FetchError; BoundReached
 */
export async function* readBody(
  response: IncomingMessage,
  { most, timeout, bounds }: BodyLimits,
  noteFailure: () => void,
): AsyncGenerator<Buffer> {
  let begin = performance.now();
  let received = 0;
  let before = 0;
  response.setTimeout(timeout, () =>
    response.destroy(new FetchError('slow', `nothing more for ${timeout / 1000} s after ${received} bytes`)),
  );
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length;
      bounds.take(chunk.length);
      if (received > most) throw new FetchError('failed', `more than ${most} bytes`);
      const elapsed = performance.now() - begin;
      if (elapsed > timeout) {
        const recent = received - before;
        if (recent < (elapsed / 1000) * SLOWEST_BYTES_PER_SECOND)
          throw new FetchError('slow', `only ${recent} bytes in ${Math.round(elapsed / 1000)} s`);
        [begin, before] = [performance.now(), received];
      }
      yield chunk;
    }
  } catch (error) {
    bounds.signal.throwIfAborted();
    noteFailure();
    if (error instanceof FetchError || systemErrorCode(error) !== 'ECONNRESET') throw describeFailure(error);
    throw new FetchError('failed', `the connection ended after ${received} bytes`, { cause: error });
  } finally {
    response.destroy();
  }
}
