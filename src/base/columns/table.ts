/** Tables of very many records by URL, kept as bytes. Pure. */

import { InternedTexts } from './keys.js';
import { type Column, NumberColumn } from './kinds.js';
import { makeRows, mapRows, type Rows } from './rows.js';

type Schema<T> = { readonly [Name in keyof T]-?: Column<T[Name]> };

/** Column of records, with a column for each field. A record is created anew on each read; one field is read far faster. */
export class RecordColumn<T extends object> implements Column<T> {
  readonly columns: Schema<T>;
  readonly #fields: [keyof T, Column<unknown>][];

  constructor(columns: Schema<T>) {
    this.columns = columns;
    this.#fields = Object.entries(columns) as [keyof T, Column<unknown>][];
  }

  push(record: T, key: string): void {
    for (const [name, column] of this.#fields) column.push(record[name], key);
  }

  at(index: number, key: string): T {
    const record: Partial<Record<keyof T, unknown>> = {};
    for (const [name, column] of this.#fields) record[name] = column.at(index, key);
    return record as T;
  }
}

/** Makes a column for the field that is the key of its record; it takes no memory. */
export function makeKeyColumn<K extends string>(): Column<K> {
  return { push: () => undefined, at: (_, key) => key as K };
}

/** Read access to values by URL, as in a `Table` or a `Map`. */
export interface Lookup<T, K extends string = string> extends Iterable<[uri: K, value: T]> {
  readonly size: number;
  readonly get: (uri: K) => T | undefined;
  readonly has: (uri: K) => boolean;
  readonly keys: () => Iterable<K>;
  readonly values: () => Iterable<T>;
}

/** Values by URL, in insertion order. Each URL keeps its number; replaced and deleted values stay in the column, unread. */
export class Table<T, K extends string = string> implements Lookup<T, K> {
  readonly #column: Column<T>;
  readonly #uris = new InternedTexts<K>();
  /** Row of each URL's value in the column, plus 1; 0 for a deleted value. */
  readonly #rows = new NumberColumn();
  #pushed = 0;
  #size = 0;

  constructor(column: Column<T>) {
    this.#column = column;
  }

  get size(): number {
    return this.#size;
  }

  has(uri: K): boolean {
    return this.find(uri) !== undefined;
  }

  get(uri: K): T | undefined {
    const number = this.find(uri);
    return number === undefined ? undefined : this.at(number);
  }

  find(uri: K): number | undefined {
    const number = this.#uris.find(uri);
    return number !== undefined && this.#isPresent(number) ? number : undefined;
  }

  uriAt(number: number): K {
    return this.#uris.at(number);
  }

  at(number: number): T {
    return this.#column.at(this.rowOf(number), this.#uris.at(number));
  }

  /** Returns the row of a URL's value in the column, by the number of the URL; -1 for a deleted value. */
  rowOf(number: number): number {
    return this.#rows.at(number) - 1;
  }

  set(uri: K, value: T): void {
    this.#column.push(value, uri);
    const end = this.#uris.size;
    const number = this.#uris.add(uri);
    if (number === end || !this.#isPresent(number)) this.#size++;
    this.#pushed++;
    if (number === end) this.#rows.push(this.#pushed);
    else this.#rows.put(number, this.#pushed);
  }

  delete(uri: K): void {
    const number = this.find(uri);
    if (number === undefined) return;
    this.#rows.put(number, 0);
    this.#size--;
  }

  *numbers(): Generator<number, void> {
    for (let number = 0; number < this.#uris.size; number++) if (this.#isPresent(number)) yield number;
  }

  *keys(): Generator<K, void> {
    for (const number of this.numbers()) yield this.#uris.at(number);
  }

  *values(): Generator<T, void> {
    for (const number of this.numbers()) yield this.at(number);
  }

  *[Symbol.iterator](): Generator<[uri: K, value: T], void> {
    for (const number of this.numbers()) yield [this.#uris.at(number), this.at(number)];
  }

  /** Returns the values of the table at this moment, as rows that are read on demand. */
  toRows(): Rows<T> {
    const all = makeRows(this.#uris.size, (number) => number);
    const present = this.#size === all.length ? all : all.filter((number) => this.#isPresent(number));
    return mapRows(present, (number) => this.at(number));
  }

  #isPresent(number: number): boolean {
    return this.rowOf(number) >= 0;
  }
}
