/** Values of a mirror: files, sets, wanted resources and their outcomes. Pure. */

import type { Validators } from '../../source/origin/origin.js';
import type { KnownPast } from '../../source/sets/changes.js';
import { type Entry, type KnownDocument, oldestOf } from '../../source/sets/entry.js';

/** A file that runs have put into the folder. */
export interface Kept {
  /** Path of the file, relative to the folder, with `/` between segments. */
  readonly path: string;
  /** Length of the file in bytes. */
  readonly length: number;
  /** One digest of the bytes: the strongest that is listed, or else a computed one. */
  readonly hash: string;
  /** Ids of the sets that list the file; empty while its deletion is held back. */
  readonly sets: readonly number[];
  /** Validators of the server's answer, if no digest is listed: only they show whether the resource has changed. */
  readonly validators?: Validators | undefined;
}

/** Outcome of a wanted resource. */
export type Outcome =
  | {
      /** `ready`: the bytes are to be moved into place. `right`: the file in the folder is right. */
      readonly kind: 'ready' | 'right';
      /** State of the file to save; omitted if it equals the listed values (the usual case). */
      readonly kept?: Kept | undefined;
    }
  | Failed;

export interface Failed {
  readonly kind: 'failed';
  /**
   * The kind of failure. `missing`: 404 or 410. `different`: other bytes than listed. `in-the-way`: a file that is not ours has
   * the path. `failed`: anything else.
   */
  readonly reason: 'missing' | 'different' | 'in-the-way' | 'failed';
  readonly found: string;
}

/** What is saved of the Resource List of a set that also has changes. */
export interface KnownList {
  /** Moment of the list: milliseconds since 1970; undefined if it has none. */
  readonly at?: number | undefined;
  /** Time when the list was last read whole, or found unchanged: milliseconds since 1970. */
  readonly read: number;
  /** Documents of the list, as the server last sent them; of an index, its parts are left out. */
  readonly documents: readonly KnownDocument[];
  /** Set if the list is newer than the one that was read: it was not read, because changes explain it. */
  readonly isBelieved?: true;
}

/** State of one set of resources in a folder. */
export interface SetState extends KnownPast {
  /** Small number by which files refer to the set. */
  readonly id: number;
  /** URL of the Capability List of the set, or of its only list. */
  readonly uri: string;
  /** Fingerprint of the options by which the set was listed. */
  readonly listing?: string | undefined;
  /** The Resource List; absent unless the set also has changes. Without these, runs that find the Source changed read it whole. */
  readonly list?: KnownList | undefined;
}

/** Returns the oldest moment of sets, in milliseconds since 1970, or undefined if one of them has none, or there is no set. */
export function oldestMoment(sets: readonly Pick<SetState, 'moment'>[]): number | undefined {
  return oldestOf(sets.map(({ moment }) => moment));
}

/** Id of the set of all documents, in a copy that keeps them; ids of the Source's sets begin with 1. */
export const DOCUMENTS_SET = 0;

/** Returns whether a file is a document of the Source, and no resource as well. */
export function isDocument(sets: readonly number[]): boolean {
  return sets.length === 1 && sets[0] === DOCUMENTS_SET;
}

const shared = new Map<string, readonly number[]>();

/** Returns one shared array for equal lists of sets, since nearly all files are in the same sets. */
export function shareSets(sets: readonly number[]): readonly number[] {
  const key = sets.join();
  const found = shared.get(key) ?? sets;
  if (shared.size < 1000) shared.set(key, found);
  return found;
}

/** A resource to fetch, or at least to ask about. */
export interface Want {
  /** Place of this want among all wants, from 0. */
  readonly number: number;
  readonly entry: Entry;
  readonly path: string;
  readonly sets: readonly number[];
  /** The file that the folder has for this resource, if any. */
  readonly kept: Kept | undefined;
}
