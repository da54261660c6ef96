/** Writes the Resource List of rows, in parts that keep the limits of documents, and stages documents. */

import { closeSync, openSync, writeSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { writeDocument } from '../../paths/hold/files.js';
import { type DocumentName, numberPart, OWNER_MARK, pathOfDocument, pathOfPart } from '../../paths/ours.js';
import { LIST_HEAD_BYTES } from '../../standard/cuts/limits.js';
import { countEntries, type Document, type ResourceList } from '../../standard/document.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { checkDocument } from '../../standard/make.js';
import { serializeDocument, serializeHead, serializeRows } from '../../standard/xml/serialize.js';
import type { NamedDocument } from '../document.js';
import type { Staging } from '../run/staging.js';
import type { Row } from './rows.js';

/** The address of a document, and that of the Capability List above it. */
export interface Place {
  readonly path: string;
  readonly uri: string;
  /** URL of the Capability List. */
  readonly up: string;
}

/** Returns the place of a document of the one set of a configuration. */
export function placeDocument({ url, sets: [set] }: Pick<Config, 'url' | 'sets'>, name: DocumentName): Place {
  const path = pathOfDocument(set?.name, name);
  return { path, uri: url + path, up: url + pathOfDocument(set?.name, 'capabilitylist') };
}

/** The bytes or the file of a document with its entries, and the number of the entries. */
type Written = { readonly count: number } & (
  | { readonly content: readonly Piece[] }
  | { readonly file: string }
);
type Piece = string | Uint8Array;

/** Stages documents, and keeps them for the report. Leaves must come first. */
export class DocumentStager {
  readonly staged: NamedDocument[] = [];
  readonly #staging: Staging;
  readonly #url: string;

  constructor(staging: Staging, url: string) {
    this.#staging = staging;
    this.#url = url;
  }

  add(path: string, document: Document, written?: Written): void {
    const { kind } = checkDocument(document);
    const { count, ...content } = written ?? {
      count: countEntries(document),
      content: serializeDocument(document, OWNER_MARK),
    };
    this.#staging.stage([{ path, ...content }]);
    this.staged.push({ path, uri: this.#url + path, kind, entries: count });
  }
}

/** Serializes a document in pieces. @param document without entries @param entries serialized */
export function surround(document: Document, entries: Piece): Piece[] {
  return [serializeHead(document, OWNER_MARK), entries, ...serializeRows(document)];
}

/** Writes the attributes of `<rs:md>` that describe an object: digests, length and type. */
export function writeFacts({ md5, sha256, length, type }: Row): string {
  const hash = md5 + (md5 === '' || sha256 === '' ? '' : ' ') + sha256;
  let text = hash === '' ? '' : ` hash="${hash}"`;
  if (length !== '') text += ` length="${length}"`;
  if (type !== '') text += ` type="${type}"`;
  return text;
}

/** Placeholder of `at` in the head of a part until the last row is read: any other datetime takes as many bytes. */
const UNKNOWN = new Date(0);
/** Number of characters after which the text of entries is turned into bytes. */
const PIECE = 1 << 16;

/** Writes the Resource List of a bucket while rows are read. */
export class ResourceListWriter {
  readonly #place: Place;
  readonly #folder: string;
  /** Number of entries of each part that is written already. Its head is written again when `at` is known. */
  readonly #parts: number[] = [];
  /** Bytes of the entries of the next part; later entries are still in `#text`. */
  readonly #entries = Buffer.allocUnsafe(DOCUMENT_LIMITS.bytes);
  #bytes = 0;
  #text = '';
  #count = 0;

  /** @param folder for files that are to be published */
  constructor(place: Place, folder: string) {
    this.#place = place;
    this.#folder = folder;
  }

  add(row: Row): void {
    const lastmod = row.modified === '' ? '' : `<lastmod>${row.modified}</lastmod>`;
    const entry = `\n  <url><loc>${row.uri}</loc>${lastmod}<rs:md${writeFacts(row)}/></url>`;
    const bytes = LIST_HEAD_BYTES + this.#bytes + this.#text.length + entry.length;
    if (this.#count === DOCUMENT_LIMITS.entries || bytes > DOCUMENT_LIMITS.bytes) this.#writePart();
    this.#text += entry;
    this.#count++;
    if (this.#text.length > PIECE) this.#endPiece();
  }

  /** Stages the list, or its parts and their index (§10.2). */
  stage(to: DocumentStager, at: Date): void {
    const { path, uri, up } = this.#place;
    if (this.#parts.length === 0) {
      this.#endPiece();
      const whole = this.#make(at, undefined);
      to.add(path, whole, { count: this.#count, content: this.#surround(whole) });
      return;
    }
    this.#writePart();
    const part = this.#make(at, uri);
    const parts = this.#parts.map((count, index) => {
      const file = this.#fileOf(index);
      overwriteStart(file, serializeHead(part, OWNER_MARK));
      to.add(pathOfPart(path, numberPart(index)), part, { count, file });
      return { uri: pathOfPart(uri, numberPart(index)) };
    });
    to.add(path, { kind: 'resource-list-index', up, at, parts });
  }

  #endPiece(): void {
    this.#bytes += this.#entries.write(this.#text, this.#bytes, 'latin1');
    this.#text = '';
  }

  #writePart(): void {
    this.#endPiece();
    const part = this.#make(UNKNOWN, this.#place.uri);
    writeDocument(this.#surround(part), this.#fileOf(this.#parts.length));
    this.#parts.push(this.#count);
    this.#count = 0;
    this.#bytes = 0;
  }

  #surround(document: ResourceList): Piece[] {
    return surround(document, this.#entries.subarray(0, this.#bytes));
  }

  #fileOf(part: number): string {
    return `${this.#folder}/resources-${part}`;
  }

  #make(at: Date, index: string | undefined): ResourceList {
    return { kind: 'resource-list', up: this.#place.up, index, at, resources: [] };
  }
}

function overwriteStart(file: string, text: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeSync(handle, text, 0);
  } finally {
    closeSync(handle);
  }
}
