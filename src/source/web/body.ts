/** Reads the body of an answer, as long as it comes fast enough and is not too long. */

import type { IncomingMessage } from 'node:http';
import { nodeErrorCode } from '../../base/errors.js';
import { type Bounds, describeFailure, FetchError } from './bounds.js';

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
  // `setTimeout` of an answer costs an eighth of a small request.
  const timer = setTimeout(
    () =>
      response.destroy(
        new FetchError('slow', `nothing more for ${timeout / 1000} s after ${received} bytes`),
      ),
    timeout,
  );
  try {
    for await (const chunk of takePieces(response)) {
      timer.refresh();
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
    if (error instanceof FetchError || nodeErrorCode(error) !== 'ECONNRESET') throw describeFailure(error);
    throw new FetchError('failed', `the connection ended after ${received} bytes`, { cause: error });
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
}

/** Pieces that wait to be taken, before the server has to wait. */
const MOST_WAITING = 4;

/** What a stream yields, without what its own iterator costs: a fourth of a small request. */
async function* takePieces(response: IncomingMessage): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let isWhole = false;
  // It may have broken off before anybody looked.
  let isOver = response.destroyed;
  let failure: unknown = response.errored ?? undefined;
  let wake: () => void = () => undefined;
  const end = () => {
    isOver = true;
    wake();
  };
  response.on('data', (piece: Buffer) => {
    if (waiting.push(piece) === MOST_WAITING) response.pause();
    wake();
  });
  response.on('end', () => {
    isWhole = true;
    end();
  });
  response.on('error', (error) => {
    failure = error;
    end();
  });
  response.on('close', end);
  for (;;) {
    const piece = waiting.shift();
    if (piece !== undefined) yield piece;
    else if (isOver) break;
    else {
      if (response.isPaused()) response.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  if (failure !== undefined) throw failure;
  if (!isWhole) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
