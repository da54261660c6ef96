/** Compares listed lengths and digests with those of a file in the copy. Pure. */

import type { Entry } from '../../source/sets/entry.js';
import { compareHashes } from '../../standard/model.js';
import type { Kept } from './model.js';

/** Returns whether two descriptions cannot be of the same bytes. */
export function contradicts(one: DescribedBytes, other: DescribedBytes): boolean {
  const [length, before] = [one.length, other.length];
  if (length !== undefined && before !== undefined && Number(length) !== Number(before)) return true;
  return compareHashes(one.hash, other.hash) === 'other';
}

interface DescribedBytes {
  readonly length: string | number | undefined;
  readonly hash: string | undefined;
}

export type KeptComparison =
  | 'same'
  | 'other'
  /** No listed digest can be compared with that of the file, and its length may be right. */
  | 'unknown';

/** Compares a file with the listed bytes, by what is known of both: length, and a digest. */
export function compareKept({ hash, length }: Entry, kept: Kept): KeptComparison {
  if (length !== undefined && /^\d{1,15}$/.test(length) && Number(length) !== kept.length) return 'other';
  return compareHashes(hash, kept.hash) ?? 'unknown';
}
