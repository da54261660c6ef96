/** What is known of very many URLs, as bytes. Pure. */

import { startKeys } from './keys.js';
import { countUpTo, makeRows, mapRows, type Rows } from './rows.js';

/** What is asked of a table; a Map is one, too. */
export interface Lookup<T> extends Iterable<[uri: string, value: T]> {
  readonly size: number;
  readonly get: (uri: string) => T | undefined;
  readonly has: (uri: string) => boolean;
  readonly keys: () => Iterable<string>;
  readonly values: () => Iterable<T>;
}

/** Values by URL, in the order in which the URLs came. */
export interface Table<T> extends Lookup<T> {
  readonly set: (uri: string, value: T) => void;
  readonly delete: (uri: string) => void;
  /** What is there now. */
  readonly toRows: () => TableRows<T>;
}

/** Values in an order, and where each of them is. */
export interface TableRows<T> {
  readonly values: Rows<T>;
  /** Their URLs alone. */
  readonly uris: Rows<string>;
  /** The place of a URL among the rows. */
  readonly find: (uri: string) => number | undefined;
}

/** Keeps values in columns. */
export interface Columns<T> {
  readonly push: (value: T, uri: string) => void;
  /** Makes a value from its number, each time another one that says the same. */
  readonly at: (index: number, uri: string) => T;
}

/** @param columns keep the values; one that is replaced or deleted, which few are, is passed by */
export function startTable<T>({ push, at }: Columns<T>): Table<T> {
  const uris = startKeys();
  /** What the columns do not have as it is now, by number; undefined for what is gone. */
  const others = new Map<number, T | undefined>();
  let gone = 0;

  const findValue = (number: number, uri: string): T | undefined =>
    others.size > 0 && others.has(number) ? others.get(number) : at(number, uri);

  function* entries(): Generator<[string, T], void> {
    for (let number = 0; number < uris.size(); number++) {
      const uri = uris.at(number);
      const value = findValue(number, uri);
      if (value !== undefined) yield [uri, value];
    }
  }

  function isThere(number: number | undefined): number is number {
    return number !== undefined && !(others.has(number) && others.get(number) === undefined);
  }

  return {
    get size() {
      return uris.size() - gone;
    },
    get(uri) {
      const number = uris.find(uri);
      return number === undefined ? undefined : findValue(number, uri);
    },
    has: (uri) => isThere(uris.find(uri)),
    set(uri, value) {
      const before = uris.size();
      const number = uris.add(uri);
      if (number === before) return push(value, uri);
      if (!isThere(number)) gone--;
      others.set(number, value);
    },
    delete(uri) {
      const number = uris.find(uri);
      if (!isThere(number)) return;
      others.set(number, undefined);
      gone++;
    },
    *keys() {
      for (let number = 0; number < uris.size(); number++) if (isThere(number)) yield uris.at(number);
    },
    *values() {
      for (const [, value] of entries()) yield value;
    },
    toRows() {
      const all = makeRows(uris.size(), (number) => number);
      const there = gone === 0 ? all : all.filter(isThere);
      const missing = [...others.keys()].filter((number) => !isThere(number)).sort((a, b) => a - b);
      return {
        values: mapRows(there, (number) => findValue(number, uris.at(number)) as T),
        uris: mapRows(there, uris.at),
        find(uri) {
          const number = uris.find(uri);
          return isThere(number) ? number - countUpTo(missing, number) : undefined;
        },
      };
    },
    [Symbol.iterator]: entries,
  };
}
