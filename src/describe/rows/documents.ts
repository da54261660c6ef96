/** Stages the documents of rows, leaves first, and says which there are. */

import type { Publishable } from '../../paths/hold/files.js';
import { OWNER_MARK } from '../../paths/ours.js';
import { countEntries, type Document } from '../../standard/document.js';
import { checkDocument } from '../../standard/make.js';
import { serializeDocument, serializeHead, serializeRows } from '../../standard/xml/serialize.js';
import type { Staging } from '../run/staging.js';

/** A document that was staged. */
export interface StagedDocument {
  /** Relative to the folder of the documents. */
  readonly path: string;
  readonly kind: Document['kind'];
  readonly entries: number;
}

/** Entries that stand in no value: as XML, or in a file with all that surrounds them. */
type Entries = { readonly count: number } & (
  | { readonly xml: string | Uint8Array }
  | { readonly file: string }
);

export class DocumentStager {
  readonly staged: StagedDocument[] = [];
  readonly #staging: Staging;

  constructor(staging: Staging) {
    this.#staging = staging;
  }

  /** @param entries those of a document that is given without any */
  add(path: string, document: Document, entries?: Entries): void {
    const { kind } = checkDocument(document);
    this.staged.push({ path, kind, entries: entries?.count ?? countEntries(document) });
    this.#staging.stage([makePublishable(path, document, entries)]);
  }
}

function makePublishable(path: string, document: Document, entries: Entries | undefined): Publishable {
  if (entries === undefined) return { path, content: serializeDocument(document, OWNER_MARK) };
  if ('file' in entries) return { path, file: entries.file };
  return { path, content: surround(document, entries.xml) };
}

/** Returns a document in pieces. @param document without entries */
export function surround(document: Document, xml: string | Uint8Array): (string | Uint8Array)[] {
  return [serializeHead(document, OWNER_MARK), xml, ...serializeRows(document)];
}
