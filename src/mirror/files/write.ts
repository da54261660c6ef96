/** Writes bytes into a file as they come. */

import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Makes a file, or empties it.
 *
 * @param work hands over the bytes, piece by piece
 */
export async function writeInto<T>(
  file: string,
  work: (write: (piece: Buffer) => void) => Promise<T>,
): Promise<T> {
  const out = openSync(file, 'w');
  try {
    return await work((piece) => {
      for (let offset = 0; offset < piece.length; ) offset += writeSync(out, piece, offset);
    });
  } finally {
    closeSync(out);
  }
}
