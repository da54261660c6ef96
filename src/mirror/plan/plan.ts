/** Plans what to fetch, keep and delete in a folder, from what the sets of a Source list now. Pure. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { getOrInsert } from '../../base/group.js';
import type { Address } from '../../paths/address.js';
import type { Entry, Event } from '../../source/sets/entry.js';
import { PathChooser } from '../names/taken.js';
import { createDrafts, type Files, FileTable, PathColumn } from './columns.js';
import { compareKept, contradicts, type KeptComparison } from './digests.js';
import { DOCUMENTS_SET, isDocument, type Kept, shareSets, type Want } from './model.js';
import type { OtherOrigins } from './origins.js';

export interface MirrorPlan {
  readonly wants: Rows<Want>;
  /** Files whose bytes stay, listed by other sets than before. */
  readonly relisted: Files;
  /** Files to delete, since no set lists them any more. */
  readonly deletions: Files;
  /** Number of files that stay and are not among the wanted resources. */
  readonly unchanged: number;
  /** Times of changes by URL, as the Source reports them: milliseconds since 1970. */
  readonly times: ReadonlyMap<string, number>;
}

/** Collects the entries of one set after another, and plans what to do. Later calls win. */
export class Planner {
  readonly #files: Files;
  readonly #base: string;
  readonly #damaged: ReadonlySet<string>;
  readonly #others: OtherOrigins;
  readonly #drafts = createDrafts();
  /** Sets that list a file now, by the number of the file, if they differ from its saved sets. */
  readonly #sets = new Map<number, readonly number[]>();
  /** Numbers of the listed files, by set. */
  readonly #listed = new Map<number, Set<number>>();
  /** Ids of the sets that were read whole. */
  readonly #whole = new Set<number>();
  readonly #times = new Map<string, number>();
  #hasDocuments = false;

  /**
   * @param base URL of the folder @param damaged URLs of files to fetch again @param others counts resources that are left out
   */
  constructor(files: Files, base: string, damaged: ReadonlySet<string>, others: OtherOrigins) {
    this.#files = files;
    this.#base = base;
    this.#damaged = damaged;
    this.#others = others;
  }

