/** Reads the first bytes of files, for what can be told from them. */

import { closeSync, openSync, readSync } from 'node:fs';
import { unlessRefused } from '../../base/errors.js';
import { OPEN_FLAGS } from '../digest/read-file.js';

/** For one file after another. In bytes. */
let buffer = Buffer.alloc(0);

/**
 * Reads at most so many bytes.
 *
 * @param word in ASCII, without which the text is of no use; to look for it takes less time than to decode the rest
 * @returns as UTF-8; empty where the word is missing, or the file cannot be read: what looks here gives advice, and fails
 *   no run
 */
export function readBeginning(file: string, most: number, word?: RegExp): string {
  const bytes = unlessRefused(() => readFirstBytes(file, most));
  return bytes === undefined || word?.test(bytes.toString('latin1')) === false ? '' : bytes.toString();
}

/** The same as bytes, which are good until the next call. Throws what the system says. */
export function readFirstBytes(file: string, most: number): Buffer {
  if (buffer.length < most) buffer = Buffer.allocUnsafeSlow(most);
  const handle = openSync(file, OPEN_FLAGS);
  try {
    let length = 0;
    // A short read is not the end of a file.
    for (let count = -1; count !== 0 && length < most; length += count) {
      count = readSync(handle, buffer, length, most - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
