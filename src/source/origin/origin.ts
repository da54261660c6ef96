/** The origin of published files: one interface for a folder and the web. Computes digests of the files that it opens. */

import { Digests } from '../../standard/digests.js';
import { digestsByName, type HashAlgorithm } from '../../standard/model.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { type Body, FetchError, type FetchFailure } from '../web/bounds.js';
import type { UrlAnswer } from '../web/client.js';
import { isCodedFile, isGzip } from './codings.js';

export interface Answer {
  /** Targets of the redirects that were followed, in their order. */
  readonly redirects: readonly string[];
  /** Media type without parameters; undefined in a folder. */
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}

export const NO_ANSWER: Answer = { redirects: [], type: undefined, encoding: undefined };

export interface Opened extends Answer {
  /** URL of the file after all redirects. */
  readonly uri: string;
  readonly link: string | undefined;
  readonly robots?: string | undefined;
  /** Validators of the version that was opened; absent in a folder. */
  readonly validators?: Validators | undefined;
  /** `Date` of the answer, in milliseconds since 1970, if it has one. */
  readonly date?: number | undefined;
  /** `Content-Length` of the answer, if it has one. */
  readonly length?: number | undefined;
  /** True for status 304: the validators that were sent still hold, and the body is empty. */
  readonly unchanged?: boolean;
  /** Bytes of the file. Content codings that were not requested are decoded. */
  readonly body: Body;
  /** Requests the file again, to be left as it is received. Present if `body` is decoded: the coding may be that of the file. */
  readonly asReceived?: (() => Promise<Opened | Absent>) | undefined;
}

/** Validators of a version, for the next conditional request (RFC 9110 §8.8). */
export interface Validators {
  readonly etag?: string | undefined;
  /** Value of the header `Last-Modified`, verbatim. */
  readonly modified?: string | undefined;
}

/** The reason why a file or document cannot be opened or read. */
export interface Absent {
  /** Kind of failure. `elsewhere`: not in the folder; `excessive`: too many bytes; `malformed`: not the expected document. */
  readonly failure: FetchFailure | 'elsewhere' | 'excessive' | 'malformed';
  readonly found: string;
  readonly mistake?: ParseError;
}

/** A listed file whose bytes are to be compared with the listed facts. */
export interface WantedBytes {
  readonly uri: string;
  /** Listed number of bytes; reading stops soon after it. */
  readonly length: number | undefined;
  readonly digests: readonly HashAlgorithm[];
  readonly encoding: string | undefined;
  /** Tests whether bytes are as listed; absent if neither a length nor a digest is listed. */
  readonly isRight?: ((bytes: Bytes) => boolean) | undefined;
}

export interface Bytes {
  readonly length: number;
  /** True if the file has more bytes than were read. */
  readonly more: boolean;
  /** Returns a digest in lower-case hexadecimal; undefined if it was not requested. */
  hex(name: HashAlgorithm): string | undefined;
  /** True if the bytes begin as a gzip file does. */
  readonly isPacked?: boolean;
  /** Describes the body as received, if neither it nor these bytes are as listed. */
  readonly also?: string;
}

export type Digested = Answer & Bytes;

export interface OpenOptions {
  /** A content coding that is not to be decoded. */
  readonly encoding?: string | undefined;
  /** Limit of the bytes as received; more are an error. A decoded body may have any number. */
  readonly most?: number;
  /** Validators of a saved version, for a conditional request. */
  readonly validators?: Validators | undefined;
  /** True to make caches revalidate their copies. @default false */
  readonly fresh?: boolean;
  /** True for one of many files with a request each, for which `Crawl-delay` counts. @default false */
  readonly isFile?: boolean;
}

export interface Origin {
  /** Asks what a URL answers, and reads nothing of it; undefined for a folder. @throws FetchError, BoundReached */
  readonly ask?: (uri: string) => Promise<UrlAnswer>;
  open(uri: string, options?: OpenOptions): Promise<Opened | Absent>;
  /** Present for a Source with trusted sums: throws if they do not name a document, or name it with another SHA-256. */
  judge?: ((uri: string, sha256: string) => void) | undefined;
  close(): void;
}

export function isAbsent<T extends object>(outcome: T | Absent): outcome is Absent {
  return 'failure' in outcome;
}

