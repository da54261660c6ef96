/** Reads documents of ours from the live site within limits, and retries if that may help. */

import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResyncError } from '../../base/errors.js';
import { say, Words } from '../../base/text/say.js';
import { isOwnText, isOwnUri } from '../../paths/ours.js';
import { findMismatch } from '../../source/listed.js';
import { digestBody, toAbsent } from '../../source/origin/origin.js';
import { BoundReached, Bounds, FetchError } from '../../source/web/bounds.js';
import { HttpClient } from '../../source/web/client.js';
import type { Document } from '../../standard/document.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { DocumentError } from '../../standard/make.js';
import { algorithmsOf, type Resource } from '../../standard/model.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { makeDocument, makeResource } from '../../standard/xml/parse.js';
import { parseDocument } from '../../standard/xml/read.js';
import type { BytesFacts } from './published.js';
import { CHOICES, foreign, refuseUnreadable } from './refusals.js';

/** Limits of reading a live site that does not answer as it should. */
export interface LivePatience {
  /** Time limit for an answer and for each piece of it, in milliseconds. */
  readonly timeout: number;
  /** Limit of attempts to read all documents. After a timeout, there is no further attempt. */
  readonly readings: number;
  /** Pause after the first failed reading, in milliseconds; three times as long after each further one. */
  readonly pause: number;
  /** Time limit for all readings together, in milliseconds. */
  readonly time: number;
}

const TOTAL_TIME = 15 * 60_000;

const PATIENCE: LivePatience = { timeout: 30_000, readings: 3, pause: 1000, time: TOTAL_TIME };

const CONNECTIONS = 4;

const ATTEMPTS = 2;

/** Limit of memory for all readings, in bytes. */
const TOTAL_KEPT = 1024 ** 3;

/** Limit for all documents of one reading, in bytes: some four million resources. */
const TOTAL_BYTES = 1024 ** 3;

/** Estimated memory that a resource takes besides its texts, in bytes. */
export const RESOURCE_BYTES = 200;

/** Limit of a package in bytes, whatever length is listed: that of a ZIP without extensions. */
const PACKAGE_BYTES = 4 * 1024 ** 3;

/** Headers that make caches answer with the newest publication; with an older one, the changes since would be lost. */
const FRESH = { 'cache-control': 'no-cache' };

type OfKind<Kind> = Extract<Document, { readonly kind: Kind }>;

interface ReadBack<D = Document> {
  readonly path: string;
  readonly document: D;
  readonly text: () => string;
}

type Pieces = readonly Buffer[] | undefined;

/** Receives the resources of a Resource List one by one, with its path; the parsed document then has none. */
export type TakeResource = (resource: Resource, path: string) => void;

/** Calls `read` with a reader; if it fails, again if that may help. @throws ResyncError `live-unreadable`, `live-foreign` */
export async function withReader<T>(
  url: string,
  read: (reader: LiveReader, save: SaveFile) => Promise<T>,
  patience: LivePatience = PATIENCE,
): Promise<T> {
  const limits = { timeout: patience.timeout, attempts: ATTEMPTS, connections: CONNECTIONS };
  const bounds = new Bounds({ time: patience.time, memory: TOTAL_KEPT });
  const client = new HttpClient(url, limits, { agent: 'resync-static', staysHome: true, bounds });
  try {
    for (let count = 1; ; count++) {
      try {
        const reader = new LiveReader(url, client, bounds);
        const save: SaveFile = (path, file, facts) => saveAs(client, url + path, file, facts);
        return await bounds.race(read(reader, save)).catch((error: unknown) => {
          if (error instanceof BoundReached) refuseUnreadable(url, error.message, error);
          throw error;
        });
      } catch (error) {
        if (!(error instanceof ResyncError) || error.code !== 'live-unreadable') throw error;
        if (count >= patience.readings || isFinal(error)) {
          throw new ResyncError(
            error.code,
            say`${Words.asWritten(error.message)}\nTried ${count === 1 ? 'once' : `${count} times`}. Run again when the site answers. ${CHOICES}`,
            { cause: error },
          );
        }
      }
      await sleep(patience.pause * 3 ** (count - 1));
    }
  } finally {
    bounds.stop();
    client.close();
  }
}

/** Tests if an error is a timeout or a limit, after which no retry helps. */
function isFinal({ cause }: ResyncError): boolean {
  return cause instanceof BoundReached || (cause instanceof FetchError && cause.failure === 'slow');
}

export class LiveReader {
  readonly url: string;
  readonly #client: HttpClient;
  readonly #bounds: Bounds;
  #rest = TOTAL_BYTES;

  constructor(url: string, client: HttpClient, bounds: Bounds) {
    this.url = url;
    this.#client = client;
    this.#bounds = bounds;
  }

  /** Counts bytes that stay in memory. @throws BoundReached */
  keep(bytes: number): void {
    this.#bounds.keep(bytes);
  }

  /** Fetches a file; undefined if it is missing. */
  async #fetchPieces(path: string, most: number = READ_LIMITS.bytes): Promise<Pieces> {
    const url = this.url + path;
    const pieces: Buffer[] = [];
    try {
      const { body } = await this.#client.fetch(url, most, FRESH);
      for await (const piece of body) {
        this.#rest -= piece.length;
        if (this.#rest < 0)
          refuseUnreadable(url, `all documents together have more than ${TOTAL_BYTES} bytes`);
        pieces.push(piece);
      }
    } catch (error) {
      const { failure, found } = toAbsent(error);
      if (failure === 'missing') return undefined;
      if (failure === 'refused') foreign(url, `cannot be had: ${found}`);
      refuseUnreadable(url, found, error);
    }
    return pieces;
  }

