/** Where published bytes are: in a folder, or on the web. An audit asks both the same questions, such as for digests. */

import type { Rows } from '../../base/columns/rows.js';
import { Digests, digestWhole } from '../../standard/digests.js';
import type { HashAlgorithm } from '../../standard/model.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { type Body, FetchError, type FetchFailure } from '../web/bounds.js';
import { isCodedFile, isGzip, type Undo } from './codings.js';

/** What is known of something before its bytes are read. */
export interface Answer {
  /** Where redirects led. */
  readonly redirects: readonly string[];
  /** Media type without parameters; a folder knows none. */
  readonly type: string | undefined;
  /** Content coding. */
  readonly encoding: string | undefined;
}

/** What a folder knows. */
export const NO_ANSWER: Answer = { redirects: [], type: undefined, encoding: undefined };

/** Something that is there. */
export interface Opened extends Answer {
  /** Where it came from in the end. */
  readonly uri: string;
  /** `Link` header. */
  readonly link: string | undefined;
  /** `X-Robots-Tag` header. */
  readonly robots?: string | undefined;
  /** What tells this version from others; a folder has none. */
  readonly validators?: Validators | undefined;
  /** `Date` of the answer, in milliseconds since 1970; absent where it says none. */
  readonly date?: number | undefined;
  /** Bytes of the body as it comes, where the answer says so. */
  readonly length?: number | undefined;
  /** Whether it is still what the validators that were sent are of; there is no body then. */
  readonly unchanged?: boolean;
  /** Without the content codings that nobody asked for. */
  readonly body: Body;
  /** Present if the answer has such codings: its bytes may be the file itself all the same. Read this or the body. */
  readonly coded?: Coded | undefined;
}

interface Coded {
  /** As it came. */
  readonly raw: Body;
  /** In the order in which they were applied. */
  readonly codings: readonly string[];
  /** Each undoes one of them. */
  readonly steps: readonly Undo[];
}

/** What a server says of a version, to be asked with next time (RFC 9110 §8.8). */
export interface Validators {
  readonly etag?: string | undefined;
  /** `Last-Modified`, as it was said. */
  readonly modified?: string | undefined;
}

/** Something that cannot be had, and why. */
export interface Absent {
  /**
   * `elsewhere` is not in the folder that is audited; `excessive` is more than we read of anything; `malformed` came, and is
   * not the document that it should be.
   */
  readonly failure: FetchFailure | 'elsewhere' | 'excessive' | 'malformed';
  readonly found: string;
  /** Where the parser gave up. */
  readonly mistake?: ParseError;
}

/** Whose bytes are wanted. */
export interface WantedBytes {
  readonly uri: string;
  /** Listed number of bytes; not many more are read. */
  readonly length: number | undefined;
  readonly digests: readonly HashAlgorithm[];
  /** Listed content coding. */
  readonly encoding: string | undefined;
  /** Whether bytes are as listed; absent if nothing is listed that could tell. */
  readonly isRight?: ((bytes: Bytes) => boolean) | undefined;
}

/** What the bytes of something are. */
export interface Bytes {
  /** Number of bytes. */
  readonly length: number;
  /** Whether there are more bytes than were read. */
  readonly more: boolean;
  /** Lower-case hexadecimal; undefined where it was not asked for. */
  hex(name: HashAlgorithm): string | undefined;
  /** How many content codings were undone to get them. @default 0 */
  readonly form?: number;
  /** What the body was as it came, if neither that nor these bytes are as listed. */
  readonly also?: string;
}

export type Digested = Answer & Bytes;

/** What is listed, each by its place, and what is to be known of its bytes. */
export interface ByteComparison {
  readonly uris: Rows<string>;
  /** The first place of a URL, as it is spelled. */
  readonly find: (uri: string) => number | undefined;
  /** Whether anything is wanted of one. */
  readonly isWanted: (place: number) => boolean;
  /** What is wanted of one. */
  readonly want: (place: number) => WantedBytes;
  /** All digests that are wanted. */
  readonly digests: ReadonlySet<HashAlgorithm>;
  /** Takes the bytes of one as they come; a folder gives none. */
  readonly take?: (place: number) => Take | undefined;
  /** Is told of every one that is wanted. */
  readonly each: (place: number, outcome: Digested | Absent) => void;
  /** Is told of every file that is not listed; nobody knows what else there is on the web. */
  readonly other: (file: OriginFile) => void;
}

/** A file of the folder that is audited. */
export interface OriginFile {
  readonly uri: string;
  readonly path: string;
}

export interface OpenOptions {
  /** A content coding that is not to be undone. */
  readonly encoding?: string | undefined;
  /** Bytes, as they come; to be more is an error. A decoded body may have any number. */
  readonly most?: number;
  /** Of a version that is known: asks for another one only. */
  readonly validators?: Validators | undefined;
  /** Asks caches on the way to look at the server. @default false */
  readonly fresh?: boolean;
  /** Of many that are each asked for by themselves: `robots.txt` may ask for a pause between them. @default false */
  readonly isFile?: boolean;
}

export interface Origin {
  open(uri: string, options?: OpenOptions): Promise<Opened | Absent>;
  /** Compares the bytes of very many with what is listed. */
  compare(comparison: ByteComparison): Promise<void>;
  /** Of a Source with sums that count: throws if a document of this SHA-256 is not what they say, or if they do not name it. */
  readonly judge?: ((uri: string, sha256: string) => void) | undefined;
  /** Whether nothing is here of what is published beside a URL; on the web nobody knows. */
  isApart(uri: string): boolean;
  /** Where a file is on disk; undefined on the web. */
  pathOf(uri: string): string | undefined;
  close(): void;
}

export function isAbsent<T extends object>(outcome: T | Absent): outcome is Absent {
  return 'failure' in outcome;
}

