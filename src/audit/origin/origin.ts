/** Where published bytes are: in a folder, or on the web. An audit asks both the same questions. */

import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ResyncError, systemErrorCode } from '../../errors.js';
import { encodePath, makeUri, URL_STYLES, type UrlStyle } from '../../paths/urls.js';
import { type HashAlgorithm, opensslName } from '../../resourcesync/model.js';
import { startDigester } from '../../site/digest/digester.js';
import { listEntries } from '../../site/walk.js';
import { say } from '../../text/say.js';
import type { Bounds } from '../../web/bounds.js';
import { FetchError, type FetchFailure, type HttpLimits, startClient } from '../../web/client.js';
import { isSafePath } from '../rules/rules.js';

/** What is known of something before its bytes are read. */
export interface Answer {
  /** Where redirects led. */
  readonly redirects: readonly string[];
  /** Media type without parameters; a folder knows none. */
  readonly type: string | undefined;
  /** Content coding. */
  readonly encoding: string | undefined;
}

/** Something that is there. */
export interface Opened extends Answer {
  /** Where it came from in the end. */
  readonly uri: string;
  /** `Link` header. */
  readonly link: string | undefined;
  /** To be read to its end, or returned from; a FetchError when that fails. */
  readonly body: AsyncIterable<Buffer>;
}

/** Something that cannot be had, and why. */
export interface Absent {
  /** `elsewhere` is not in the folder that is audited; `excessive` is more than we read of anything. */
  readonly failure: FetchFailure | 'elsewhere' | 'excessive';
  readonly found: string;
}

/** Whose bytes are wanted. */
export interface Wanted {
  readonly uri: string;
  /** Listed number of bytes; not many more are read. */
  readonly length: number | undefined;
  readonly digests: readonly HashAlgorithm[];
  /** Listed content coding. */
  readonly encoding: string | undefined;
}

/** What the bytes of something are. */
export interface Bytes {
  /** Number of bytes. */
  readonly length: number;
  /** Whether there are more bytes than were read. */
  readonly more: boolean;
  /** Lower-case hexadecimal; undefined where it was not asked for. */
  hex(name: HashAlgorithm): string | undefined;
}

export type Digested = Answer & Bytes;

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
}

export interface Origin {
  open(uri: string, options?: OpenOptions): Promise<Opened | Absent>;
  /**
   * Digests many.
   *
   * @param all what is listed
   * @param want says what is wanted of one; undefined for nothing
   * @param each is told of every one that is wanted as it is done
   * @param other is told of every file that is not listed; nobody knows what else there is on the web
   */
  digest<T extends { readonly uri: string }>(
    all: readonly T[],
    want: (one: T) => Wanted | undefined,
    each: (one: T, outcome: Digested | Absent) => void,
    other: (file: OriginFile) => void,
  ): Promise<void>;
  /** Where a file is on disk; undefined on the web. */
  pathOf(uri: string): string | undefined;
  close(): void;
}

export function isAbsent<T extends object>(outcome: T | Absent): outcome is Absent {
  return 'failure' in outcome;
}

/**
 * Opens a folder whose files are, or will be, served at a URL.
 *
 * @param site absolute path
 * @param url of the site's root, with a trailing slash
 * @param urls how HTML files become URLs; undefined to go by what is listed
 */