  /** Adds a resource that a set lists. @param time of the change, if any @returns false if the list had it before, with other bytes */
  list(entry: Entry, set: number, time?: number): boolean {
    const [files, drafts] = [this.#files, this.#drafts];
    const { uri } = entry;
    if (this.#others.has(uri)) {
      this.#others.note(uri);
      return true;
    }
    this.#hasDocuments ||= set === DOCUMENTS_SET;
    if (time !== undefined) this.#times.set(uri, time);
    const number = files.find(uri);
    const before = this.#setsOf(uri, number);
    const now = before.includes(set) ? before : shareSets([...before, set].sort());
    const isListed = number === undefined ? now === before : this.#lists(set, number);
    const isContradicted =
      time === undefined &&
      isListed &&
      contradicts(entry, drafts.get(uri)?.entry ?? (number === undefined ? entry : files.at(number)));
    if (number !== undefined) {
      if (now !== before) this.#sets.set(number, now);
      getOrInsert(this.#listed, set, () => new Set()).add(number);
    }
    if (number !== undefined && !this.#damaged.has(uri) && isVerifiedAs(entry, files.at(number)))
      drafts.delete(uri);
    else drafts.set(uri, { entry, sets: now });
    return !isContradicted;
  }

  /** Removes a resource from a set. @param time of the change that deletes it */
  drop(uri: Address, set: number, time?: number): void {
    const number = this.#files.find(uri);
    const before = this.#setsOf(uri, number);
    if (!before.includes(set)) return;
    if (time !== undefined) this.#times.set(uri, time);
    const rest = shareSets(before.filter((one) => one !== set));
    if (number !== undefined) {
      this.#sets.set(number, rest);
      this.#listed.get(set)?.delete(number);
    }
    const draft = this.#drafts.get(uri);
    if (rest.length === 0) this.#drafts.delete(uri);
    else if (draft !== undefined) this.#drafts.set(uri, { ...draft, sets: rest });
  }

  /** Removes from a set, which was read whole, all resources but those that were added. */
  dropOthers(set: number): void {
    this.#whole.add(set);
  }

  /** Compares the folder with a change of a set. A file of several sets counts as the same, since it may be of another moment. */
  compare({ change, entry }: Event, set: number): KeptComparison {
    if (this.#others.has(entry.uri)) return 'same';
    const files = this.#files;
    const number = files.find(entry.uri);
    const isListed = number !== undefined && files.setsAt(number).includes(set);
    if (change === 'deleted') return isListed ? 'other' : 'same';
    if (!isListed) return 'other';
    return files.setsAt(number).length > 1 ? 'same' : compareKept(entry, files.at(number));
  }

  finish(): MirrorPlan {
    const files = this.#files;
    const [deletions, relisted] = [new FileTable(), new FileTable()];
    const isDropped = (set: number, number: number) => this.#whole.has(set) && !this.#lists(set, number);
    for (const number of files.numbers()) {
      let now = this.#setsOfFile(number);
      if (now.some((set) => isDropped(set, number)))
        now = shareSets(now.filter((set) => !isDropped(set, number)));
      if (now === files.setsAt(number) && now.length > 0) continue;
      this.#sets.set(number, now);
      const uri = files.uriAt(number);
      if (now.length === 0) {
        deletions.set(uri, files.at(number));
        this.#drafts.delete(uri);
      } else if (!this.#drafts.has(uri)) relisted.set(uri, { ...files.at(number), sets: now });
    }
    const { paths, existing } = this.#choosePaths(deletions);
    return {
      wants: this.#makeWants(paths),
      relisted,
      deletions,
      unchanged: files.size - deletions.size - existing,
      times: this.#times,
    };
  }

  #lists(set: number, number: number): boolean {
    return this.#listed.get(set)?.has(number) === true;
  }

  #setsOfFile(number: number): readonly number[] {
    return this.#sets.get(number) ?? this.#files.setsAt(number);
  }

  #setsOf(uri: string, number: number | undefined): readonly number[] {
    if (number !== undefined) return this.#setsOfFile(number);
    return this.#drafts.get(uri)?.sets ?? NO_SETS;
  }

  /** Chooses the paths of wanted resources, in their order. Those with a file in the copy keep its path, and are counted. */
  #choosePaths(deletions: Files) {
    const files = this.#files;
    const rows = this.#drafts.toRows();
    const paths = new PathColumn();
    let existing = 0;
    let chooser: PathChooser | undefined;
    const choose = ({ uri, type }: Entry) => {
      chooser ??= new PathChooser(this.#base, listStaying(files, deletions));
      return chooser.choose(uri, type);
    };
    // Documents of the Source come first: those who read the copy expect them at their own paths.
    const documents = new Map<string, string>();
    for (const { entry, sets } of this.#hasDocuments ? rows : [])
      if (sets.includes(DOCUMENTS_SET) && files.find(entry.uri) === undefined)
        documents.set(entry.uri, choose(entry));
    for (const { entry } of rows) {
      const { uri } = entry;
      const file = files.find(uri);
      if (file !== undefined) existing++;
      paths.push(file === undefined ? (documents.get(uri) ?? choose(entry)) : files.pathAt(file), uri);
    }
    return { paths, existing };
  }

  #makeWants(paths: PathColumn): Rows<Want> {
    const files = this.#files;
    return mapRows(this.#drafts.toRows(), ({ entry, sets }, number): Want => {
      const { uri } = entry;
      const file = files.find(uri);
      const path = paths.at(number, uri);
      if (file === undefined) return { number, entry, path, sets, kept: undefined };
      const before = files.at(file);
      // A damaged file is requested without conditions: the server would answer that the resource is unchanged.
      const kept = this.#damaged.has(uri) ? { ...before, validators: undefined } : before;
      return { number, entry, path, sets: this.#setsOfFile(file), kept };
    });
  }
}

/** Returns whether a file has the listed bytes, as a digest verified. An unverified file is wanted once a digest is listed. */
function isVerifiedAs(entry: Entry, kept: Kept): boolean {
  return kept.validators === undefined && compareKept(entry, kept) === 'same';
}

function* listStaying(files: Files, deletions: Files): Generator<string, void> {
  for (const number of files.numbers()) if (!deletions.has(files.uriAt(number))) yield files.pathAt(number);
}

const NO_SETS: readonly number[] = [];

/** Returns whether a run may delete all of `deletions`. Documents of the Source do not count: they go with what they describe. */
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

/** Limit of the files that a run may delete: a number, or a share of the files in the copy. */
export type MostDeletions = { readonly count: number } | { readonly share: number };
