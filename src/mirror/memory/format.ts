/** Format of the memory of a folder: writes heads and lines, and checks them when it reads them. */

import type { ContentKind } from '../../files/page/kind.js';
import type { Address } from '../../paths/address.js';
import type { LastChange } from '../../source/sets/changes.js';
import type { KnownDocument } from '../../source/sets/entry.js';
import { isSafePath } from '../../standard/model.js';
import type { Line, Missing } from '../plan/lines.js';
import type { Kept, KnownList, SetState } from '../plan/model.js';

/** State that a run saves for the next one, apart from the files. */
export interface MirrorHead {
  readonly format: 1;
  /** Number of the run; later runs have higher numbers. */
  readonly number: number;
  /** URL of the Source, as the user named it. */
  readonly source: string;
  /** URL of the document with which reading began. */
  readonly beginning: string;
  /** Origins that the user named, and that have had a public address. */
  readonly pinned: readonly string[];
  readonly sets: readonly SetState[];
  /** Documents that were read: if all are unchanged, so is the Source. Empty if documents cannot show that. */
  readonly documents: readonly KnownDocument[];
  readonly missing: readonly Missing[];
  /** Sets that the user chose; empty for all. */
  readonly only: readonly string[];
  /** Further origins that the user allowed. */
  readonly allow: readonly string[];
  /** True if the copy has the documents of the Source. */
  readonly replica?: boolean | undefined;
  /** Number of files, and of deletions that are held back. */
  readonly files: number;
  readonly held: number;
  readonly unverified: number;
  /** Public keys that signed the Source, in the format of `.pub` files; absent if it was not signed. */
  readonly signers?: readonly string[] | undefined;
  /** Newest moment of the Source by its signed sums: milliseconds since 1970. */
  readonly signedAt?: number | undefined;
  /** True if this file of the memory has all lines of the files before it. */
  readonly whole: boolean;
}

/** First value of the line of a deleted document of the Source. */
const DOCUMENT_GONE = 'left';

/** Written into a line in place of an absent text. */
const ABSENT = 0;
/** Written into a line in place of a validator that the server of an unverified file did not send. */
const NO_VALIDATOR = null;

export function writeLine(line: Line): string {
  const { meaning } = line;
  const time = line.time === undefined && meaning === undefined ? [] : [line.time ?? null];
  const details = [
    ...time,
    ...(meaning === undefined ? [] : [meaning.kind, meaning.title ?? ABSENT, meaning.lang ?? ABSENT]),
  ];
  if (line.kind === 'gone')
    return JSON.stringify([
      line.isDocument === true ? DOCUMENT_GONE : 'gone',
      line.uri,
      line.path,
      line.isTaken,
      ...details,
    ]);
  const { uri, kept, staged, change } = line;
  const { path, length, hash, sets, validators } = kept;
  const none = validators === undefined ? ABSENT : NO_VALIDATOR;
  const facts = [path, length, hash, sets, validators?.etag ?? none, validators?.modified ?? none];
  return JSON.stringify([
    'file',
    uri,
    ...facts,
    ...(staged === undefined ? [] : [staged, change ?? ABSENT, ...details]),
  ]);
}

/** Tests whether a value is a normalized URL: lines were written with no others. */
function isAddress(value: unknown): value is Address {
  return isText(value);
}

/** Reads a line of the memory. @throws Error if the text is not a line */
export function readLine(text: string): Line {
  const values: unknown = JSON.parse(text);
  if (!Array.isArray(values)) throw new Error('not a list');
  const [kind, uri, path, length, hash, sets, etag, modified, staged, change, ...details] =
    values as unknown[];
  if (!isAddress(uri)) throw new Error('no URL');
  if (kind === 'gone' || kind === DOCUMENT_GONE)
    return {
      kind: 'gone',
      uri,
      path: readPath(path),
      isTaken: values[3] === true,
      ...(kind === DOCUMENT_GONE && { isDocument: true }),
      ...readDetails(values.slice(4)),
    };
  const isRight =
    kind === 'file' &&
    Number.isSafeInteger(length) &&
    isText(hash) &&
    /^(?:md5|sha-256|sha-512):[\da-f]+$/.test(hash) &&
    Array.isArray(sets) &&
    sets.every(Number.isSafeInteger) &&
    (staged === undefined || (isText(staged) && /^[\da-f]{32}$/.test(staged)));
  if (!isRight) throw new Error('not a file');
  const validators = {
    ...(isText(etag) && { etag }),
    ...(isText(modified) && { modified }),
  };
  const kept: Kept = {
    path: readPath(path),
    length: length as number,
    hash,
    sets: sets as number[],
    ...(etag === ABSENT && modified === ABSENT ? {} : { validators }),
  };
  return {
    kind,
    uri,
    kept,
    staged: staged as string | undefined,
    change: change === 'created' || change === 'updated' ? change : undefined,
    ...readDetails(details),
  };
}

