/** Reads what the live site says of itself: the documents of its last publication, and its packages. */

import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { ResyncError } from '../errors.js';
import {
  type DocumentName,
  isOwnText,
  isOwnUri,
  nameInterval,
  pathOfDocument,
  pathOfPackage,
  pathOfPart,
  SOURCE_DESCRIPTION,
} from '../paths/ours.js';
import type { ChangeSegment } from '../plan/changes.js';
import {
  type ChangeDump,
  type ChangeDumpManifest,
  type Document,
  DocumentError,
} from '../resourcesync/document.js';
import {
  type ChangeEvent,
  formatDatetime,
  opensslName,
  parseDigests,
  type Resource,
} from '../resourcesync/model.js';
import {
  kindOf,
  makeDocument,
  makeResource,
  ParseError,
  parseDocument,
  READ_LIMITS,
} from '../resourcesync/parse.js';
import { say, Words } from '../text/say.js';
import { BoundReached, type Bounds, startBounds } from '../web/bounds.js';
import { FetchError, type HttpClient, startClient } from '../web/client.js';

/** What is live. */
export interface PublishedHistory {
  readonly kind: 'published';
  /** Whether there is a Source Description. */
  readonly begun: boolean;
  /** Those of the configured sets that are live, by name. */
  readonly sets: ReadonlyMap<string | undefined, LiveSet>;
}

/** A set of resources as it was published last. */
export interface LiveSet {
  readonly at: Date;
  readonly resources: ReadonlyMap<string, LiveResource>;
  /** Its Change Lists, oldest first; none where it was published without a history. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** The packages of its Change Dump, oldest first; none unless they are asked for. */
  readonly packages: ChangeDump['packages'];
}

export type LiveResource = Pick<Resource, 'length' | 'hash' | 'lastmod'>;

/** How long to go on when the live site does not answer as it should. */
export interface Patience {
  /** Milliseconds to wait for an answer, and for each piece of it. */
  readonly timeout: number;
  /** How often all is read from its beginning, unless there is no answer in time. */
  readonly readings: number;
  /** Milliseconds after the first reading that failed; three times as long after each one more. */
  readonly pause: number;
}

const PATIENCE: Patience = { timeout: 30_000, readings: 3, pause: 1000 };
const CONNECTIONS = 4;
/** Each time, a host that is busy may ask us to wait once. */
const ATTEMPTS = 2;
/** Of all documents together: some four million resources. */
const TOTAL_BYTES = 1024 ** 3;
/** Milliseconds for all readings together. */
const TOTAL_TIME = 15 * 60_000;
/** Bytes of memory for what is remembered of them. */
const TOTAL_KEPT = 1024 ** 3;
/** What a resource takes in memory beside its texts, in bytes. */
const ENTRY_BYTES = 200;
/** A package may be as large as is listed, and no larger than any ZIP without extensions. */
const PACKAGE_BYTES = 4 * 1024 ** 3;

const CHOICES =
  'To begin a new history instead, publish once with --history none: the next run with --history published goes on from there. Nothing has been written.';

/**
 * Reads the documents that the live site has for the configured sets. Only those are asked for that have the names which
 * ours have, at the URL of the site; nothing leads elsewhere.
 *
 * @throws ResyncError `live-unreadable`, after several readings; `live-foreign` when the documents are of another tool or
 *   another site
 */
export async function readLive(
  config: Pick<Config, 'url' | 'sets' | 'dumps'>,
  patience: Patience = PATIENCE,
): Promise<PublishedHistory> {
  return await withReader(config.url, patience, (reader) => readDocuments(reader, config));
}

/** Reads, and begins again after a pause where that may help. */
async function withReader<T>(
  url: string,
  patience: Patience,
  read: (reader: Reader) => Promise<T>,
): Promise<T> {
  const limits = { timeout: patience.timeout, attempts: ATTEMPTS, connections: CONNECTIONS };
  const bounds = startBounds({ bytes: Number.POSITIVE_INFINITY, time: TOTAL_TIME, memory: TOTAL_KEPT });
  const client = startClient(url, limits, { agent: 'resync-static', staysHome: true, bounds });
  try {
    for (let reading = 1, pause = patience.pause; ; reading++, pause *= 3) {
      try {
        return await withinBounds(bounds, url, read(makeReader(client, url, bounds)));
      } catch (error) {
        if (!(error instanceof ResyncError) || error.code !== 'live-unreadable') throw error;
        if (isFinal(error) || reading >= patience.readings) {
          throw new ResyncError(
            error.code,
            say`${Words.asWritten(error.message)}\nRead ${reading === 1 ? 'once' : `${reading} times`}, and given up. Run again when the site answers as it should. ${CHOICES}`,
            { cause: error },
          );
        }
      }
      await sleep(pause);
    }
  } finally {
    bounds.stop();
    client.close();
  }
}

