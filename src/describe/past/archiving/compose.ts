/** Serializes archived documents, and names them by their bytes, so that no name ever gets other bytes. */

import { hash } from 'node:crypto';
import { type ArchiveName, numberPart, OWNER_MARK, pathOfArchived, pathOfPart } from '../../../paths/ours.js';
import { cutRows } from '../../../standard/cuts/limits.js';
import { countEntries, type Document } from '../../../standard/document.js';
import { DOCUMENT_LIMITS } from '../../../standard/limits.js';
import { checkDocument } from '../../../standard/make.js';
import { serializeDocument, serializeHead, serializeRows } from '../../../standard/xml/serialize.js';
import type { NamedDocument } from '../../document.js';

export interface ArchivedText extends NamedDocument {
  readonly bytes: Buffer;
}

export interface ArchivePlace {
  /** URL of the site, with a trailing slash. */
  readonly url: string;
  readonly set: string | undefined;
  readonly up: string;
}

/** Placeholder for the digest in the address of a document, until its bytes are known. */
const UNKNOWN = '0'.repeat(16);

/** The texts of a document: first those of its parts, if it has any, then its own. */
type Texts = readonly [ArchivedText, ...ArchivedText[]];

/** Serializes a Change List or a dump. @param moment for the name: the end of an interval, or the moment of a snapshot */
export function composeDocument(
  place: ArchivePlace,
  archive: ArchiveName,
  moment: Date,
  document: Document,
): ArchivedText {
  checkDocument(document);
  const [text] = nameTexts(place, archive, moment, (whole) => [{ ...whole, ...writeWhole(document) }]);
  return text;
}

/** Serializes a Resource List, or its parts and their index. @param rows serialized entries in order, shared between lists */
export function composeResourceList(
  place: ArchivePlace,
  at: Date,
  rows: readonly Buffer[],
  limits = DOCUMENT_LIMITS,
): Texts {
  const { up } = place;
  return nameTexts(place, 'resourcelist-archive', at, (whole) => {
    const cuts = cutRows(
      rows.map(({ length }) => length),
      limits,
    );
    if (cuts.length <= 1) return [{ ...whole, ...writeList(undefined, rows) }];
    const parts = cuts.map(({ start, end }, index) => ({
      path: pathOfPart(whole.path, numberPart(index)),
      uri: pathOfPart(whole.uri, numberPart(index)),
      ...writeList(whole.uri, rows.slice(start, end)),
    }));
    const index = checkDocument({ kind: 'resource-list-index', up, at, parts });
    return [...parts, { ...whole, ...writeWhole(index) }] as readonly ArchivedText[] as Texts;
  });

  function writeList(index: string | undefined, some: readonly Buffer[]) {
    const empty = checkDocument({ kind: 'resource-list', up, index, at, resources: [] });
    const head = Buffer.from(serializeHead(empty, OWNER_MARK));
    const end = Buffer.from([...serializeRows(empty)].join(''));
    return { kind: empty.kind, entries: some.length, bytes: Buffer.concat([head, ...some, end]) };
  }
}

function writeWhole(document: Document) {
  const bytes = Buffer.from([...serializeDocument(document, OWNER_MARK)].join(''));
  return { kind: document.kind, entries: countEntries(document), bytes };
}

/** Names a document and its parts by a digest of their bytes. @param compose serializes them for a given path and URI */
function nameTexts(
  { url, set }: ArchivePlace,
  archive: ArchiveName,
  moment: Date,
  compose: (whole: { readonly path: string; readonly uri: string }) => Texts,
): Texts {
  const make = (path: string) => compose({ path, uri: url + path });
  const unnamed = make(pathOfArchived(set, archive, moment, UNKNOWN));
  const path = pathOfArchived(set, archive, moment, digestAll(unnamed.map(({ bytes }) => bytes)));
  return unnamed.length === 1 ? [{ ...unnamed[0], path, uri: url + path }] : make(path);
}

function digestAll(all: readonly Buffer[]): string {
  const digests = all.map((bytes) => hash('sha256', bytes, 'hex'));
  const [only = ''] = digests;
  return (digests.length === 1 ? only : hash('sha256', digests.join(''), 'hex')).slice(0, 16);
}
