/** Undoes content codings (RFC 9110 §8.4.1). */

import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { nodeErrorCode } from '../../base/errors.js';
import type { Bounds } from '../web/bounds.js';
import { FetchError } from '../web/failure.js';

/** Undoes a content coding that we did not ask for. */
export async function* decode(
  body: AsyncIterable<Buffer>,
  coding: string | undefined,
  { take, signal }: Bounds,
): AsyncGenerator<Buffer> {
  const decoder = coding === undefined ? undefined : makeDecoder(coding);
  if (decoder === undefined) return yield* body;
  try {
    // What goes wrong on either side is thrown by the iteration.
    const decoded = pipeline(Readable.from(body), decoder, () => undefined) as AsyncIterable<Buffer>;
    for await (const chunk of decoded) {
      take(chunk.length);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    // All that can be wrong with the body itself is a FetchError; zlib has codes of its own for each coding.
    if (error instanceof FetchError || nodeErrorCode(error) === undefined) throw error;
    throw new FetchError('failed', `is not ${coding}, as its Content-Encoding says`, { cause: error });
  }
}

function makeDecoder(coding: string) {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new FetchError('failed', `has the Content-Encoding ${coding}, although none was asked for`);
  }
}
