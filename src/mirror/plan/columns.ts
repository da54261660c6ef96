/** What a mirror knows of very many resources and files, as bytes. Pure. */

import { DigestColumn } from '../../base/columns/digests.js';
import {
  type Column,
  JsonColumn,
  NumberColumn,
  OptionalTextColumn,
  SharedColumn,
  TextColumn,
} from '../../base/columns/kinds.js';
import { KEY, RecordColumn, Table } from '../../base/columns/table.js';
import { copyText } from '../../source/listed.js';
import type { Entry } from '../../source/sets/entry.js';
import { type Kept, shareSets } from './model.js';

/** A resource that is wanted, and the sets that list it. */
interface Draft {
  readonly entry: Entry;
  readonly sets: readonly number[];
}

export function startDrafts() {
  return new RecordColumn<Draft>({ entry: startEntries(), sets: startSets() });
}

/** Starts to keep entries. What a parser cut out of a document is copied. */
function startEntries() {
  return new RecordColumn<Entry>({
    uri: KEY,
    spelled: new OptionalTextColumn(),
    hash: new DigestColumn(),
    length: new OptionalTextColumn(),
    type: new SharedColumn((text) => text && copyText(text)),
    encoding: new SharedColumn((text) => text && copyText(text)),
    copies: new JsonColumn(),
  });
}

function startSets(): Column<Kept['sets']> {
  const column = new SharedColumn<Kept['sets']>();
  return { push: (sets) => column.push(shareSets(sets)), at: (index) => column.at(index) };
}

/** Starts a column of paths of files in a few bytes each: nearly all are the end of their URLs. */
export function startPaths(): Column<string> {
  /** Where in the URL the path begins, and 1; 0 where it is not its end. */
  const begins = new NumberColumn();
  const others = new TextColumn();
  return {
    push(path, uri) {
      const isEnd = uri.endsWith(path);
      begins.push(isEnd ? uri.length - path.length + 1 : 0);
      others.push(isEnd ? '' : path);
    },
    at(index, uri) {
      const begin = begins.at(index);
      return begin === 0 ? others.at(index) : uri.slice(begin - 1);
    },
  };
}

/** The files that we put into a folder, by URL. */
export type FileTable = ReturnType<typeof startFiles>;

/** Files that do not change. */
export type Files = Omit<FileTable, 'set' | 'delete'>;

/** @param first files that are there at the start */
export function startFiles(first: Iterable<readonly [uri: string, kept: Kept]> = []) {
  const kept = new RecordColumn<Kept>({
    path: startPaths(),
    length: new NumberColumn(),
    hash: new DigestColumn<string>(),
    sets: startSets(),
    validators: new JsonColumn(),
  });
  const table = new Table(kept);
  const { path, sets, validators } = kept.columns;
  for (const [uri, file] of first) table.set(uri, file);
  return Object.assign(table, {
    /** Parts of what `at` gives, in a fraction of its time. */
    pathAt: (number: number) => path.at(table.rowOf(number), table.uriAt(number)),
    setsAt: (number: number) => sets.at(table.rowOf(number), ''),
    /** How many have bytes that no list tells the digest of. */
    countUnverified(): number {
      let count = 0;
      for (const number of table.numbers()) if (validators.at(table.rowOf(number), '') !== undefined) count++;
      return count;
    },
  });
}
