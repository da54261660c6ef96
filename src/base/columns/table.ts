/** What is known of very many URLs, as bytes. Pure. */

import { startKeys } from './keys.js';
import { type Column, startNumbers } from './kinds.js';
import { countUpTo, makeRows, mapRows, type Rows } from './rows.js';

/** A column for each field of a record. */
type Schema<T> = { readonly [Name in keyof T]-?: Column<T[Name]> };

/**
 * Starts to keep records, each as a row of columns that the schema names. A record is made anew whenever it is read.
 * One field is read from its column in a fraction of the time.
 */
export function startRecords<T extends object>(columns: Schema<T>) {
  const fields = Object.entries(columns) as [keyof T, Column<unknown>][];
  return {
    columns,
    push(record: T, key: string): void {
      for (const [name, column] of fields) column.push(record[name], key);
    },
    at(index: number, key: string): T {
      const record: Partial<Record<keyof T, unknown>> = {};
      for (const [name, column] of fields) record[name] = column.at(index, key);
      return record as T;
    },
  };
}

/** The key of a record itself. */
export const KEY: Column<string> = { push: () => undefined, at: (_, key) => key };

/** What is asked of a table; a Map is one, too. */
export interface Lookup<T> extends Iterable<[uri: string, value: T]> {
  readonly size: number;
  readonly get: (uri: string) => T | undefined;
  readonly has: (uri: string) => boolean;
  readonly keys: () => Iterable<string>;
  readonly values: () => Iterable<T>;
}

/** Values in an order, and where each of them is. */
export interface TableRows<T> {
  readonly values: Rows<T>;
  /** Their URLs alone. */
  readonly uris: Rows<string>;
  /** The place of a URL among the rows. */
  readonly find: (uri: string) => number | undefined;
}

/** Values by URL, in the order in which the URLs came. */
export type Table<T> = ReturnType<typeof startTable<T>>;

/** @param column keeps the values; what is replaced or deleted stays in it, and is passed by */
export function startTable<T>(column: Column<T>) {
  const uris = startKeys();
  /** By the number of its URL, the row of a value, and 1; 0 for what is gone. */
  const rows = startNumbers();
  let [pushed, size] = [0, 0];

  const rowOf = (number: number) => rows.at(number) - 1;
  const isThere = (number: number | undefined): number is number =>
    number !== undefined && rowOf(number) >= 0;

  function find(uri: string): number | undefined {
    const number = uris.find(uri);
    return isThere(number) ? number : undefined;
  }

  function* numbers(): Generator<number, void> {
    for (let number = 0; number < uris.size(); number++) if (isThere(number)) yield number;
  }

  const at = (number: number) => column.at(rowOf(number), uris.at(number));

  return {
    get size() {
      return size;
    },
    has: (uri: string) => find(uri) !== undefined,
    get(uri: string): T | undefined {
      const number = find(uri);
      return number === undefined ? undefined : at(number);
    },
    /** The number of a URL, which stays the same; undefined where it has no value. */
    find,
    numbers,
    uriAt: uris.at,
    /** The value of a URL, by its number; each time another one that says the same. */
    at,
    /** The row of that value in the column. */
    rowOf,
    set(uri: string, value: T): void {
      column.push(value, uri);
      const known = uris.size();
      const number = uris.add(uri);
      if (number === known || !isThere(number)) size++;
      pushed++;
      if (number === known) rows.push(pushed);
      else rows.put(number, pushed);
    },
    delete(uri: string): void {
      const number = find(uri);
      if (number === undefined) return;
      rows.put(number, 0);
      size--;
    },
    *keys(): Generator<string, void> {
      for (const number of numbers()) yield uris.at(number);
    },
    *values(): Generator<T, void> {
      for (const number of numbers()) yield at(number);
    },
    /** What is there now. */
    toRows(): TableRows<T> {
      const all = makeRows(uris.size(), (number) => number);
      const missing = size === all.length ? [] : [...all.filter((number) => !isThere(number))];
      const there = missing.length === 0 ? all : all.filter(isThere);
      return {
        values: mapRows(there, at),
        uris: mapRows(there, uris.at),
        find(uri) {
          const number = find(uri);
          return number === undefined ? undefined : number - countUpTo(missing, number);
        },
      };
    },
    *[Symbol.iterator](): Generator<[uri: string, value: T], void> {
      for (const number of numbers()) yield [uris.at(number), at(number)];
    },
  };
}
