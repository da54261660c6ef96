/** Whether bytes are those that an entry lists, and what is remembered of them. */

import { createReadStream } from 'node:fs';
import { algorithmsOf, findMismatch, strongestDigest } from '../../source/listed.js';
import { type Bytes, digestBody, type Opened } from '../../source/origin/origin.js';
import type { Entry } from '../../source/sets/entry.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Kept, Outcome, Want } from '../plan/model.js';

/** What we compute where nothing is listed, to know the file again. */
const OWN: HashAlgorithm = 'sha-256';

/** The digest to be computed of the bytes of an entry: the strongest that is listed. */
export function digestsFor(entry: Entry): readonly HashAlgorithm[] {
  return [algorithmsOf(entry).at(-1) ?? OWN];
}

/** What is wrong with bytes, as their length and the strongest listed digest tell; undefined where nothing is. */
export function findWrong(entry: Entry, bytes: Bytes): string | undefined {
  return findMismatch({ ...entry, hash: strongestDigest(entry.hash) }, bytes);
}

/** Whether the bytes can be compared with digests that are listed. */
export function isVerifiable(entry: Entry): boolean {
  return algorithmsOf(entry).length > 0;
}

/** What is remembered of bytes that were found right. */
export function toKept({ entry, path, sets }: Want, bytes: Bytes, opened?: Opened): Kept {
  const { length } = bytes;
  const listed = strongestDigest(entry.hash);
  if (listed !== undefined) return { path, length, hash: listed, sets };
  return { path, length, hash: `${OWN}:${bytes.hex(OWN)}`, sets, validators: opened?.validators ?? {} };
}

/** What became of a resource whose bytes are right. */
export function toOutcome(kind: 'ready' | 'right', want: Want, bytes: Bytes, opened?: Opened): Outcome {
  const { entry } = want;
  const isAsListed = isVerifiable(entry) && Number(entry.length) === bytes.length;
  return isAsListed ? { kind } : { kind, kept: toKept(want, bytes, opened) };
}

/** The length and the digests of a file that is open, and closed then. */
export async function digestFile(file: number, names: readonly HashAlgorithm[]): Promise<Bytes> {
  return digestBody(createReadStream('', { fd: file }) as AsyncIterable<Buffer>, names);
}
