/** The values of a mirror: what a Source lists, what happened there, and what the folder holds. Pure. */

import type { Validators } from '../../source/origin/origin.js';
import type { KnownPast } from '../../source/sets/changes.js';
import { type Entry, type KnownDocument, oldestOf } from '../../source/sets/entry.js';

/** A file that we put into the folder. */
export interface Kept {
  /** Relative to the folder, `/` between segments. */
  readonly path: string;
  /** Bytes. */
  readonly length: number;
  /** One digest of the bytes: the strongest that is listed, or one of our own. */
  readonly hash: string;
  /** The sets that list it; none while its deletion is held back. */
  readonly sets: readonly number[];
  /** Of the answer, where no digest is listed: nothing else tells whether it has changed. */
  readonly validators?: Validators | undefined;
}

/** What became of a resource that was wanted. */
export type Outcome =
  | {
      /** `ready`: the bytes wait to be moved into place. `right`: the file in the folder is right. */
      readonly kind: 'ready' | 'right';
      /** What is to be remembered; not said where that is as listed: nearly always. */
      readonly kept?: Kept | undefined;
    }
  | Failed;

export interface Failed {
  readonly kind: 'failed';
  /**
   * `missing`: 404 or 410. `different`: other bytes than listed. `in-the-way`: something that is not ours stands at its
   * path. `failed`: anything else.
   */
  readonly reason: 'missing' | 'different' | 'in-the-way' | 'failed';
  readonly found: string;
}

/** The Resource List of a set that has changes, too: when it was read whole, and what it is now. */
export interface KnownList {
  /** Its moment: milliseconds since 1970; undefined where it is not known. */
  readonly at?: number | undefined;
  /** When one was read whole, or was found to be the same still. */
  readonly read: number;
  /** As they answered last, without parts. */
  readonly documents: readonly KnownDocument[];
  /** Whether it is another one than that, which was not read, because changes told why. */
  readonly isBelieved?: true;
}

/** What a folder stands for in one set of resources. */
export interface SetState extends KnownPast {
  /** Small number that files name it by. */
  readonly id: number;
  /** Of the Capability List, or of the list where there is none. */
  readonly uri: string;
  /** What told by which options the set was listed. */
  readonly listing?: string | undefined;
  /** Absent where nothing but it tells what there is: then it is read whenever it is another one. */
  readonly list?: KnownList | undefined;
}

/** The oldest moment of sets, in milliseconds since 1970; undefined where that of one is not known. */
export function oldestMoment(sets: readonly Pick<SetState, 'moment'>[]): number | undefined {
  return oldestOf(sets.map(({ moment }) => moment));
}

/** The set that all documents of the builder are in, in a copy that keeps them; those of the Source begin with 1. */
export const DOCUMENTS_SET = 0;

/** Whether a file is there as a document of the builder, and as nothing else. */
export function isDocument(sets: readonly number[]): boolean {
  return sets.length === 1 && sets[0] === DOCUMENTS_SET;
}

const shared = new Map<string, readonly number[]>();

/** Nearly all files are in the same sets: they share one list of them. */
export function shareSets(sets: readonly number[]): readonly number[] {
  const key = sets.join();
  const found = shared.get(key) ?? sets;
  if (shared.size < 1000) shared.set(key, found);
  return found;
}

/** A resource whose bytes are to be had, or at least asked about. */
export interface Want {
  /** Its place among all that are wanted, from 0. */
  readonly number: number;
  readonly entry: Entry;
  readonly path: string;
  readonly sets: readonly number[];
  /** The file that stands for it now. */
  readonly kept: Kept | undefined;
}
