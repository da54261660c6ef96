/** Writes bytes into a file as they come. */

import { closeSync, writeSync } from 'node:fs';
import { systemErrorCode } from '../../base/errors.js';
import type { HeldFolder } from './folder.js';

/**
 * Makes a file, in place of whatever has the name.
 *
 * @param work hands over the bytes, piece by piece
 */
export async function writeInto<T>(
  folder: HeldFolder,
  name: string,
  work: (write: (piece: Buffer) => void) => Promise<T>,
): Promise<T> {
  const out = makeAnew(folder, name);
  try {
    return await work((piece) => {
      for (let offset = 0; offset < piece.length; ) offset += writeSync(out, piece, offset);
    });
  } finally {
    closeSync(out);
  }
}

/** What is there is removed and not written to: it may be a link, or have a second name elsewhere. */
function makeAnew(folder: HeldFolder, name: string): number {
  try {
    return folder.create(name);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    folder.clear(name);
    return folder.create(name);
  }
}