async function withinBounds<T>(bounds: Bounds, url: string, work: Promise<T>): Promise<T> {
  try {
    return await bounds.race(work);
  } catch (error) {
    if (error instanceof BoundReached) unreadable(url, error.message, error);
    throw error;
  }
}

/** Who did not answer in time would keep us waiting once more, and what is too much is too much again. */
function isFinal({ cause }: ResyncError): boolean {
  return cause instanceof BoundReached || (cause instanceof FetchError && cause.failure === 'slow');
}

interface ReadBack {
  readonly path: string;
  readonly document: Document;
  /** As it came. */
  readonly text: () => string;
}

interface Reader {
  /** Reads one document; undefined where there is none. */
  readonly find: (path: string) => Promise<ReadBack | undefined>;
  readonly read: (path: string) => Promise<ReadBack>;
  /** Reads a document, or all parts where it is their index. */
  readonly readParts: (path: string, kind: PartKind, take?: TakeResource) => AsyncGenerator<ReadBack, void>;
  /** Writes a file that has to be what is said of it. */
  readonly save: (path: string, file: string, facts: { length: number; hash: string }) => Promise<void>;
  /** Counts bytes that are remembered. */
  readonly keep: Bounds['keep'];
  /** The path of a document of ours. */
  readonly pathOf: (uri: string, from: string) => string;
}

/** Gets the resources of a Resource List one by one; the document then has none. */
type TakeResource = (resource: Resource, path: string) => void;
type PartKind = 'resource-list' | 'change-list' | 'change-dump';

function makeReader(client: HttpClient, url: string, { keep }: Bounds): Reader {
  let rest = TOTAL_BYTES;

  async function fetchPieces(path: string): Promise<Buffer[] | undefined> {
    const pieces: Buffer[] = [];
    try {
      const { body } = await client.fetch(url + path, READ_LIMITS.bytes);
      for await (const piece of body) {
        rest -= piece.length;
        if (rest < 0) unreadable(url + path, `all documents together have more than ${TOTAL_BYTES} bytes`);
        pieces.push(piece);
      }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (error.failure === 'missing') return undefined;
      if (error.failure === 'refused') foreign(url + path, `cannot be had: ${error.message}`);
      unreadable(url + path, error.message, error);
    }
    return pieces;
  }

  async function parse(path: string, pieces: Buffer[], take?: TakeResource): Promise<ReadBack> {
    const text = () => Buffer.concat(pieces).toString();
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
      return {
        path,
        text,
        document: makeDocument(
          await parseDocument(pieces, {}, (entry, soFar) => {
            if (take === undefined || kindOf(soFar) !== 'resource-list') return false;
            take(makeResource(entry), path);
            return true;
          }),
        ),
      };
    } catch (error) {
      if (error instanceof ParseError) unreadable(url + path, `${error.message} (line ${error.line})`);
      if (error instanceof DocumentError) unreadable(url + path, error.message);
      throw error;
    }
  }

  async function find(path: string): Promise<ReadBack | undefined> {
    const pieces = await fetchPieces(path);
    return pieces && (await parse(path, pieces));
  }

  function pathOf(uri: string, from: string): string {
    if (!isOwnUri(uri, url)) foreign(url + from, `names ${uri}, which is not one of the documents of ${url}`);
    return uri.slice(url.length);
  }

  return {
    find,
    pathOf,
    keep,
    read: async (path) => (await find(path)) ?? unreadable(url + path, 'it is missing'),
    async *readParts(path, kind, take) {
      const pieces = (await fetchPieces(path)) ?? unreadable(url + path, 'it is missing');
      const whole = await parse(path, pieces, take);
      if (whole.document.kind === kind) return yield whole;
      if (whole.document.kind !== `${kind}-index` || !('parts' in whole.document)) {
        return unreadable(url + path, `it is a ${whole.document.kind}`);
      }
      const parts = whole.document.parts.map(({ uri }) => pathOf(uri, path));
      // Parts of a Resource List are large, and few.
      const step = kind === 'resource-list' ? 1 : CONNECTIONS;
      for (let start = 0; start < parts.length; start += step) {
        const some = parts.slice(start, start + step);
        const contents = await Promise.all(some.map(fetchPieces));
        // One after another: what a parser makes is many times as large.
        for (const [index, part] of some.entries()) {
          const content = contents[index] ?? unreadable(url + part, 'it is missing');
          const read = await parse(part, content, take);
          if (read.document.kind !== kind) unreadable(url + part, `it is a ${read.document.kind}`);
          yield read;
        }
      }
    },
    async save(path, file, { length, hash }) {
      const digests = parseDigests(hash).map(([name, hex]) => [createHash(opensslName(name)), hex] as const);
      if (digests.length === 0) unreadable(url + path, 'its digests are of kinds that are not known here');
      const handle = openSync(file, 'w');
      let received = 0;
      try {
        const { body } = await client.fetch(url + path, Math.min(length, PACKAGE_BYTES));
        for await (const piece of body) {
          received += piece.length;
          for (const [digest] of digests) digest.update(piece);
          for (let offset = 0; offset < piece.length; ) offset += writeSync(handle, piece, offset);
        }
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        unreadable(url + path, error.message, error);
      } finally {
        closeSync(handle);
      }
      if (received === length && digests.every(([digest, hex]) => digest.digest('hex') === hex)) return;
      rmSync(file);
      unreadable(url + path, 'it is not what the Change Dump says of it');
    },
  };
}

