/** What documents list: resources and changes, with what they say of them. Pure. */

import { HASH_ALGORITHMS, type HashAlgorithm } from '../standard/model.js';
import type { ListedFacts, ReadEntry } from '../standard/xml/as-read.js';
import type { WantedBytes } from './origin/origin.js';

/** Where something is listed. */
export interface ListedPlace {
  readonly uri: string;
  readonly document: string;
  readonly line: number;
}

/** A resource, as the newest document about it says. */
export interface ListedResource extends ListedPlace, ListedFacts {
  readonly lastmod: string | undefined;
}

export interface ListedChange extends ListedPlace, ListedFacts {
  readonly lastmod: string | undefined;
  readonly change: string | undefined;
  readonly datetime: string | undefined;
  readonly time: Date | undefined;
}

export function toFacts({ md }: ReadEntry): ListedFacts {
  const { hash, length, type, encoding } = md?.attributes ?? {};
  return { hash, length, type, encoding };
}

const NAMES = HASH_ALGORITHMS.map((name) => ({ name, pattern: new RegExp(`(?:^|\\s)${name}:`) }));

const USUAL = /^md5:[^\s:]+ sha-256:[^\s:]+$/;
const USUAL_NAMES: readonly HashAlgorithm[] = ['md5', 'sha-256'];

/** The listed digests that we can compute. Takes nothing apart: it is asked about every resource, and more than once. */
export function algorithmsOf({ hash = '' }: ListedFacts): readonly HashAlgorithm[] {
  // What nearly all say is known at a glance.
  if (USUAL.test(hash)) return USUAL_NAMES;
  return NAMES.flatMap(({ name, pattern }) => (pattern.test(hash) ? name : []));
}

/** What an entry lists; undefined where it has no URI. */
export function makeListed(entry: ReadEntry, document: string): ListedResource | undefined {
  const { loc: uri, line, lastmod } = entry;
  if (uri === undefined) return undefined;
  const { hash, length, type, encoding } = toFacts(entry);
  return { uri, document, line, lastmod, hash, length, type, encoding };
}

/** What has to be known of the bytes of something listed. */
export function toWanted(listed: Pick<ListedResource, 'uri' | keyof ListedFacts>): WantedBytes {
  const { uri, length, encoding } = listed;
  const known = length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  return { uri, encoding, length: known, digests: algorithmsOf(listed) };
}
