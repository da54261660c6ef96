/** A file that was scanned, with the state by which a later scan detects changes. */

import { lstatSync } from 'node:fs';
import type { DigestName } from '../../files/digest/kinds.js';
import type { DigestTable } from '../../files/digest/table.js';
import type { SeenFacts } from '../../files/page/facts/seen.js';
import { formatDigests } from '../../standard/digests.js';

/**
 * Within this time after a change, in milliseconds, another change may not show in the timestamps: the clocks of file
 * systems go in steps. Those of FAT are the longest.
 */
export const CLOCK_STEP = 2_000;

export interface FileState {
  /** Size, timestamps and inode. Differs after a change, except within `CLOCK_STEP`. */
  readonly stamp: string;
  readonly changed: number;
}

export interface ScannedFile {
  readonly path: string;
  /** Before the file was read; undefined if there was no file. */
  readonly state: FileState | undefined;
  /** Whether every later change shows in the state. */
  readonly sure: boolean;
  readonly length: number;
  /** In hexadecimal, in the order of the requested algorithms. */
  readonly digests: readonly string[];
  readonly seen: SeenFacts;
}

export function readState(file: string): FileState | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { stamp: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
}

/** @param files in the order of the table */
export function tabulateFiles(
  files: readonly Pick<ScannedFile, 'length' | 'digests' | 'seen'>[],
  names: readonly DigestName[],
): DigestTable {
  const hex = (index: number, name: DigestName) => {
    const digest = files[index]?.digests[names.indexOf(name)];
    if (digest === undefined) throw new RangeError(`no ${name} is known of file ${index}`);
    return digest;
  };
  return {
    length: (index) => files[index]?.length ?? 0,
    hex,
    seen: (index) => files[index]?.seen,
    join: (index, wanted) => formatDigests(wanted.map((name) => [name, hex(index, name)] as const)),
  };
}