/** Why something could not be fetched or read, as an outcome; anything else that was thrown is thrown again. */
export function toAbsent(error: unknown): Absent {
  if (error instanceof ParseError) return { failure: 'malformed', found: error.message, mistake: error };
  if (!(error instanceof FetchError)) throw error;
  return { failure: error.failure, found: error.message };
}

/** Bytes past the listed length that are still read: as much as a host may put into a page. */
export const MOST_LONGER = 1024 * 1024;
/** What is read of anything, whatever its listed length is. */
export const MOST_BYTES = 16 * 1024 ** 3;

/**
 * Is given every piece; where it returns a promise, the next one waits for it.
 *
 * @param form how many content codings were undone; pieces of several forms come in turn
 */
export type Take = (chunk: Buffer, form?: number) => void | Promise<void>;

/** What of a body is to be known. */
export type Wanted = Pick<WantedBytes, 'digests' | 'length' | 'isRight'>;

/**
 * Reads something to its end, or a little past its listed length.
 *
 * @param take is given every piece as well
 */
export async function digestOpened(
  opened: Opened | Absent,
  wanted: Wanted,
  take: Take = () => undefined,
): Promise<Digested | Absent> {
  if (isAbsent(opened)) return opened;
  const { body, redirects, type, encoding, coded } = opened;
  const { digests, length } = wanted;
  try {
    const most = Math.min(MOST_BYTES, length === undefined ? MOST_BYTES : length + MOST_LONGER);
    const bytes = await (coded === undefined
      ? digestBody(body, digests, most, take)
      : digestForms({ ...opened, coded }, wanted, most, take));
    if (isAbsent(bytes)) return bytes;
    if (bytes.more && most === MOST_BYTES) return { failure: 'excessive', found: `more than ${most} bytes` };
    return { redirects, type, encoding, ...bytes };
  } catch (error) {
    return toAbsent(error);
  }
}

/** Digests a body in each form that it may have, in one go, and returns the first form that is as listed. */
async function digestForms(
  opened: Opened & { readonly coded: Coded },
  { digests: names, isRight }: Wanted,
  most: number,
  take: Take,
): Promise<Bytes | Absent> {
  const { raw, codings, steps } = opened.coded;
  const forms: (Bytes | Absent)[] = [];
  let isPacked = false;
  /** The next form draws its pieces through this one. */
  async function digestForm(body: AsyncIterable<Buffer>, form: number): Promise<void> {
    const digests = new Digests(names);
    const pieces = body[Symbol.asyncIterator]();
    let length = 0;
    let failure: unknown;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      try {
        const piece = await pieces.next();
        if (piece.done === true) return piece;
        if (length === 0 && form === steps.length) isPacked = isGzip(piece.value);
        length += piece.value.length;
        if (length > most) return piece;
        digests.update(piece.value);
        await take(piece.value, form);
        return piece;
      } catch (error) {
        // Whoever draws on it sees an early end, and could take the error for one of their own.
        failure ??= error;
        return { done: true, value: undefined };
      }
    };
    const tapped = { [Symbol.asyncIterator]: () => ({ next }) };
    try {
      const undo = steps[form];
      if (undo !== undefined) await digestForm(undo(tapped), form + 1);
      for await (const _ of tapped) if (length > most) break;
      if (failure !== undefined) throw failure;
      const hexes = new Map(digests.finish());
      forms[form] = { length, more: length > most, hex: (name) => hexes.get(name), form };
    } catch (error) {
      forms[form] = toAbsent(error);
    } finally {
      void pieces.return?.();
    }
  }

  await digestForm(raw, 0);
  const broken = forms.findIndex(isAbsent);
  const [first, last] = [forms[0] as Bytes | Absent, forms.at(-1) as Bytes | Absent];
  if (isAbsent(first)) return first;
  if (isRight !== undefined) {
    const right = forms.find((form, place) => (broken === -1 || place < broken) && isRight(form as Bytes));
    if (right !== undefined) return right;
    const also = `as it came, it is ${names.map((name) => `${name}:${first.hex(name)}, `).join('')}${first.length} bytes`;
    return isAbsent(last) ? { ...last, found: `${last.found}; ${also}` } : { ...last, also };
  }
  // A file such as a.tar.gz is in a coding itself, and many servers say so.
  const isFile = isCodedFile(codings.at(-1) ?? '', opened.uri, opened.type) && !isPacked;
  return isFile ? (forms.at(-2) as Bytes | Absent) : last;
}

/** Digests bytes as they come; past `most` it only tells that there are more. */
export async function digestBody(
  body: Body,
  names: readonly HashAlgorithm[],
  most = MOST_BYTES,
  take: Take = () => undefined,
): Promise<Bytes> {
  const { whole } = body;
  if (whole !== undefined && whole.length <= most) {
    const hexes = digestWhole(names, whole);
    const pause = take(whole);
    if (pause !== undefined) await pause;
    return { length: whole.length, more: false, hex: (name) => hexes[names.indexOf(name)] };
  }
  const digests = new Digests(names);
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) break;
    digests.update(chunk);
    const pause = take(chunk);
    if (pause !== undefined) await pause;
  }
  const hexes = new Map(digests.finish());
  return { length, more: length > most, hex: (name) => hexes.get(name) };
}

/** Digests a body by SHA-256, unless it breaks off or has more bytes than that. */
export async function digestUpTo(
  { body }: Opened,
  most: number,
): Promise<{ readonly digest: string; readonly length: number } | 'longer' | 'broken'> {
  try {
    const { length, more, hex } = await digestBody(body, ['sha-256'], most);
    return more ? 'longer' : { digest: hex('sha-256') ?? '', length };
  } catch (error) {
    toAbsent(error);
    return 'broken';
  }
}