  /** Returns the path of a document of ours. @param from the document that names it @throws ResyncError `live-foreign` */
  pathOf(uri: string, from: string): string {
    const { url } = this;
    if (!isOwnUri(uri, url)) foreign(url + from, `names ${uri}, which is not one of the documents of ${url}`);
    return uri.slice(url.length);
  }

  async find(path: string): Promise<ReadBack | undefined> {
    const pieces = await this.#fetchPieces(path);
    return pieces && parseOwn(this.url, path, pieces);
  }

  /** Reads the text of a file that we write; undefined if it is missing, or others wrote it. */
  async findText(path: string, most: number): Promise<string | undefined> {
    const pieces = await this.#fetchPieces(path, most);
    if (pieces === undefined) return undefined;
    const text = Buffer.concat(pieces).toString();
    this.keep(text.length);
    // A host may serve a page in the place of a missing file.
    return isOwnText(text) ? text : undefined;
  }

  /** Reads a document that must exist, and be of one of the kinds. */
  async read<Kind extends Document['kind']>(
    path: string,
    ...kinds: readonly Kind[]
  ): Promise<ReadBack<OfKind<Kind>>> {
    return this.#requireKind(await parseOwn(this.url, path, await this.#fetchPieces(path)), ...kinds);
  }

  /** Reads a document or, if it is an index, all its parts; yields nothing if the path is undefined. */
  async *readParts<Kind extends Document['kind']>(
    path: string | undefined,
    kind: Kind,
    take?: TakeResource,
  ): AsyncGenerator<ReadBack<OfKind<Kind>>, void> {
    if (path === undefined) return;
    const whole = await parseOwn(this.url, path, await this.#fetchPieces(path), take);
    const { document } = whole;
    if (document.kind !== `${kind}-index` || !('parts' in document))
      return yield this.#requireKind(whole, kind);
    const parts = document.parts.map(({ uri }) => this.pathOf(uri, path));
    // Parts to fetch at once: those of a Resource List are large, and few.
    const step = kind === 'resource-list' ? 1 : CONNECTIONS;
    for (let start = 0; start < parts.length; start += step) {
      const some = parts.slice(start, start + step);
      const contents = await Promise.all(some.map((part) => this.#fetchPieces(part)));
      // Parses one part at a time: a parsed document takes many times the memory of its text.
      for (const [index, part] of some.entries())
        yield this.#requireKind(await parseOwn(this.url, part, contents[index], take), kind);
    }
  }

  #requireKind<Kind>(read: ReadBack, ...kinds: readonly Kind[]): ReadBack<OfKind<Kind>> {
    const { document, path } = read;
    if (!kinds.some((kind) => kind === document.kind))
      refuseUnreadable(this.url + path, `it is a ${document.kind}`);
    return read as ReadBack<OfKind<Kind>>;
  }
}

async function parseOwn(url: string, path: string, found: Pieces, take?: TakeResource): Promise<ReadBack> {
  const pieces = found ?? refuseUnreadable(url + path, 'it is missing');
  const top = pieces[0]?.toString('latin1', 0, 512) ?? '';
  if (!isOwnText(top)) {
    const html = /^\s*<(?:!doctype html|html)/i.test(top);
    foreign(
      url + path,
      html
        ? 'is an HTML page. It may stand for what is missing, as on hosts where a site has no 404.html'
        : 'was not written by resync-static',
    );
  }
  try {
    const read = await parseDocument(pieces, {}, (entry, soFar) => {
      if (take === undefined || kindOfDocument(soFar) !== 'resource-list') return false;
      take(makeResource(entry), path);
      return true;
    });
    return { path, text: () => Buffer.concat(pieces).toString(), document: makeDocument(read) };
  } catch (error) {
    if (error instanceof ParseError) refuseUnreadable(url + path, `${error.message} (line ${error.line})`);
    if (error instanceof DocumentError) refuseUnreadable(url + path, error.message);
    throw error;
  }
}

/** Fetches a live file and saves it; its bytes must match the length and the digests in `facts`. */
type SaveFile = (path: string, file: string, facts: BytesFacts) => Promise<void>;

async function saveAs(
  client: HttpClient,
  uri: string,
  file: string,
  { length, hash }: BytesFacts,
): Promise<void> {
  const listed = { uri, hash, length: String(length), type: undefined, encoding: undefined };
  const names = algorithmsOf(listed);
  if (names.length === 0) refuseUnreadable(uri, 'its digests are of kinds that are not known here');
  const handle = openSync(file, 'w');
  let isRight = false;
  try {
    const { body } = await client.fetch(uri, Math.min(length, PACKAGE_BYTES));
    const bytes = await digestBody(body, names, length, (piece) => writeFileSync(handle, piece));
    isRight = findMismatch(listed, bytes) === undefined;
  } catch (error) {
    refuseUnreadable(uri, toAbsent(error).found, error);
  } finally {
    closeSync(handle);
  }
  if (isRight) return;
  rmSync(file);
  refuseUnreadable(uri, 'it is not what the Change Dump says of it');
}
