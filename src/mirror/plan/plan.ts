/** What is to be done to a folder, from what its sets list now. Pure. */

import { startNames } from '../names/book.js';
import { foldersAbove, foldPath } from '../names/path.js';
import { compareKept } from './digests.js';
import { type Entry, type Kept, shareSets } from './model.js';

/** The files that we put into a folder, by URL. */
export type Files = ReadonlyMap<string, Kept>;

/** A resource whose bytes are to be had, or at least asked about. */
export interface Want {
  readonly entry: Entry;
  readonly path: string;
  readonly sets: readonly number[];
  /** The file that stands for it now. */
  readonly kept: Kept | undefined;
}

export interface Plan {
  readonly wants: readonly Want[];
  /** Files whose bytes stay, and which other sets list now than before. */
  readonly relisted: ReadonlyMap<string, Kept>;
  /** Files that no set lists any more. */
  readonly deletions: ReadonlyMap<string, Kept>;
  /** Resources that stay as they are. */
  readonly unchanged: number;
  /** When a URL changed, where a change tells: milliseconds since 1970. */
  readonly times: ReadonlyMap<string, number>;
}

/** Takes what the sets list, one after another. What is told later counts. */
export interface Planner {
  /** A set lists a resource. @param time of the change that tells so */
  readonly list: (entry: Entry, set: number, time?: number) => void;
  /** A set does not list it any more. @param time of the change that tells so */
  readonly drop: (uri: string, set: number, time?: number) => void;
  /** A set lists nothing but what it has listed since the planner was started. */
  readonly dropOthers: (set: number) => void;
  readonly finish: () => Plan;
}

/** @param mends URLs whose files are damaged, whatever is known of them */
export function startPlanner(files: Files, base: string, mends: ReadonlySet<string>): Planner {
  const wanted = new Map<string, Entry>();
  const sets = new Map<string, readonly number[]>();
  /** Of the files that are there, those that a set has listed. */
  const seen = new Map<number, Set<string>>();
  const times = new Map<string, number>();
  const setsOf = (uri: string) => sets.get(uri) ?? files.get(uri)?.sets ?? NO_SETS;
  return {
    list(entry, set, time) {
      const { uri } = entry;
      if (time !== undefined) times.set(uri, time);
      const kept = files.get(uri);
      if (!setsOf(uri).includes(set)) sets.set(uri, shareSets([...setsOf(uri), set].sort()));
      if (kept !== undefined) seen.set(set, (seen.get(set) ?? new Set()).add(uri));
      if (kept !== undefined && compareKept(entry, kept) === 'same' && !mends.has(uri)) wanted.delete(uri);
      else wanted.set(uri, entry);
    },
    drop(uri, set, time) {
      if (!setsOf(uri).includes(set)) return;
      if (time !== undefined) times.set(uri, time);
      const rest = setsOf(uri).filter((one) => one !== set);
      sets.set(uri, rest);
      seen.get(set)?.delete(uri);
      if (rest.length === 0) wanted.delete(uri);
    },
    dropOthers(set) {
      const names = seen.get(set);
      for (const [uri, kept] of files) {
        if (!kept.sets.includes(set) || names?.has(uri) === true) continue;
        const rest = setsOf(uri).filter((one) => one !== set);
        sets.set(uri, rest);
        if (rest.length === 0) wanted.delete(uri);
      }
    },
    finish() {
      const deletions = new Map<string, Kept>();
      const relisted = new Map<string, Kept>();
      for (const [uri, kept] of files) {
        const now = setsOf(uri);
        if (now.length === 0) deletions.set(uri, kept);
        else if (!wanted.has(uri) && sets.has(uri)) relisted.set(uri, { ...kept, sets: now });
      }
      const wants = nameWants(files, base, { wanted, setsOf, deletions, mends });
      const touched = wants.filter(({ kept }) => kept !== undefined).length;
      return { wants, relisted, deletions, unchanged: files.size - deletions.size - touched, times };
    },
  };
}

const NO_SETS: readonly number[] = [];

interface Draft {
  readonly wanted: ReadonlyMap<string, Entry>;
  readonly setsOf: (uri: string) => readonly number[];
  readonly deletions: ReadonlyMap<string, Kept>;
  readonly mends: ReadonlySet<string>;
}

function nameWants(files: Files, base: string, { wanted, setsOf, deletions, mends }: Draft): Want[] {
  const staying = function* () {
    for (const [uri, { path }] of files) if (!deletions.has(uri)) yield path;
  };
  let names: ReturnType<typeof startNames> | undefined;
  return Array.from(wanted.values(), (entry) => {
    const before = files.get(entry.uri);
    // Nobody is asked whether a damaged file is still what it was.
    const kept = before && mends.has(entry.uri) ? { ...before, validators: undefined } : before;
    names ??= kept === undefined ? startNames(base, staying()) : undefined;
    const path = kept?.path ?? names?.name(entry.uri, entry.type) ?? '';
    return { entry, path, sets: setsOf(entry.uri), kept };
  });
}

/** Whether so many deletions may be done. */
export function mayDelete(deletions: number, files: number, most: MostDeletions): boolean {
  return deletions <= ('count' in most ? most.count : most.share * files);
}

/** How many files a run may delete: a number, or a share of those that are there. */
export type MostDeletions = { readonly count: number } | { readonly share: number };

/** Which deletions have to come before files are put into place: those of files where a folder belongs, and of folders. */
export function findBlocking(
  deletions: ReadonlyMap<string, Kept>,
  paths: readonly string[],
): ReadonlySet<string> {
  const blocking = new Set<string>();
  if (deletions.size === 0 || paths.length === 0) return blocking;
  const files = new Set(paths.map(foldPath));
  const folders = new Set([...files].flatMap(foldersAbove));
  for (const [uri, { path }] of deletions) {
    const folded = foldPath(path);
    const isInTheWay =
      files.has(folded) || folders.has(folded) || foldersAbove(folded).some((one) => files.has(one));
    if (isInTheWay) blocking.add(uri);
  }
  return blocking;
}
