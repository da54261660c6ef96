/** What is known of a file that was read, and by what it shows that it has changed. */

import { lstatSync } from 'node:fs';
import type { DigestName } from '../../files/digest/kinds.js';
import type { DigestTable } from '../../files/digest/table.js';
import type { SeenFacts } from '../../files/page/facts/seen.js';
import { formatDigests } from '../../standard/digests.js';

/**
 * So long after a file has changed, in milliseconds, it may change again and look the same: the clocks of file systems
 * go in steps. Those of FAT are the longest.
 */
export const CLOCK_STEP = 2_000;

/** By what a file shows that it has changed. */
export interface Mark {
  /** Another one after a change. */
  readonly state: string;
  /** When it changed last, in milliseconds since 1970. */
  readonly changed: number;
}

export interface KnownFile {
  readonly path: string;
  /** As it was before the file was read; undefined when there was no file. */
  readonly mark: Mark | undefined;
  /** Whether every later change shows in the mark. */
  readonly sure: boolean;
  readonly length: number;
  /** In the order of the names that were asked for. */
  readonly digests: readonly string[];
  /** What was seen of it, if it is a page. */
  readonly seen: SeenFacts;
}

export function readMark(file: string): Mark | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { state: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
}

/** @param files what was found out about each, in the order of the table */
export function tabulateFiles(
  files: readonly Pick<KnownFile, 'length' | 'digests' | 'seen'>[],
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
