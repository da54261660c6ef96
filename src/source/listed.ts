/** Listed resources and changes, and the comparison of bytes with the listed digests and lengths. Pure. */

import { parseDatetime } from '../base/datetime.js';
import { type Address, addressOf } from '../paths/address.js';
import { algorithmsOf, digestsByName, HASH_ALGORITHMS, readListedHash } from '../standard/model.js';
import type { ListedFacts, ReadEntry } from '../standard/xml/as-read.js';
import type { Bytes, WantedBytes } from './origin/origin.js';

export interface ListedPlace {
  readonly uri: Address;
  readonly document: string;
  readonly line: number;
}

/** A resource as the newest document about it describes it. */
export interface ListedResource extends ListedPlace, ListedFacts {
  /** The address as listed, if it differs from `uri`, which is normalized for comparison. */
  readonly spelled?: string | undefined;
  readonly lastmod: string | undefined;
}

export interface ListedChange extends ListedResource {
  readonly change: string | undefined;
  readonly datetime: string | undefined;
  readonly time: Date | undefined;
}

export function spellAddress(listed: string): Pick<ListedResource, 'uri' | 'spelled'> {
  const uri = addressOf(listed);
  return { uri, spelled: uri === listed ? undefined : listed };
}

/** Reads the facts that an entry gives of a representation, without invalid values, which the audit reports. */
export function toFacts({ md }: Pick<ReadEntry, 'md'>): ListedFacts {
  const { hash, length, type, encoding } = md?.attributes ?? {};
  const isNumber = length !== undefined && /^\d{1,15}$/.test(length);
  return { hash: readListedHash(hash), length: isNumber ? length : undefined, type, encoding };
}

/** Makes a listed resource of an entry; undefined if the entry has no URI. */
export function makeListed(
  entry: Pick<ReadEntry, 'loc' | 'line' | 'lastmod' | 'md'>,
  document: string,
): ListedResource | undefined {
  const { loc, line, lastmod } = entry;
  if (loc === undefined) return undefined;
  return { ...spellAddress(loc), document, line, lastmod, ...toFacts(entry) };
}

export function readLastmod(lastmod: string | undefined): Date | undefined {
  return lastmod === undefined ? undefined : parseDatetime(lastmod);
}

/** Derives from a listed resource which facts of its bytes have to be compared. */
export function toWanted(
  listed: ListedFacts & { readonly uri: string; readonly spelled?: string | undefined },
): WantedBytes {
  const { uri, spelled, length, encoding } = listed;
  const known = length === undefined ? undefined : Number(length);
  const digests = algorithmsOf(listed);
  const isRight = (bytes: Bytes) => findMismatch(listed, bytes) === undefined;
  const canTell = known !== undefined || digests.length > 0;
  return { uri: spelled ?? uri, encoding, length: known, digests, isRight: canTell ? isRight : undefined };
}

/** Copies a text that a parser cut out of a larger one: a substring would keep all of that in memory. */
export function copyText<T extends string>(text: T): T {
  return Buffer.from(text).toString() as T;
}

interface BytesDifference {
  readonly code: 'hash-differs' | 'length-differs';
  readonly found: string;
  readonly expected: string;
}

/** Compares digests and length of bytes with the listed ones; undefined if they agree. */
export function compareBytes(
  listed: ListedFacts,
  { length, more, hex, also }: Bytes,
): BytesDifference | undefined {
  const asCame = also === undefined ? '' : `; ${also}`;
  const digests = digestsByName(listed.hash);
  for (const name of more ? [] : HASH_ALGORITHMS) {
    const expected = digests.get(name);
    const found = expected === undefined ? undefined : hex(name);
    if (found === expected) continue;
    return {
      code: 'hash-differs',
      found: `${name}:${found} (${length} bytes)${asCame}`,
      expected: `${name}:${expected}`,
    };
  }
  const expected = listed.length ?? String(length);
  if (!more && Number(expected) === length) return undefined;
  return { code: 'length-differs', found: (more ? `more than ${expected}` : `${length}`) + asCame, expected };
}

/** Describes what is wrong with bytes; undefined if they are as listed. */
export function findMismatch(listed: ListedFacts, bytes: Bytes): string | undefined {
  const difference = compareBytes(listed, bytes);
  return difference && `it is ${difference.found}, but ${difference.expected} is listed`;
}
