/** The resources whose bytes are to be had, and the names of their files. Pure. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { startNames } from '../names/book.js';
import type { Draft, Files } from './columns.js';
import { startPaths } from './columns.js';
import type { Want } from './model.js';

/** What decides on names. */
export interface Naming {
  readonly files: Files;
  /** Those whose names are free. */
  readonly deletions: Files;
  /** As `pathOf` takes it. */
  readonly base: string;
  /** URLs whose files are damaged. */
  readonly mends: ReadonlySet<string>;
  /** The sets that list a file now. */
  readonly setsOf: (file: number) => readonly number[];
}

/** Gives each its name, which is that of its file where there is one; also tells how many have one. */
export function makeWants(
  drafts: Rows<Draft>,
  { files, deletions, base, mends, setsOf }: Naming,
): { wants: Rows<Want>; touched: number } {
  const paths = startPaths();
  let touched = 0;
  let names: ReturnType<typeof startNames> | undefined;
  for (const { entry } of drafts) {
    const { uri, type } = entry;
    const file = files.find(uri);
    if (file === undefined) {
      names ??= startNames(base, listStaying(files, deletions));
      paths.push(names.name(uri, type), uri);
    } else {
      touched++;
      paths.push(files.pathAt(file), uri);
    }
  }
  const wants = mapRows(drafts, ({ entry, sets }, number): Want => {
    const { uri } = entry;
    const file = files.find(uri);
    const path = paths.at(number, uri);
    if (file === undefined) return { number, entry, path, sets, kept: undefined };
    const before = files.at(file);
    // Nobody is asked whether a damaged file is still what it was.
    const kept = mends.has(uri) ? { ...before, validators: undefined } : before;
    return { number, entry, path, sets: setsOf(file), kept };
  });
  return { wants, touched };
}

function* listStaying(files: Files, deletions: Files): Generator<string, void> {
  for (const number of files.numbers()) {
    if (!deletions.has(files.uriAt(number))) yield files.pathAt(number);
  }
}
