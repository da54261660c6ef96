/** Reads the first bytes of files, and whole files that a scan has met before. */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { OPEN_FLAGS } from './digest/read-file.js';

/** For one file after another. In bytes. */
let buffer = Buffer.alloc(0);

/**
 * Reads at most so many bytes.
 *
 * @returns as UTF-8; empty where the file cannot be read: what looks here gives advice, and fails no run
 */
export function readBeginning(file: string, most: number): string {
  const bytes = unlessRefused(() => readFirstBytes(file, most));
  return bytes === undefined ? '' : bytes.toString();
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

/**
 * Reads a file, and never through a link in its place.
 *
 * @param length that it has to have
 * @throws ResyncError `file-changing`
 */
export function readUnchanged(site: string, path: string, length?: number): Uint8Array {
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
    refuseChanged(site, path, error);
  }
  return refuseChanged(site, path);
}

function refuseChanged(site: string, path: string, cause?: unknown): never {
  throw new ResyncError(
    'file-changing',
    say`${join(site, path)} changed while it was compared.\nRun again when the build has finished.`,
    { cause },
  );
}