const KINDS: readonly unknown[] = ['text', 'layout', 'markup', 'data', 'binary'] satisfies ContentKind[];

/** Reads the time and meaning of a change from a line. @throws Error if a `Date` cannot hold the time */
function readDetails([time, kind, title, lang]: readonly unknown[]): Pick<Line, 'time' | 'meaning'> {
  const isTime = Number.isSafeInteger(time) && !Number.isNaN(new Date(time as number).getTime());
  if (!isTime && (time ?? undefined) !== undefined) throw new Error('not a time');
  return {
    ...(isTime && { time: time as number }),
    ...(KINDS.includes(kind) && {
      meaning: {
        kind: kind as ContentKind,
        ...(isText(title) && { title }),
        ...(isText(lang) && { lang }),
      },
    }),
  };
}

function readPath(path: unknown): string {
  const isOurs = isText(path) && isSafePath(`/${path}`) && !path.split('/').some(isReserved);
  if (!isOurs) throw new Error('not a path');
  return path;
}

/** Returns whether a run never chooses a name for a file or folder of the copy. */
function isReserved(segment: string): boolean {
  return segment === '' || (segment.startsWith('.') && segment !== '.well-known');
}

/** Reads a head of the memory. @throws Error if the text is not a head */
export function readHead(text: string): MirrorHead {
  const head = JSON.parse(text) as MirrorHead | null;
  const { source, beginning, signers = [], pinned, only, allow }: Partial<MirrorHead> = head ?? {};
  const isRight =
    head?.format === 1 &&
    Number.isSafeInteger(head.number) &&
    [source, beginning].every(isText) &&
    typeof head.whole === 'boolean' &&
    (head.signedAt === undefined || Number.isSafeInteger(head.signedAt)) &&
    [signers, pinned, only, allow].every((list) => isListOf(list, isText)) &&
    isListOf(head.sets, isSetState) &&
    isListOf(head.documents, isKnownDocument) &&
    isListOf(head.missing, isMissing);
  if (!isRight) throw new Error('not our head');
  return head;
}

function isListOf<T>(value: unknown, test: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(test);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSetState(value: unknown): value is SetState {
  const { id, uri, moment, newest, last, listing, list } = (value ?? {}) as SetState;
  const isTime = (time: unknown) => time === undefined || Number.isSafeInteger(time);
  return (
    Number.isSafeInteger(id) &&
    isText(uri) &&
    isTime(moment) &&
    isTime(newest) &&
    (listing === undefined || isText(listing)) &&
    (last === undefined || isText((last as LastChange).uri)) &&
    (list === undefined || isKnownList(list))
  );
}

function isKnownList(value: unknown): value is KnownList {
  const { at, read, documents } = (value ?? {}) as KnownList;
  const isRight = (at === undefined || Number.isSafeInteger(at)) && Number.isSafeInteger(read);
  return isRight && isListOf(documents, isKnownDocument);
}

function isKnownDocument(value: unknown): value is KnownDocument {
  const { uri, digest } = (value ?? {}) as KnownDocument;
  return isText(uri) && isText(digest);
}

function isMissing(value: unknown): value is Missing {
  const { entry, sets, runs } = (value ?? {}) as Missing;
  return isText(entry?.uri) && Array.isArray(sets) && Number.isSafeInteger(runs);
}
