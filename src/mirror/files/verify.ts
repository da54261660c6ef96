/** Verifies bytes by the listed length and digests, and makes the state to save of them. */

import { createReadStream } from 'node:fs';
import { findMismatch } from '../../source/listed.js';
import { type Bytes, digestBody, type Opened, type Take } from '../../source/origin/origin.js';
import type { Entry } from '../../source/sets/entry.js';
import { algorithmsOf, type HashAlgorithm, strongestDigest } from '../../standard/model.js';
import type { Kept, Outcome, Want } from '../plan/model.js';

/** Algorithm of the digest that is computed if none is listed, to recognize the file later. */
const OWN: HashAlgorithm = 'sha-256';

/** Returns the algorithm of the strongest listed digest, or SHA-256 if none is listed. */
export function digestsFor(listed: Pick<Entry, 'hash'>): readonly [HashAlgorithm] {
  return [algorithmsOf(listed).at(-1) ?? OWN];
}

/** Describes how bytes differ from the listed length and the strongest listed digest; undefined if they do not. */
export function findWrong(entry: Entry, bytes: Bytes): string | undefined {
  return findMismatch({ ...entry, hash: strongestDigest(entry.hash) }, bytes);
}

/** Returns whether a digest with a known algorithm is listed. */
export function isVerifiable(entry: Entry): boolean {
  return algorithmsOf(entry).length > 0;
}

/** Makes the state to save of a file whose bytes are right. */
export function toKept({ entry, path, sets }: Want, bytes: Bytes, opened?: Opened): Kept {
  const { length } = bytes;
  const listed = strongestDigest(entry.hash);
  if (listed !== undefined) return { path, length, hash: listed, sets };
  return { path, length, hash: `${OWN}:${bytes.hex(OWN)}`, sets, validators: opened?.validators ?? {} };
}

/** Outcomes of resources with the listed length and digest. Nearly all resources share one of these objects, to save memory. */
const AS_LISTED = { ready: { kind: 'ready' }, right: { kind: 'right' } } as const;

export function toOutcome(kind: 'ready' | 'right', want: Want, bytes: Bytes, opened?: Opened): Outcome {
  const { entry } = want;
  const isAsListed = isVerifiable(entry) && Number(entry.length) === bytes.length;
  return isAsListed ? AS_LISTED[kind] : { kind, kept: toKept(want, bytes, opened) };
}

/** Digests an open file, and closes it. @param file its descriptor @param take receives the bytes */
export async function digestFile(file: number, names: readonly HashAlgorithm[], take?: Take): Promise<Bytes> {
  return digestBody(createReadStream('', { fd: file }) as AsyncIterable<Buffer>, names, undefined, take);
}
