/** Tables of very many resources and files, as bytes. Pure. */

import { DigestColumn } from '../../base/columns/digests.js';
import { type Column, JsonColumn, NumberColumn, SharedColumn, TextColumn } from '../../base/columns/kinds.js';
import { makeKeyColumn, RecordColumn, Table } from '../../base/columns/table.js';
import type { Address } from '../../paths/address.js';
import { copyText } from '../../source/listed.js';
import type { Entry } from '../../source/sets/entry.js';
import { type Kept, shareSets } from './model.js';

/** A resource that a mirror wants, and the ids of the sets that list it. */
interface Draft {
  readonly entry: Entry;
  readonly sets: readonly number[];
}

export function createDrafts(): Table<Draft> {
  return new Table(new RecordColumn<Draft>({ entry: createEntries(), sets: createSets() }));
}

/** Creates a column of entries. Texts are copied: a parser cuts them out of documents, which would stay in memory with them. */
function createEntries(): Column<Entry> {
  return new RecordColumn<Entry>({
    uri: makeKeyColumn(),
    spelled: new TextColumn<string | undefined>(),
    hash: new DigestColumn(),
    length: new TextColumn<string | undefined>(),
    type: new SharedColumn((text) => text && copyText(text)),
    encoding: new SharedColumn((text) => text && copyText(text)),
    copies: new JsonColumn(),
  });
}

function createSets(): Column<Kept['sets']> {
  const column = new SharedColumn<Kept['sets']>();
  return { push: (sets) => column.push(shareSets(sets)), at: (index) => column.at(index) };
}

/** Column of paths of files. Nearly all are the end of their URLs: for these, it keeps an offset. */
export class PathColumn implements Column<string> {
  /** Offset of the path in its URL, plus 1; 0 if the URL does not end with it. */
  readonly #begins = new NumberColumn();
  readonly #others = new TextColumn();

  push(path: string, uri: string): void {
    const isEnd = uri.endsWith(path);
    this.#begins.push(isEnd ? uri.length - path.length + 1 : 0);
    this.#others.push(isEnd ? '' : path);
  }

  at(index: number, uri: string): string {
    const begin = this.#begins.at(index);
    return begin === 0 ? this.#others.at(index) : uri.slice(begin - 1);
  }
}

const createFileColumn = () =>
  new RecordColumn<Kept>({
    path: new PathColumn(),
    length: new NumberColumn(),
    hash: new DigestColumn<string>(),
    sets: createSets(),
    validators: new JsonColumn(),
  });

export class FileTable extends Table<Kept, Address> {
  readonly #columns: RecordColumn<Kept>['columns'];

  constructor(first: Iterable<readonly [uri: Address, kept: Kept]> = []) {
    const column = createFileColumn();
    super(column);
    this.#columns = column.columns;
    for (const [uri, file] of first) this.set(uri, file);
  }

  /** Returns the path of a file far faster than `at`. */
  pathAt(number: number): string {
    return this.#columns.path.at(this.rowOf(number), this.uriAt(number));
  }

  /** Returns the ids of the sets that list a file far faster than `at`. */
  setsAt(number: number): readonly number[] {
    return this.#columns.sets.at(this.rowOf(number), '');
  }

  /** Counts the files whose bytes no listed digest verifies. */
  countUnverified(): number {
    const { validators } = this.#columns;
    let count = 0;
    for (const number of this.numbers()) if (validators.at(this.rowOf(number), '') !== undefined) count++;
    return count;
  }
}

export type Files = Omit<FileTable, 'set' | 'delete'>;
