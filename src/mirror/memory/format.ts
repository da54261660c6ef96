/** Format of the memory of a folder: reads heads and lines, which are JSON, and checks them. */

import * as v from 'valibot';
import { isSafePath } from '../../standard/model.js';
import type { Line } from '../plan/lines.js';
import { DocumentSchema, type Kept, listOf, MissingSchema, SetSchema, Whole } from '../plan/model.js';

const Texts = listOf(v.string());

const HeadSchema = v.object({
  format: v.literal(1),
  /** Number of the run; later runs have higher numbers. */
  number: Whole,
  /** URL of the Source, as the user named it. */
  source: v.string(),
  /** URL of the document with which reading began. */
  beginning: v.string(),
  /** Origins that the user named, and that have had a public address. */
  pinned: Texts,
  sets: listOf(SetSchema),
  /** Documents that were read: if all are unchanged, so is the Source. Empty if documents cannot show that. */
  documents: listOf(DocumentSchema),
  missing: listOf(MissingSchema),
  /** Sets that the user chose; empty for all. */
  only: Texts,
  /** Further origins that the user allowed. */
  allow: Texts,
  /** True if the copy has the documents of the Source. */
  replica: v.optional(v.boolean()),
  /** Number of files, and of deletions that are held back. */
  files: Whole,
  held: Whole,
  unverified: Whole,
  /** Public keys that signed the Source, in the format of `.pub` files; absent if it was not signed. */
  signers: v.optional(Texts),
  /** Newest moment of the Source by its signed sums: milliseconds since 1970. */
  signedAt: v.optional(Whole),
  /** True if this file of the memory has all lines of the files before it. */
  whole: v.boolean(),
});

/** State that a run saves for the next run, apart from the files. */
export type MirrorHead = Readonly<v.InferOutput<typeof HeadSchema>>;

/** Reads a head of the memory. @throws Error if the text is not a head */
export function readHead(text: string): MirrorHead {
  return v.parse(HeadSchema, JSON.parse(text));
}

/** Reads a line of the memory, without a schema: there may be millions of lines. @throws Error if the text is no line */
export function readLine(text: string): Line {
  const line = JSON.parse(text) as Line;
  const isRight =
    typeof line.uri === 'string' &&
    (line.time === undefined || !Number.isNaN(new Date(line.time).getTime())) &&
    (line.kind === 'file'
      ? isKept(line.kept) && (line.staged === undefined || /^[\da-f]{32}$/.test(line.staged))
      : line.kind === 'gone' && isPath(line.path));
  if (!isRight) throw new Error('not a line');
  return line;
}

function isKept({ path, length, hash, sets, validators = {} }: Kept): boolean {
  return (
    isPath(path) &&
    Number.isSafeInteger(length) &&
    /^(?:md5|sha-256|sha-512):[\da-f]+$/.test(hash) &&
    sets.every(Number.isSafeInteger) &&
    [validators.etag ?? '', validators.modified ?? ''].every((one) => typeof one === 'string')
  );
}

/** Tests whether a path is one that a mirror chooses for files of a copy. */
function isPath(path: string): boolean {
  return (
    isSafePath(`/${path}`) && !path.split('/').some((segment) => /^(?:\.(?!well-known$)|$)/.test(segment))
  );
}