function unreadable(uri: string, reason: string, cause?: unknown): never {
  throw new ResyncError(
    'live-unreadable',
    say`Cannot read the history of the live site: ${uri}: ${reason}.`,
    {
      cause,
    },
  );
}

function foreign(uri: string, reason: string): never {
  throw new ResyncError(
    'live-foreign',
    say`Cannot continue the history of the live site: ${uri} ${reason}.\nLook at that address, and whether --url is that of the site. ${CHOICES}`,
  );
}

async function readDocuments(
  reader: Reader,
  { url, sets, dumps }: Pick<Config, 'url' | 'sets' | 'dumps'>,
): Promise<PublishedHistory> {
  const description = await reader.find(SOURCE_DESCRIPTION);
  if (description === undefined) return { kind: 'published', begun: false, sets: new Map() };
  const { document } = description;
  if (document.kind !== 'source-description')
    return unreadable(url + SOURCE_DESCRIPTION, `it is a ${document.kind}`);
  const known = new Set(document.capabilityLists.map(({ uri }) => reader.pathOf(uri, SOURCE_DESCRIPTION)));
  const live = new Map<string | undefined, LiveSet>();
  for (const { name } of sets) {
    if (known.has(pathOfDocument(name, 'capabilitylist')))
      live.set(name, await readSet(reader, url, name, dumps.changes));
  }
  return { kind: 'published', begun: true, sets: live };
}

async function readSet(
  reader: Reader,
  url: string,
  name: string | undefined,
  withDump: boolean,
): Promise<LiveSet> {
  const { document, path } = await reader.read(pathOfDocument(name, 'capabilitylist'));
  if (document.kind !== 'capability-list') return unreadable(url + path, `it is a ${document.kind}`);
  const offered = new Set(document.capabilities.map(({ uri }) => reader.pathOf(uri, path)));
  const find = (document: DocumentName) => {
    const place = pathOfDocument(name, document);
    return offered.has(place) ? place : undefined;
  };
  const resourceList = find('resourcelist') ?? unreadable(url + path, 'it names no Resource List');
  const resources = new Map<string, LiveResource>();
  const moments = new Map<number, Date>();
  const share = (datetime: Date) => {
    const found = moments.get(datetime.getTime()) ?? datetime;
    moments.set(found.getTime(), found);
    return found;
  };
  const take: TakeResource = ({ uri, length, hash, lastmod }, from) => {
    if (!uri.startsWith(url)) foreign(url + from, `lists ${uri}, which is not below ${url}`);
    reader.keep(ENTRY_BYTES + uri.length + hash.length);
    resources.set(copyText(uri), {
      length,
      hash: copyText(hash),
      ...(lastmod && { lastmod: share(lastmod) }),
    });
  };
  let at: Date | undefined;
  for await (const part of reader.readParts(resourceList, 'resource-list', take)) {
    if (part.document.kind !== 'resource-list') continue;
    if (at !== undefined && at.getTime() !== part.document.at.getTime()) mixed(url + part.path);
    at = part.document.at;
  }
  if (at === undefined) return unreadable(url + resourceList, 'it has no parts');
  const lists = await readChanges(reader, url, find('changelist'));
  requireOneState(url + resourceList, { at, resources, lists });
  return {
    at,
    resources,
    lists,
    packages: withDump ? await readDump(reader, url, name, find('changedump')) : [],
  };
}

