/** The files that we put into a folder, by URL, as bytes. Pure. */

import { startKeys } from '../../../base/columns/keys.js';
import { startNumbers } from '../../../base/columns/numbers.js';
import type { Kept } from '../model.js';
import { startKept } from './kept.js';

/** What is known of the files. Each is made when it is asked for: two readings give two objects that say the same. */
export interface Files extends Iterable<[uri: string, kept: Kept]> {
  readonly size: number;
  /** How many have bytes that no list tells the digest of. */
  readonly unverified: number;
  readonly has: (uri: string) => boolean;
  readonly get: (uri: string) => Kept | undefined;
  /** The number of a file, which stays the same; undefined where there is none. */
  readonly find: (uri: string) => number | undefined;
  readonly numbers: () => Iterable<number>;
  readonly uriAt: (number: number) => string;
  readonly at: (number: number) => Kept;
  /** Parts of what `at` gives, in a fraction of its time. */
  readonly pathAt: (number: number) => string;
  readonly setsAt: (number: number) => Kept['sets'];
}

/** Files that change. */
export interface FileTable extends Files {
  readonly set: (uri: string, kept: Kept) => void;
  readonly delete: (uri: string) => void;
}

/** @param first files that are there at the start */
export function startFiles(first: Iterable<readonly [uri: string, kept: Kept]> = []): FileTable {
  const uris = startKeys();
  /** By the number of its URL, the row of what is known of a file now, from 1; 0 where there is none any more. */
  const rows = startNumbers();
  const kept = startKept();
  let [pushed, size, unverified] = [0, 0, 0];

  const rowOf = (number: number) => rows.at(number) - 1;

  function find(uri: string): number | undefined {
    const number = uris.find(uri);
    return number === undefined || rows.at(number) === 0 ? undefined : number;
  }

  function* numbers(): Generator<number, void> {
    for (let number = 0; number < uris.size(); number++) if (rows.at(number) !== 0) yield number;
  }

  function remove(uri: string): void {
    const number = find(uri);
    if (number === undefined) return;
    size--;
    if (!kept.isVerifiedAt(rowOf(number))) unverified--;
    rows.put(number, 0);
  }

  function set(uri: string, file: Kept): void {
    remove(uri);
    kept.push(file, uri);
    pushed++;
    const known = uris.size();
    const number = uris.add(uri);
    if (number === known) rows.push(pushed);
    else rows.put(number, pushed);
    size++;
    if (file.validators !== undefined) unverified++;
  }

  const at = (number: number) => kept.at(rowOf(number), uris.at(number));

  for (const [uri, file] of first) set(uri, file);
  return {
    get size() {
      return size;
    },
    get unverified() {
      return unverified;
    },
    has: (uri) => find(uri) !== undefined,
    get(uri) {
      const number = find(uri);
      return number === undefined ? undefined : at(number);
    },
    find,
    numbers,
    uriAt: uris.at,
    at,
    pathAt: (number) => kept.pathAt(rowOf(number), uris.at(number)),
    setsAt: (number) => kept.setsAt(rowOf(number)),
    *[Symbol.iterator]() {
      for (const number of numbers()) yield [uris.at(number), at(number)];
    },
    set,
    delete: remove,
  };
}