/** Turns a FetchError or a ParseError into an `Absent`, and throws any other error again. */
export function toAbsent(error: unknown): Absent {
  if (error instanceof ParseError) return { failure: 'malformed', found: error.message, mistake: error };
  if (!(error instanceof FetchError)) throw error;
  return { failure: error.failure, found: error.message };
}

/** Limit of the bytes that are read past the listed length: as many as a host may insert into a page. */
export const MOST_LONGER = 1024 * 1024;
/** Limit of the bytes that are read of any file, whatever its listed length. */
export const MOST_BYTES = 16 * 1024 ** 3;

export type Take = (chunk: Buffer) => void;

export type Wanted = Pick<WantedBytes, 'digests' | 'length' | 'isRight'>;

/** Digests a file, decoded or as received. @param begin called before each of the two is read; returns a receiver of its pieces */
export function digestOpened(
  opened: Opened | Absent,
  wanted: Wanted,
  begin: () => Take | undefined = () => undefined,
): Promise<Digested | Absent> {
  return chooseForm(opened, wanted, (form) => digestForm(form, wanted, begin()));
}

/** Reads a file decoded, and again as received unless the decoded bytes are as listed. @param digest reads it in one form */
export async function chooseForm(
  opened: Opened | Absent,
  { isRight, digests }: Wanted,
  digest: (form: Opened) => Promise<Digested | Absent>,
): Promise<Digested | Absent> {
  if (isAbsent(opened)) return opened;
  const { asReceived } = opened;
  const decoded = await digest(opened);
  if (asReceived === undefined) return decoded;
  // Many servers name the format of a file such as a.tar.gz as its coding.
  const isCoded = isCodedFile(opened.encoding, opened.uri, opened.type);
  const isDecoded = isAbsent(decoded)
    ? isRight === undefined && !isCoded
    : (isRight?.(decoded) ?? (decoded.isPacked === true || !isCoded));
  if (isDecoded) return decoded;
  const again = await asReceived();
  const received = isAbsent(again) ? again : await digest(again);
  if (isAbsent(received) || isRight === undefined || isRight(received)) return received;
  const also = `as it came, it is ${digests.map((name) => `${name}:${received.hex(name)}, `).join('')}${received.length} bytes`;
  return isAbsent(decoded) ? { ...decoded, found: `${decoded.found}; ${also}` } : { ...decoded, also };
}

/** Digests a file in the form in which it was opened. */
export async function digestForm(opened: Opened, wanted: Wanted, take?: Take): Promise<Digested | Absent> {
  const { body, redirects, type, encoding } = opened;
  const { digests, length } = wanted;
  const most = Math.min(MOST_BYTES, length === undefined ? MOST_BYTES : length + MOST_LONGER);
  try {
    const bytes = await digestBody(body, digests, most, take);
    if (bytes.more && most === MOST_BYTES) return { failure: 'excessive', found: `more than ${most} bytes` };
    return { redirects, type, encoding, ...bytes };
  } catch (error) {
    return toAbsent(error);
  }
}

/** Digests a body up to `most` bytes. */
export async function digestBody(
  body: Body,
  names: readonly HashAlgorithm[],
  most = MOST_BYTES,
  take: Take = () => undefined,
): Promise<Bytes> {
  const digests = new Digests(names);
  let length = 0;
  let isPacked = false;
  for await (const chunk of body) {
    if (length === 0) isPacked = isGzip(chunk);
    length += chunk.length;
    if (length > most) break;
    digests.update(chunk);
    take(chunk);
  }
  const hexes = digestsByName(digests.finish());
  return { length, more: length > most, hex: (name) => hexes.get(name), isPacked };
}

export function hexOf(bytes: Bytes, name: HashAlgorithm): string {
  const hex = bytes.hex(name);
  if (hex === undefined) throw new TypeError(`${name} was not requested`);
  return hex;
}

/** Computes the SHA-256 of a body. Returns a word if the body has more than `most` bytes, or breaks off. */
export async function digestUpTo(
  { body }: Opened,
  most: number,
): Promise<{ readonly digest: string; readonly length: number } | 'longer' | 'broken'> {
  try {
    const bytes = await digestBody(body, ['sha-256'], most);
    return bytes.more ? 'longer' : { digest: hexOf(bytes, 'sha-256'), length: bytes.length };
  } catch (error) {
    toAbsent(error);
    return 'broken';
  }
}
