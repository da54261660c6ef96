/** Makes the folders that a run needs, removes those that it leaves empty, and reads what may be gone. */

import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { systemErrorCode } from '../errors.js';

/**
 * Makes a folder, but not those above it: the site may have been moved away.
 *
 * @returns false when it is there already, perhaps because another run has just made it
 */
export function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}

/** Between looking and reading, another run may remove it. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
