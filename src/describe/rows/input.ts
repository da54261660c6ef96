/** Reads the bytes of rows: a file, a pipe or standard input, compressed by gzip or not. */

import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { nodeErrorCode, ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';

/** Names standard input. */
export const STANDARD_INPUT = '-';

/** Bytes that are read or decompressed at a time. */
const CHUNK = 1 << 19;

/**
 * @param hash takes all bytes after decompression; undefined if nobody needs their digest
 * @throws ResyncError `rows-invalid` where the input cannot be read, or is cut off
 */
export async function* readInput(name: string, hash: Hash | undefined): AsyncGenerator<Buffer, void> {
  const input = name === STANDARD_INPUT ? process.stdin : createReadStream(name, { highWaterMark: CHUNK });
  try {
    for await (const chunk of unpack(input)) {
      hash?.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw explain(name, error);
  }
}

/** A pipe cannot be opened twice, so its first bytes say what it is: gzip begins with 1f 8b (RFC 1952 §2.3.1). */
async function* unpack(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const chunks = input[Symbol.asyncIterator]();
  const { done, value: first } = await chunks.next();
  if (done === true) return;
  const rest = { [Symbol.asyncIterator]: () => chunks };
  async function* readAll(): AsyncGenerator<Buffer, void> {
    yield first;
    yield* rest;
  }
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* readAll();
  // Errors of either end the loop over the last one.
  yield* pipeline(readAll, createGunzip({ chunkSize: CHUNK }), () => undefined);
}

function explain(name: string, error: unknown): unknown {
  const code = nodeErrorCode(error);
  if (code === undefined) return error;
  const file = name === STANDARD_INPUT ? 'standard input' : name;
  const found = code.startsWith('Z_')
    ? 'its compressed bytes are damaged or cut off'
    : (REASONS[code] ?? code);
  return new ResyncError(
    'rows-invalid',
    say`${file} cannot be read: ${found}.\nNothing was published. Write the rows again, and run again.`,
    {
      cause: error,
    },
  );
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};
