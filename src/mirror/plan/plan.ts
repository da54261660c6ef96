/** What is to be done to a folder, from what its sets list now. Pure. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { Table } from '../../base/columns/table.js';
import type { Entry, Event } from '../../source/sets/entry.js';
import { startNames, startTakingPaths } from '../names/book.js';
import { pathOf } from '../names/path.js';
import { type Files, startDrafts, startFiles, startPaths } from './columns.js';
import { compareKept, contradicts, type KeptComparison } from './digests.js';
import { DOCUMENTS_SET, isDocument, shareSets, type Want } from './model.js';

export interface MirrorPlan {
  readonly wants: Rows<Want>;
  /** Files whose bytes stay, and which other sets list now than before. */
  readonly relisted: Files;
  /** Files that no set lists any more. */
  readonly deletions: Files;
  /** Resources that get another name, because a document of the builder has theirs. */
  readonly displaced: readonly string[];
  /** Resources that stay as they are. */
  readonly unchanged: number;
  /** When a URL changed, where a change tells: milliseconds since 1970. */
  readonly times: ReadonlyMap<string, number>;
}

/** Takes what the sets list, one after another. What is told later counts. */
export type Planner = ReturnType<typeof startPlanner>;

/** Takes what one set lists after another. */
export type SetPlanner = Pick<Planner, 'list' | 'drop' | 'dropOthers' | 'compare'>;

/**
 * @param base as `pathOf` takes it
 * @param mends URLs whose files are damaged, whatever is known of them
 */
