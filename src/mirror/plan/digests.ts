/** Compares what is listed of bytes with what is known of a file. Pure. */

import { digestsByName } from '../../source/listed.js';
import type { Entry } from '../../source/sets/entry.js';
import { HASH_ALGORITHMS } from '../../standard/model.js';
import type { Kept } from './model.js';

/** Strongest first. */
const STRENGTH = HASH_ALGORITHMS.toReversed();

/** The strongest digest of a `hash` that we can compute, `sha-256:…`; undefined where there is none. */
export function strongestDigest(hash: string | undefined): string | undefined {
  if (hash === undefined) return undefined;
  // Nearly always it is the last one.
  const [, last] = /^(?:md5:[\da-f]+ )?(sha-256:[\da-f]+)$/.exec(hash) ?? [];
  if (last !== undefined) return last;
  const digests = digestsByName(hash);
  const name = STRENGTH.find((algorithm) => digests.has(algorithm));
  return name === undefined ? undefined : `${name}:${digests.get(name)}`;
}

/** Whether two descriptions cannot be of the same bytes. */
export function contradicts(one: DescribedBytes, other: DescribedBytes): boolean {
  const [length, before] = [one.length, other.length];
  if (length !== undefined && before !== undefined && Number(length) !== Number(before)) return true;
  const digests = digestsByName(one.hash);
  return [...digestsByName(other.hash)].some(([name, hex]) => (digests.get(name) ?? hex) !== hex);
}

interface DescribedBytes {
  readonly length: string | number | undefined;
  readonly hash: string | undefined;
}

export type KeptComparison =
  | 'same'
  | 'other'
  /** Nothing that both know tells. */
  | 'unknown';

/** Whether a file has the listed bytes, as far as what is known of both tells. */
export function compareKept({ hash, length }: Entry, kept: Kept): KeptComparison {
  if (length !== undefined && /^\d{1,15}$/.test(length) && Number(length) !== kept.length) return 'other';
  if (hash === undefined) return 'unknown';
  // Nearly always it stands there just so.
  if (hash.endsWith(kept.hash) || hash === kept.hash) return 'same';
  const [name = '', hex] = kept.hash.split(':');
  const listed = digestsByName(hash).get(name);
  if (listed === undefined) return 'unknown';
  return listed === hex ? 'same' : 'other';
}
