/** Checks by small requests whether the Resource Lists of a set are those that the folder was compared with. */

import { digestUpTo, isAbsent, type Origin } from '../../source/origin/origin.js';
import { SMALL } from '../../source/sets/conditions.js';
import type { KnownDocument } from '../../source/sets/entry.js';
import { areUnchanged, type DocumentReader, TAKE_NOTHING } from '../../source/sets/reader.js';
import type { Offer } from '../../source/sets/sets.js';
import { momentOf } from '../../standard/rules/values.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import type { KnownList, SetState } from '../plan/model.js';

/** Current documents of Resource Lists by the saved documents; an unchanged document stands for itself. */
export type ListsNow = ReadonlyMap<KnownDocument, KnownDocument>;

export async function lookAtLists(origin: Origin, sets: readonly SetState[]): Promise<ListsNow> {
  const documents = sets.flatMap(({ list }) => (list === undefined ? [] : list.documents));
  const look = async (document: KnownDocument) => [document, await lookAt(origin, document)] as const;
  return new Map(await Promise.all(documents.map(look)));
}

/** Asks for the current state of a saved document; returns the saved state if it is unchanged, or if a small request cannot tell. */
async function lookAt(origin: Origin, saved: KnownDocument): Promise<KnownDocument> {
  const { uri, etag, modified, length = Number.POSITIVE_INFINITY } = saved;
  if (!isCheckable(saved)) return saved;
  const opened = await origin.open(uri, { fresh: true, validators: { etag, modified } });
  // A list that cannot be opened counts as unchanged: changes may suffice.
  if (isAbsent(opened)) return saved;
  const body = await digestUpTo(opened, SMALL);
  if (opened.unchanged === true || body === 'broken') return saved;
  const now = { uri, etag: opened.validators?.etag, modified: opened.validators?.modified };
  if (body !== 'longer') return body.digest === saved.digest ? saved : { ...now, ...body };
  // A server that ignores conditions may still send the same version.
  const isSame = etag === undefined ? modified === now.modified : etag === now.etag;
  return isSame ? saved : { ...now, digest: '', length: opened.length ?? length };
}

/** Returns whether a small request can show that a document is unchanged. */
function isCheckable({ etag, modified, length = Number.POSITIVE_INFINITY }: KnownDocument): boolean {
  return etag !== undefined || modified !== undefined || length <= SMALL;
}

/** Returns whether no small request has shown a change in the Resource Lists of a set. */
export function areSameLists({ list }: Pick<SetState, 'list'>, now: ListsNow): boolean {
  return list === undefined || list.documents.every((document) => document === now.get(document));
}

export interface Heads {
  /** The oldest moment of the Resource Lists: milliseconds since 1970. */
  readonly at: number;
  readonly areIndexes: boolean;
}

/** Reads the heads of new Resource Lists by small requests; returns undefined if they are too long, or have no moment. */
export async function readHeads(
  reader: DocumentReader,
  { resourceLists }: Offer,
  { documents }: KnownList,
  now: ListsNow,
): Promise<Heads | undefined> {
  if (documents.some((document) => (now.get(document)?.length ?? SMALL) > SMALL)) return undefined;
  const heads: ReadDocument[] = [];
  const options = { taker: TAKE_NOTHING, kind: 'resource-list' };
  for (const uri of resourceLists) heads.push(await reader.read(uri, options));
  const at = Math.min(...heads.map(({ head }) => momentOf(head, 'at') ?? Number.NaN));
  return Number.isNaN(at)
    ? undefined
    : { at, areIndexes: heads.every(({ root }) => root === 'sitemapindex') };
}

/** Returns whether the Resource Lists of a set still have the bytes that were read. */
export async function areAsRead(origin: Origin, { documents, isBelieved }: KnownList): Promise<boolean> {
  if (isBelieved) return false;
  return areUnchanged(
    origin,
    documents.map(({ uri, digest }) => ({ uri, digest })),
  );
}