export function startPlanner(files: Files, base: string, mends: ReadonlySet<string>) {
  const drafts = new Table(startDrafts());
  /** Of files, by their numbers, the sets that list them now, where these are others than before. */
  const sets = new Map<number, readonly number[]>();
  /** By set, the files that it is said to list. */
  const seen = new Map<number, Set<number>>();
  /** These list nothing else. */
  const whole = new Set<number>();
  const times = new Map<string, number>();
  let isWithDocuments = false;
  const setsOfFile = (number: number) => sets.get(number) ?? files.setsAt(number);
  const setsOf = (uri: string, file: number | undefined) =>
    file === undefined ? (drafts.get(uri)?.sets ?? NO_SETS) : setsOfFile(file);

  return {
    /**
     * A set lists a resource.
     *
     * @param time of the change that tells so
     * @returns false where the list itself had it before, with other bytes
     */
    list(entry: Entry, set: number, time?: number): boolean {
      const { uri } = entry;
      isWithDocuments ||= set === DOCUMENTS_SET;
      if (time !== undefined) times.set(uri, time);
      const number = files.find(uri);
      const before = setsOf(uri, number);
      const now = before.includes(set) ? before : shareSets([...before, set].sort());
      const isListed = number === undefined ? now === before : seen.get(set)?.has(number) === true;
      const isAgain = time === undefined && isListed;
      const isContradicted =
        isAgain &&
        contradicts(entry, drafts.get(uri)?.entry ?? (number === undefined ? entry : files.at(number)));
      if (number !== undefined) {
        if (now !== before) sets.set(number, now);
        seen.set(set, (seen.get(set) ?? new Set()).add(number));
      }
      const isSame =
        number !== undefined && !mends.has(uri) && compareKept(entry, files.at(number)) === 'same';
      if (isSame) drafts.delete(uri);
      else drafts.set(uri, { entry, sets: now });
      return !isContradicted;
    },
    /** A set does not list it any more. @param time of the change that tells so */
    drop(uri: string, set: number, time?: number): void {
      const number = files.find(uri);
      const before = setsOf(uri, number);
      if (!before.includes(set)) return;
      if (time !== undefined) times.set(uri, time);
      const rest = shareSets(before.filter((one) => one !== set));
      if (number !== undefined) {
        sets.set(number, rest);
        seen.get(set)?.delete(number);
      }
      const draft = drafts.get(uri);
      if (rest.length === 0) drafts.delete(uri);
      else if (draft !== undefined) drafts.set(uri, { ...draft, sets: rest });
    },
    /** A set lists nothing but what it is said to list. */
    dropOthers(set: number): void {
      whole.add(set);
    },
    /** Whether the folder is as a change of a set left it. What several sets list may be of the moment of another one. */
    compare({ change, entry }: Event, set: number): KeptComparison {
      const number = files.find(entry.uri);
      const isListed = number !== undefined && files.setsAt(number).includes(set);
      if (change === 'deleted') return isListed ? 'other' : 'same';
      if (!isListed) return 'other';
      return files.setsAt(number).length > 1 ? 'same' : compareKept(entry, files.at(number));
    },
    finish(): MirrorPlan {
      const [deletions, relisted] = [startFiles(), startFiles()];
      const isOver = (set: number, number: number) => whole.has(set) && seen.get(set)?.has(number) !== true;
      for (const number of files.numbers()) {
        let now = setsOfFile(number);
        if (now.some((set) => isOver(set, number)))
          now = shareSets(now.filter((set) => !isOver(set, number)));
        if (now === files.setsAt(number) && now.length > 0) continue;
        sets.set(number, now);
        const uri = files.uriAt(number);
        if (now.length === 0) {
          deletions.set(uri, files.at(number));
          drafts.delete(uri);
        } else if (!drafts.has(uri)) relisted.set(uri, { ...files.at(number), sets: now });
      }
      const { wants, touched, displaced } = makeWants(deletions);
      const unchanged = files.size - deletions.size - touched;
      return { wants, relisted, deletions, displaced, unchanged, times };
    },
  };

  /** Gives each its name, which is that of its file where there is one; also tells how many have one. */
  function makeWants(deletions: Files) {
    const rows = drafts.toRows().values;
    const paths = startPaths();
    let touched = 0;
    const displaced: string[] = [];
    let names: ReturnType<typeof startNames> | undefined;
    const nameOne = ({ uri, type }: Entry) => {
      names ??= startNames(base, listStaying(files, deletions));
      return names.name(uri, type);
    };
    // Documents of the builder come first: others look for them there.
    const own = new Map<string, string>();
    for (const { entry, sets: listed } of isWithDocuments ? rows : [])
      if (listed.includes(DOCUMENTS_SET) && files.find(entry.uri) === undefined)
        own.set(entry.uri, nameOne(entry));
    const places = startTakingPaths(own.values());
    for (const { entry } of rows) {
      const { uri, type } = entry;
      const file = files.find(uri);
      if (file === undefined) {
        paths.push(own.get(uri) ?? nameOne(entry), uri);
        if (own.size > 0 && !own.has(uri) && !places.isFree(pathOf(uri, base, type))) displaced.push(uri);
      } else {
        touched++;
        paths.push(files.pathAt(file), uri);
      }
    }
    const wants = mapRows(rows, ({ entry, sets: drafted }, number): Want => {
      const { uri } = entry;
      const file = files.find(uri);
      const path = paths.at(number, uri);
      if (file === undefined) return { number, entry, path, sets: drafted, kept: undefined };
      const before = files.at(file);
      // Nobody is asked whether a damaged file is still what it was.
      const kept = mends.has(uri) ? { ...before, validators: undefined } : before;
      return { number, entry, path, sets: setsOfFile(file), kept };
    });
    return { wants, touched, displaced };
  }
}

/** The paths of files that keep their names. */
function* listStaying(files: Files, deletions: Files): Generator<string, void> {
  for (const number of files.numbers()) if (!deletions.has(files.uriAt(number))) yield files.pathAt(number);
}

const NO_SETS: readonly number[] = [];

/** Whether so many deletions may be done. Documents of the builder do not count: they go with what they are about. */
export function mayDelete(deletions: Files, files: Files, most: MostDeletions): boolean {
  if (deletions.size === 0) return true;
  const count = (table: Files) => {
    let resources = 0;
    for (const number of table.numbers()) if (!isDocument(table.setsAt(number))) resources++;
    return resources;
  };
  const gone = count(deletions);
  return gone <= ('count' in most ? most.count : most.share * count(files));
}

/** How many files a run may delete: a number, or a share of those that are there. */
export type MostDeletions = { readonly count: number } | { readonly share: number };
