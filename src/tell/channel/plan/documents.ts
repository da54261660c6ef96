/** Which documents of a Source are new or changed, and what its channels tell of that (Notification 0.8, Table 2.1). Pure. */

import type { KnownDocument } from '../../../source/sets/entry.js';
import type { DocumentChange } from '../../../standard/document.js';

/** A document, as it was when it was looked at. */
export interface SeenDocument extends KnownDocument {
  readonly capability: DocumentChange['capability'];
  /** URI of the Capability List of its set; undefined for a Source Description, which is above all sets. */
  readonly set?: string | undefined;
  /** URI of its index. */
  readonly index?: string | undefined;
  /** Of an index, its parts: an index itself is never told of. */
  readonly parts?: readonly string[] | undefined;
}

/** By URI. */
export type SeenDocuments = ReadonlyMap<string, SeenDocument>;

/** Those of which it is told that they are gone. */
const VANISHING: readonly string[] = ['capabilitylist', 'description'];

/**
 * Finds what each set's channel has to tell.
 *
 * @param sets URIs of the Capability Lists of all sets, also of those that are gone
 */
export function findDocumentNews(
  before: SeenDocuments,
  after: SeenDocuments,
  sets: readonly string[],
): Map<string, DocumentChange[]> {
  const news = new Map<string, DocumentChange[]>(sets.map((set) => [set, []]));
  const add = ({ uri, capability, set, index }: SeenDocument, change: DocumentChange['change']) => {
    for (const [one, changes] of news)
      if (set === undefined || set === one) changes.push({ change, capability, uri, index });
  };
  for (const document of after.values()) {
    const former = before.get(document.uri);
    if (document.parts !== undefined || former?.digest === document.digest) continue;
    add(document, former === undefined ? 'created' : 'updated');
  }
  for (const document of before.values()) {
    const { uri, capability, parts } = document;
    if (parts === undefined && !after.has(uri) && VANISHING.includes(capability)) add(document, 'deleted');
  }
  return news;
}
