/** Reads the beginnings of files, and once more whole files that a scan has read. */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../base/errors.js';
import { OPEN_FLAGS } from '../base/open-flags.js';
import { say } from '../base/text/say.js';

/** Buffer for the first bytes, reused for one file after another. */
let buffer = Buffer.alloc(0);

/** Reads at most `most` bytes as UTF-8; '' if the file cannot be read, because callers only give advice. */
export function readBeginning(file: string, most: number): string {
  const bytes = unlessRefused(() => readFirstBytes(file, most));
  return bytes === undefined ? '' : bytes.toString();
}

/** Reads at most `most` bytes of a file. The result is valid until the next call. @throws a system error */
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

/** Reads a whole file; a link is refused. @param length expected, in bytes @throws ResyncError `file-changing` */
export function readUnchanged(site: string, path: string, length?: number): Uint8Array {
  let cause: unknown;
  try {
    const file = openSync(`${site}/${path}`, OPEN_FLAGS);
    try {
      const stats = fstatSync(file);
      if (stats.isFile() && (length === undefined || stats.size === length)) return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    cause = error;
  }
  throw new ResyncError(
    'file-changing',
    say`${join(site, path)} changed while it was compared.\nRun again when the build has finished.`,
    { cause },
  );
}
