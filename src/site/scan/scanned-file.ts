/** Describes a scanned file, with the state by which a later scan detects changes. */

import { lstatSync } from 'node:fs';
import type { DigestName } from '../../files/digest/kinds.js';
import type { DigestTable } from '../../files/digest/table.js';
import type { SeenFacts } from '../../files/page/facts/seen.js';

/**
 * Time after a change of a file, in milliseconds, within which another change may not show in its timestamps: the clocks of
 * file systems go in steps. Those of FAT are the longest.
 */
export const CLOCK_STEP = 2_000;

export interface FileState {
  /** Size, timestamps and inode of a file: differ after a change, except within `CLOCK_STEP`. */
  readonly stamp: string;
  readonly changed: number;
}

export interface ScannedFile {
  readonly path: string;
  /** State of the file before it was read; undefined if there was no file. */
  readonly state: FileState | undefined;
  /** True if every change of the file after the scan shows in its state. */
  readonly sure: boolean;
  readonly length: number;
  /** Digests of the file in hexadecimal, in the order of the requested algorithms. */
  readonly digests: readonly string[];
  readonly seen: SeenFacts;
}

export function readState(file: string): FileState | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { stamp: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
}

/** Makes a table of scanned files, in their order. @param names of their digests, in order */
export function tabulateFiles(
  files: readonly Pick<ScannedFile, 'length' | 'digests' | 'seen'>[],
  names: readonly DigestName[],
): DigestTable {
  return {
    length: (index) => files[index]?.length ?? 0,
    hex(index, name) {
      const digest = files[index]?.digests[names.indexOf(name)];
      if (digest === undefined) throw new RangeError(`no ${name} is known of file ${index}`);
      return digest;
    },
    seen: (index) => files[index]?.seen,
  };
}
