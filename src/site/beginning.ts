/** Reads the first bytes of files, for what can be told from them. */

import { closeSync, openSync, readSync } from 'node:fs';
import { unlessRefused } from '../errors.js';
import { OPEN_FLAGS } from './digest/read-file.js';

/** For one file after another. In bytes. */
let buffer = Buffer.alloc(0);

/**
 * Reads at most so many bytes.
 *
 * @returns as UTF-8; empty where the file cannot be read: what looks here gives advice, and fails no run
 */
export function readBeginning(file: string, most: number): string {
  if (buffer.length < most) buffer = Buffer.allocUnsafeSlow(most);
  const read = () => {
    const handle = openSync(file, OPEN_FLAGS);
    try {
      return buffer.toString('utf8', 0, readSync(handle, buffer, 0, most, 0));
    } finally {
      closeSync(handle);
    }
  };
  return unlessRefused(read) ?? '';
}