export function openFolder(site: string, url: string, urls: UrlStyle | undefined, bounds: Bounds): Origin {
  let styles: readonly UrlStyle[] = urls === undefined ? URL_STYLES : [urls];

  function find(uri: string): string | Absent {
    if (!uri.startsWith(url)) return { failure: 'elsewhere', found: `not below ${url}` };
    const rest = decodePath(uri.slice(url.length));
    const normal = url + encodePath(rest);
    for (const candidate of [rest, `${rest}index.html`, `${rest}.html`, `${rest}/index.html`]) {
      if (!styles.some((style) => makeUri(url, candidate, style) === normal)) continue;
      if (isOwnFile(site, candidate)) return candidate;
    }
    return { failure: 'missing', found: 'no such file' };
  }

  return {
    async open(uri) {
      const path = find(uri);
      if (typeof path !== 'string') return path;
      return { ...NO_ANSWER, uri, link: undefined, body: readFile(`${site}/${path}`, bounds) };
    },
    async digest(all, want, each, other) {
      const style = urls ?? inferStyle(url, all);
      styles = [style];
      const names = new Set<HashAlgorithm>();
      // A file may be listed in several sets: it is read once.
      const places = new Map<string, number>();
      for (const one of all) {
        const wanted = want(one);
        places.set(normalizeUri(url, one.uri), wanted === undefined ? UNWANTED : UNSEEN);
        for (const name of wanted?.digests ?? []) names.add(name);
      }
      const digester = startDigester(site, [...names]);
      try {
        let added = 0;
        for (const { path, kind, nameless } of listEntries(site)) {
          if (added % 1024 === 0) bounds.check();
          if (kind !== undefined || nameless) continue;
          const uri = makeUri(url, path, style);
          const place = places.get(uri);
          if (place === undefined) other({ uri, path });
          else if (place !== UNWANTED) {
            digester.add(path);
            places.set(uri, added++);
          }
        }
        const table = await bounds.race(digester.finish());
        for (const one of all) {
          const place = places.get(normalizeUri(url, one.uri)) ?? UNSEEN;
          if (place === UNWANTED) continue;
          if (place === UNSEEN) {
            const found = find(one.uri);
            each(
              one,
              typeof found === 'string' ? { failure: 'failed', found: `${found} is another file` } : found,
            );
          } else {
            const hex = (name: HashAlgorithm) => (names.has(name) ? table.hex(place, name) : undefined);
            // Spelled out: a spread for every file costs 60 MB where there are 200,000.
            const { redirects, type, encoding } = NO_ANSWER;
            each(one, { redirects, type, encoding, length: table.length(place), more: false, hex });
          }
        }
      } finally {
        digester.close();
      }
    },
    pathOf: (uri) => {
      const path = find(uri);
      return typeof path === 'string' ? `${site}/${path}` : undefined;
    },
    close: () => undefined,
  };
}

/**
 * Whether a path is a regular file of a folder, and no link leads out of it on the way.
 *
 * @throws ResyncError `file-unreadable`
 */
export function isOwnFile(site: string, path: string): boolean {
  if (!isSafePath(`/${path}`)) return false;
  const file = join(site, path);
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && realpathSync(file).startsWith(site + sep);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (NOWHERE.has(code)) return false;
    throw new ResyncError('file-unreadable', say`Cannot read ${file} (${code}).`, { cause: error });
  }
}

/** It is gone, or no file system could hold it: its name or its path is too long, or links go round. */
const NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'ELOOP']);

const UNSEEN = -1;
const UNWANTED = -2;

/** The style of URLs that a Resource List shows; where it shows none, one that fits all the same. */
function inferStyle(url: string, listed: readonly { readonly uri: string }[]): UrlStyle {
  const ends = (end: string) => listed.some(({ uri }) => uri.endsWith(end) && uri !== url);
  if (ends('/index.html') || listed.some(({ uri }) => uri === `${url}index.html`)) return 'file';
  if (ends('.html')) return 'directory';
  return ends('/') ? 'clean' : 'bare';
}

/** Others may escape more or fewer characters than we do. */
function normalizeUri(url: string, uri: string): string {
  if (!NEEDS_CARE.test(uri) || !uri.startsWith(url)) return uri;
  return url + encodePath(decodePath(uri.slice(url.length)));
}

const NEEDS_CARE = /[^\w./:-]/;

/** Undoes percent-encoding; what is not the encoding of UTF-8 stays as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

async function* readFile(path: string, { take, signal }: Bounds): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
      take(chunk.length);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    const code = systemErrorCode(error);
    throw code === undefined ? error : new FetchError('failed', `cannot be read (${code})`, { cause: error });
  }
}

const NO_ANSWER: Answer = { redirects: [], type: undefined, encoding: undefined };

/** Bytes past the listed length that are still read: as much as a host may put into a page. */
const MOST_LONGER = 1024 * 1024;
/** What is read of anything, whatever its listed length is. */
export const MOST_BYTES = 16 * 1024 ** 3;

/**
 * Reads something to its end, or a little past its listed length.
 *
 * @param take is given every piece as well
 */
export async function digestOpened(
  opened: Opened | Absent,
  { digests, length }: Pick<Wanted, 'digests' | 'length'>,
  take: (chunk: Buffer) => void = () => undefined,
): Promise<Digested | Absent> {
  if (isAbsent(opened)) return opened;
  const { body, redirects, type, encoding } = opened;
  try {
    const most = Math.min(MOST_BYTES, length === undefined ? MOST_BYTES : length + MOST_LONGER);
    const bytes = await digestBody(body, digests, most, take);
    if (bytes.more && most === MOST_BYTES) return { failure: 'excessive', found: `more than ${most} bytes` };
    return { redirects, type, encoding, ...bytes };
  } catch (error) {
    return toAbsent(error);
  }
}

