/** Whether the Resource Lists of a set are still those that a folder was compared with, for a small request each. */

import { digestUpTo, isAbsent, type Origin } from '../../source/origin/origin.js';
import { SMALL } from '../../source/sets/conditions.js';
import type { KnownDocument } from '../../source/sets/entry.js';
import { areUnchanged, type DocumentReader, TAKE_NOTHING } from '../../source/sets/reader.js';
import type { Offer } from '../../source/sets/sets.js';
import { momentOf } from '../../standard/rules/values.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import type { KnownList, SetState } from '../plan/model.js';

/** Of Resource Lists as they are known, what they are now; themselves where they are the same. */
export type ListsNow = ReadonlyMap<KnownDocument, KnownDocument>;

/** Asks what has become of the Resource Lists of sets. */
export async function lookAtLists(origin: Origin, sets: readonly SetState[]): Promise<ListsNow> {
  const documents = sets.flatMap(({ list }) => list?.documents ?? []);
  const look = async (document: KnownDocument) => [document, await lookAt(origin, document)] as const;
  return new Map(await Promise.all(documents.map(look)));
}

/** The document as it is known, where it is the same, or where that costs more than a small request. */
async function lookAt(origin: Origin, known: KnownDocument): Promise<KnownDocument> {
  const { uri, etag, modified, length = Number.POSITIVE_INFINITY } = known;
  if (!isAskable(known)) return known;
  const opened = await origin.open(uri, { fresh: true, validators: { etag, modified } });
  // A list that is not there says nothing; changes lead on all the same.
  if (isAbsent(opened)) return known;
  const body = await digestUpTo(opened, SMALL);
  if (opened.unchanged === true || body === 'broken') return known;
  const now = { uri, etag: opened.validators?.etag, modified: opened.validators?.modified };
  if (body !== 'longer') return body.digest === known.digest ? known : { ...now, ...body };
  // What a server gives in spite of the condition may be the same all the same.
  const isSame = etag === undefined ? modified === now.modified : etag === now.etag;
  return isSame ? known : { ...now, digest: '', length: opened.length ?? length };
}

/** Whether it takes no more than a small request to know whether a document is what it was. */
function isAskable({ etag, modified, length = Number.POSITIVE_INFINITY }: KnownDocument): boolean {
  return etag !== undefined || modified !== undefined || length <= SMALL;
}

/** Whether the Resource Lists of a set are sure to be those that were read: then they say the same, whatever changes tell. */
export function areSure({ documents, isBelieved }: KnownList, now: ListsNow): boolean {
  return !isBelieved && documents.every((document) => isAskable(document) && document === now.get(document));
}

/** Whether the Resource Lists of a set are what they were. */
export function areSameLists({ list }: Pick<SetState, 'list'>, now: ListsNow): boolean {
  return list === undefined || list.documents.every((document) => document === now.get(document));
}

/** What Resource Lists say of themselves. */
export interface Heads {
  /** The oldest of their moments: milliseconds since 1970. */
  readonly at: number;
  /** Whether all of them lead to parts. */
  readonly areIndexes: boolean;
}

/** Reads of Resource Lists that have moved on what a small request for each of them tells; undefined where it tells too little. */
export async function readHeads(
  reader: DocumentReader,
  { resourceLists }: Offer,
  { documents }: KnownList,
  now: ListsNow,
): Promise<Heads | undefined> {
  if (documents.some((document) => (now.get(document)?.length ?? 0) > SMALL)) return undefined;
  const heads: ReadDocument[] = [];
  const options = { taker: TAKE_NOTHING, kind: 'resource-list' };
  for (const uri of resourceLists) heads.push(await reader.read(uri, options));
  const at = Math.min(...heads.map(({ head }) => momentOf(head, 'at') ?? Number.NaN));
  return Number.isNaN(at)
    ? undefined
    : { at, areIndexes: heads.every(({ root }) => root === 'sitemapindex') };
}

/** Whether Resource Lists are, byte for byte, those that were read. */
export async function areAsRead(origin: Origin, { documents, isBelieved }: KnownList): Promise<boolean> {
  if (isBelieved) return false;
  return areUnchanged(
    origin,
    documents.map(({ uri, digest }) => ({ uri, digest })),
  );
}