/** What a parser gives is a view of the whole text, which would stay in memory with it. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

async function readChanges(
  reader: Reader,
  url: string,
  place: string | undefined,
): Promise<ChangeSegment<ChangeEvent>[]> {
  const lists: ChangeSegment<ChangeEvent>[] = [];
  if (place === undefined) return lists;
  for await (const { document, path, text } of reader.readParts(place, 'change-list')) {
    if (document.kind !== 'change-list') continue;
    const { from, until, changes } = document;
    const other = changes.find(({ uri }) => !uri.startsWith(url));
    if (other !== undefined) foreign(url + path, `lists ${other.uri}, which is not below ${url}`);
    const before = lists.at(-1);
    if (before !== undefined && before.until?.getTime() !== from.getTime()) mixed(url + path);
    const part = Number(/-(\d+)\.xml$/.exec(path)?.[1] ?? 1);
    if (path !== place && path !== pathOfPart(place, nameInterval(from, part))) mixed(url + path);
    // The events are views of the text, or cost as much as it.
    const kept = text();
    reader.keep(changes.length * ENTRY_BYTES + kept.length);
    lists.push({ from, until, part, changes, ...(until !== undefined && { text: kept }) });
  }
  return lists;
}

async function readDump(
  reader: Reader,
  url: string,
  set: string | undefined,
  place: string | undefined,
): Promise<ChangeDump['packages']> {
  const packages: ChangeDump['packages'][number][] = [];
  if (place === undefined) return packages;
  for await (const { document, path } of reader.readParts(place, 'change-dump')) {
    if (document.kind !== 'change-dump') continue;
    for (const one of document.packages) {
      const name = url + pathOfPackage(set, 'changedump', nameInterval(one.until, 1));
      if (one.uri !== `${name}.zip` || one.contents !== `${name}.xml`) {
        foreign(url + path, `names ${one.uri}, which is not a package of this set of resources`);
      }
      reader.keep(ENTRY_BYTES + one.uri.length + one.contents.length + one.hash.length);
      packages.push(one);
    }
  }
  return packages;
}

/** While a deploy is under way, or where a cache holds on to something, documents may be of two publications. */
function requireOneState(uri: string, { at, resources, lists }: Omit<LiveSet, 'packages'>): void {
  const [first] = lists;
  if (first === undefined) return;
  const newest = lists.findLast(({ changes }) => changes.length > 0)?.changes.at(-1)?.datetime;
  const known = Math.max(Number(newest ?? 0), Number(lists.at(-1)?.from ?? 0));
  if (known > at.getTime()) mixed(uri);
  for (const { lastmod } of resources.values()) if (Number(lastmod ?? 0) > known) mixed(uri);
}

function mixed(uri: string): never {
  unreadable(
    uri,
    'it does not fit the other documents; a deploy may be under way, or a cache be out of date',
  );
}

/**
 * Fetches a package of a Change Dump, and the copy of its manifest that stands beside it.
 *
 * @param files where to write them
 * @throws ResyncError `live-unreadable`, `live-foreign` when it cannot be had as it is listed
 */
export async function fetchPackage(
  url: string,
  { uri, contents, length, hash, from, until }: ChangeDump['packages'][number],
  files: { readonly package: string; readonly manifest: string },
  patience: Patience = PATIENCE,
): Promise<ChangeDumpManifest> {
  return await withReader(url, patience, async (reader) => {
    const { document, text } = await reader.read(reader.pathOf(contents, ''));
    if (document.kind !== 'change-dump-manifest') return unreadable(contents, `it is a ${document.kind}`);
    const moments = [document.from, document.until].map(formatDatetime).join();
    if (moments !== [from, until].map(formatDatetime).join()) mixed(contents);
    await reader.save(reader.pathOf(uri, ''), files.package, { length, hash });
    writeFileSync(files.manifest, text());
    return document;
  });
}
