/** Changes of the documents of a Source, as its channels report them (Notification 0.8, Table 2.1). Pure. */

import type { KnownDocument } from '../../../source/sets/entry.js';
import type { DocumentChange } from '../../../standard/document.js';

/** A document as it was at the last poll. */
export interface PolledDocument extends KnownDocument {
  readonly capability: DocumentChange['capability'];
  /** URI of the Capability List of its set; undefined for a Source Description, which is above all sets. */
  readonly set?: string | undefined;
  readonly index?: string | undefined;
  /** URLs of the parts, if the document is an index. An index itself is never reported. */
  readonly parts?: readonly string[] | undefined;
}

export type PolledDocuments = ReadonlyMap<string, PolledDocument>;

/** Capabilities of documents whose removal is reported. */
const VANISHING: readonly string[] = ['capabilitylist', 'description'];

/** Finds the changed documents for each set's channel. @param sets URIs of all Capability Lists, even of removed ones */
export function findDocumentNews(
  before: PolledDocuments,
  after: PolledDocuments,
  sets: readonly string[],
): Map<string, DocumentChange[]> {
  const news = new Map<string, DocumentChange[]>(sets.map((set) => [set, []]));
  const add = ({ uri, capability, set, index }: PolledDocument, change: DocumentChange['change']) => {
    for (const [one, changes] of news)
      if (set === undefined || set === one) changes.push({ change, capability, uri, index });
  };
  for (const document of after.values()) {
    const previous = before.get(document.uri);
    if (document.parts !== undefined || previous?.digest === document.digest) continue;
    add(document, previous === undefined ? 'created' : 'updated');
  }
  for (const document of before.values()) {
    const { uri, capability, parts } = document;
    if (parts === undefined && !after.has(uri) && VANISHING.includes(capability)) add(document, 'deleted');
  }
  return news;
}
