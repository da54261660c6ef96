/** Values of a mirror: files, sets, wanted resources and their outcomes. Pure. */

import * as v from 'valibot';
import type { Validators } from '../../source/origin/origin.js';
import { type Entry, oldestOf } from '../../source/sets/entry.js';

/** The saved state of a file that the mirror has put into the copy. */
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

export const Whole = v.pipe(v.number(), v.safeInteger());
const optionalText = v.optional(v.string());
const optionalTime = v.optional(Whole);

/** Makes the schema of a read-only array. */
export const listOf = <T extends v.GenericSchema>(one: T) => v.pipe(v.array(one), v.readonly());

export const DocumentSchema = v.object({
  uri: v.string(),
  etag: optionalText,
  modified: optionalText,
  digest: v.string(),
  length: v.optional(Whole),
});

const KnownListSchema = v.object({
  /** Moment of the list: milliseconds since 1970; undefined if it has none. */
  at: optionalTime,
  /** Time when the list was last read whole, or found unchanged: milliseconds since 1970. */
  read: Whole,
  /** Documents of the list, as the server last sent them; of an index, its parts are left out. */
  documents: listOf(DocumentSchema),
  /** Set if the list is newer than the one that was read, and was not read because changes explain it. */
  isBelieved: v.optional(v.literal(true)),
});

/** Saved facts about the Resource List of a set that also has Change Lists. */
export type KnownList = Readonly<v.InferOutput<typeof KnownListSchema>>;

export const SetSchema = v.object({
  /** Small number by which files refer to the set. */
  id: Whole,
  /** URL of the Capability List of the set, or of its only list. */
  uri: v.string(),
  /** Fingerprint of the options by which the set was listed. */
  listing: optionalText,
  /** The Resource List; absent unless the set also has changes. Without these, runs that find the Source changed read it whole. */
  list: v.optional(KnownListSchema),
  /** Moment before which all changes are known, in milliseconds since 1970. */
  moment: optionalTime,
  /** The newest moment in the Change Lists as they were last read. */
  newest: optionalTime,
  /** The last change in the Change Lists, which shows a later run whether they were replaced. */
  last: v.optional(
    v.object({
      change: v.picklist(['created', 'updated', 'deleted']),
      uri: v.string(),
      hash: optionalText,
      time: optionalTime,
    }),
  ),
});

export type SetState = Readonly<v.InferOutput<typeof SetSchema>>;

export const MissingSchema = v.object({
  entry: v.custom<Entry>((entry) => typeof (entry as Partial<Entry> | null)?.uri === 'string'),
  sets: listOf(Whole),
  /** Number of runs in a row in which the resource was missing. */
  runs: Whole,
});

/** A listed resource that was missing in the last run. */
export type Missing = Readonly<v.InferOutput<typeof MissingSchema>>;

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

/** A listed resource that a run has to fetch, or to ask the server about. */
export interface Want {
  /** Position among all resources that the run wants, from 0. */
  readonly number: number;
  readonly entry: Entry;
  readonly path: string;
  readonly sets: readonly number[];
  /** The file that the copy has of the resource, if any. */
  readonly kept: Kept | undefined;
}