/** Digests bytes as they come; past `most` it only tells that there are more. */
export async function digestBody(
  body: AsyncIterable<Buffer>,
  names: readonly HashAlgorithm[],
  most = MOST_BYTES,
  take: (chunk: Buffer) => void = () => undefined,
): Promise<Bytes> {
  const hashes = names.map((name) => [name, createHash(opensslName(name))] as const);
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) break;
    for (const [, hash] of hashes) hash.update(chunk);
    take(chunk);
  }
  const hexes = new Map(hashes.map(([name, hash]) => [name, hash.digest('hex')]));
  return { length, more: length > most, hex: (name) => hexes.get(name) };
}

/**
 * Opens a Source on the web.
 *
 * @param home URL at which the site is served now, with a trailing slash
 * @param url URL that its documents speak of; the same, unless it is a preview
 */
export function openWeb(home: string, url: string, limits: HttpLimits, bounds: Bounds): Origin {
  const client = startClient(home, limits, { bounds });
  const locate = (uri: string) => (uri.startsWith(url) ? home + uri.slice(url.length) : uri);

  async function open(uri: string, { encoding, most }: OpenOptions = {}): Promise<Opened | Absent> {
    try {
      const { redirects, headers, body, uri: last } = await client.fetch(locate(uri), most);
      const coding = codingOf(headers['content-encoding']);
      return {
        uri: last,
        redirects,
        type: typeOf(headers['content-type']),
        encoding: coding,
        link: [headers['link'] ?? []].flat().join(', ') || undefined,
        // A coding that is listed is part of what is described (§7, `encoding`).
        body: coding === encoding ? body : decode(body, coding, bounds),
      };
    } catch (error) {
      return toAbsent(error);
    }
  }

  return {
    open,
    async digest(all, want, each) {
      const waiting = all.values();
      const work = async () => {
        // All workers take from the one iterator.
        for (const one of waiting) {
          const wanted = want(one);
          if (wanted === undefined) continue;
          each(
            one,
            await digestOpened(
              await open(wanted.uri, { encoding: wanted.encoding, most: MOST_BYTES + MOST_LONGER }),
              wanted,
            ),
          );
        }
      };
      await Promise.all(Array.from({ length: limits.connections }, work));
    },
    pathOf: () => undefined,
    close: client.close,
  };
}

function toAbsent(error: unknown): Absent {
  if (!(error instanceof FetchError)) throw error;
  return { failure: error.failure, found: error.message };
}

function typeOf(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}

function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}

/** Undoes a content coding that we did not ask for. */
async function* decode(
  body: AsyncIterable<Buffer>,
  coding: string | undefined,
  { take, signal }: Bounds,
): AsyncGenerator<Buffer> {
  const decoder = coding === undefined ? undefined : makeDecoder(coding);
  if (decoder === undefined) return yield* body;
  try {
    // What goes wrong on either side is thrown by the iteration.
    const decoded = pipeline(Readable.from(body), decoder, () => undefined) as AsyncIterable<Buffer>;
    for await (const chunk of decoded) {
      take(chunk.length);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError || systemErrorCode(error)?.startsWith('Z_') !== true) throw error;
    throw new FetchError('failed', `is not ${coding}, as its Content-Encoding says`, { cause: error });
  }
}

function makeDecoder(coding: string) {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new FetchError('failed', `has the Content-Encoding ${coding}, although none was asked for`);
  }
}

/** Some bytes of a file and of what was fetched instead, from where they differ on. */
export interface Difference {
  /** Number of bytes before it. */
  readonly offset: number;
  readonly found: string;
  readonly expected: string;
}

const EXCERPT = 60;
const MOST_COMPARED = 64 * 1024 * 1024;

/** Fetches once more and finds where the bytes begin to differ from those of a file; undefined when they do not. */
export async function findDifference(opened: Opened, path: string): Promise<Difference | undefined> {
  const expected = readFileSync(path);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of opened.body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > Math.min(expected.length + EXCERPT, MOST_COMPARED)) break;
  }
  const found = Buffer.concat(chunks);
  if (found.equals(expected)) return undefined;
  let offset = 0;
  while (offset < expected.length && found[offset] === expected[offset]) offset++;
  const excerpt = (bytes: Buffer) => JSON.stringify(bytes.toString('utf8', offset, offset + EXCERPT));
  return { offset, found: excerpt(found), expected: excerpt(expected) };
}
