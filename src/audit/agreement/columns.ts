/** What documents list, as bytes: very many resources are remembered. Pure. */

import type { BinaryDigests } from '../../base/columns/digest-form.js';
import { startDigestColumn } from '../../base/columns/digests.js';
import { startNumbers } from '../../base/columns/numbers.js';
import { startShared } from '../../base/columns/shared.js';
import type { Columns } from '../../base/columns/table.js';
import { startOptionalTexts } from '../../base/columns/texts.js';
import { copyText, type ListedResource } from '../../source/listed.js';

/** What a row takes in tables beside the bytes of its texts, with some room for tables to grow. */
const ROW_BYTES = 64;
/** What a text takes beside its characters. */
const TEXT_BYTES = 48;

/**
 * Starts to keep resources as bytes, each text as it stands.
 *
 * @param keep is told about how many bytes of memory what is pushed takes, with its URL
 */
export function startListed(keep: (bytes: number) => void = () => undefined): Columns<ListedResource> {
  const columns = startColumns(keep);
  return {
    push({ uri, document, line, lastmod, hash, length, type, encoding }) {
      columns.documents.push(document);
      columns.lines.push(line);
      columns.lastmods.push(lastmod);
      const digests = columns.hashes.push(hash);
      columns.lengths.push(length);
      columns.types.push(type);
      columns.encodings.push(encoding);
      keep(ROW_BYTES + Buffer.byteLength(uri) + digests + (length?.length ?? 0));
    },
    at: (index, uri) => new ListedRow(uri, columns, index),
  };
}

type ListedColumns = ReturnType<typeof startColumns>;

function startColumns(keep: (bytes: number) => void) {
  /** Texts that come again and again. */
  const startTexts = () =>
    startShared<string | undefined>((text) => {
      if (text === undefined) return undefined;
      keep(TEXT_BYTES + text.length);
      return copyText(text);
    });
  return {
    documents: startShared<string>(),
    lines: startNumbers(),
    lastmods: startTexts(),
    hashes: startDigestColumn(),
    lengths: startOptionalTexts(),
    types: startTexts(),
    encodings: startTexts(),
  };
}

/** A resource of which each text is made when it is asked for: of most, few are. It is not to be spread. */
export class ListedRow implements ListedResource {
  readonly uri: string;
  readonly #columns: ListedColumns;
  readonly #index: number;

  constructor(uri: string, columns: ListedColumns, index: number) {
    this.uri = uri;
    this.#columns = columns;
    this.#index = index;
  }

  get document(): string {
    return this.#columns.documents.at(this.#index);
  }
  get line(): number {
    return this.#columns.lines.at(this.#index);
  }
  get lastmod(): string | undefined {
    return this.#columns.lastmods.at(this.#index);
  }
  get hash(): string | undefined {
    return this.#columns.hashes.at(this.#index);
  }
  get length(): string | undefined {
    return this.#columns.lengths.at(this.#index);
  }
  get type(): string | undefined {
    return this.#columns.types.at(this.#index);
  }
  get encoding(): string | undefined {
    return this.#columns.encodings.at(this.#index);
  }

  /** Whether its hash is of just these digests. */
  says(digests: BinaryDigests): boolean {
    return this.#columns.hashes.says(this.#index, digests);
  }
}
