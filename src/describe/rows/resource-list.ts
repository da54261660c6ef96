/** Writes the Resource List of rows while they are read: parts of as many entries as a document may have. */

import { closeSync, openSync, writeSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { writeDocument } from '../../paths/hold/files.js';
import { type DocumentName, numberPart, OWNER_MARK, pathOfDocument, pathOfPart } from '../../paths/ours.js';
import { LIST_HEAD_BYTES } from '../../standard/cuts/limits.js';
import type { ResourceList } from '../../standard/document.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { serializeHead } from '../../standard/xml/serialize.js';
import { ByteBuffer } from './bytes.js';
import { type DocumentStager, surround } from './documents.js';
import { addResource, MOST_ENTRY } from './entries.js';
import type { Row } from './rows.js';

/** The place of a list that may become the index of its parts. */
export interface ListPlace {
  /** Relative to the folder of the documents. */
  readonly path: string;
  readonly uri: string;
  /** URL of the Capability List. */
  readonly up: string;
}

/** Returns the place of a list of the one set of a configuration. */
export function placeList({ url, sets: [set] }: Pick<Config, 'url' | 'sets'>, name: DocumentName): ListPlace {
  const path = pathOfDocument(set?.name, name);
  return { path, uri: url + path, up: url + pathOfDocument(set?.name, 'capabilitylist') };
}

/** Stands in the head of a part until the last row has been read: any datetime takes as many bytes. */
const UNKNOWN = new Date(0);
const MOST_BYTES = DOCUMENT_LIMITS.bytes - LIST_HEAD_BYTES;

export class ResourceListWriter {
  readonly #place: ListPlace;
  readonly #base: Uint8Array;
  readonly #folder: string;
  /** Parts that are written already, each but for its head. */
  readonly #parts: { readonly file: string; readonly count: number }[] = [];
  readonly #entries = new ByteBuffer(MOST_BYTES);
  #count = 0;

  /**
   * @param base URL of the root, escaped for XML
   * @param folder for files that are to be published
   */
  constructor(place: ListPlace, base: Uint8Array, folder: string) {
    this.#place = place;
    this.#base = base;
    this.#folder = folder;
  }

  add(row: Row): void {
    if (this.#count === DOCUMENT_LIMITS.entries || this.#entries.length + MOST_ENTRY > MOST_BYTES)
      this.#writePart();
    addResource(this.#entries, this.#base, row);
    this.#count++;
  }

  /** Stages the list, or its parts and their index (§10.2). */
  stage(to: DocumentStager, at: Date): void {
    const { path, uri, up } = this.#place;
    if (this.#parts.length === 0) {
      to.add(path, this.#make(at, undefined), { count: this.#count, xml: this.#entries.take() });
      return;
    }
    this.#writePart();
    const head = serializeHead(this.#make(at, uri), OWNER_MARK);
    const parts = this.#parts.map(({ file, count }, place) => {
      const name = numberPart(place);
      overwriteStart(file, head);
      to.add(pathOfPart(path, name), this.#make(at, uri), { count, file });
      return { uri: pathOfPart(uri, name) };
    });
    to.add(path, { kind: 'resource-list-index', up, at, parts });
  }

  #writePart(): void {
    const file = `${this.#folder}/resources-${this.#parts.length}`;
    writeDocument(surround(this.#make(UNKNOWN, this.#place.uri), this.#entries.take()), file);
    this.#parts.push({ file, count: this.#count });
    this.#count = 0;
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
