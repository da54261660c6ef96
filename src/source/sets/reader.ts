/** Reads the documents of a Source, with repeated attempts, and makes entries and changes of what they list. */

import { hash } from 'node:crypto';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { MOST_INDEXES, READ_LIMITS } from '../../standard/limits.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { findSkipped, listSkipped } from '../../standard/rules/skipped.js';
import { momentOf, textOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry, Skipped } from '../../standard/xml/as-read.js';
import { collectWhole, digestDocument } from '../document.js';
import { spellAddress, toFacts } from '../listed.js';
import { type Absent, digestUpTo, isAbsent, type Origin } from '../origin/origin.js';
import { MemoryBudget } from '../web/bounds.js';
import {
  bytesOf,
  type Copy,
  type Entry,
  type Event,
  type KnownDocument,
  type UnknownChange,
} from './entry.js';

const MOST_READINGS = 4;
/** Limit of documents that are read: a Source that generates them on request could have any number. */
const MOST_DOCUMENTS = 20_000;
/** Bytes of memory that a kept address takes beside its text. */
const ADDRESS_BYTES = 200;

/** Limit of places that are noted as not understood. */
const MOST_SKIPPED = 1000;

interface Taker {
  /** Called with each entry of a list, once the whole list was read; must copy what it keeps. Absent if no entry is needed. */
  readonly each?: (entry: Entry) => void;
}

export const TAKE_NOTHING: Taker = {};

export interface ReadOptions {
  /** Takes the entries of a list out of the document. The entries of an index stay. */
  readonly taker?: Taker;
  /** The kind that the document, or the parts of an index, must have; a document of another kind is read again. */
  readonly kind?: string | undefined;
  /** Describes what is wrong with a document that can be read and has the right kind, if anything; it is then read again. */
  readonly check?: ((read: ReadDocument) => string | undefined) | undefined;
  /** True if a change of this document means that the Source has changed. @default false */
  readonly telling?: boolean;
}

export interface ReadAnswer extends ReadDocument {
  readonly document: KnownDocument;
  /** `Date` of the answer, in milliseconds since 1970, if it had one. */
  readonly date: number | undefined;
}

export function unreadable(uri: string, reason: string, cause?: unknown): ResyncError {
  // The reason why a document cannot be read may begin with its URL already.
  const what = reason.startsWith(`${uri}: `) ? reason : `${uri}: ${reason}`;
  return new ResyncError(
    'source-unreadable',
    say`The lists of the Source cannot be read: ${what}.\nNothing was changed. Check the address, or run again later.`,
    { cause },
  );
}

export function isUnreadable(error: unknown): error is ResyncError {
  return error instanceof ResyncError && error.code === 'source-unreadable';
}

/** Reads the documents of a Source, and notes their states and the places in them that were not understood. */
export class DocumentReader {
  readonly origin: Origin;
  readonly #budget: MemoryBudget;
  readonly #known = new Map<string, KnownDocument>();
  /** Places that were not understood, by their JSON: a document may be read several times. */
  readonly #skipped = new Map<string, Skipped>();
  #resolved: Skipped | undefined;
  #count = 0;

  /** @param most limit of the memory for what is kept of documents, in bytes; the reader of one's own site needs none */
  constructor(origin: Origin, most = Number.POSITIVE_INFINITY) {
    this.origin = origin;
    this.#budget = new MemoryBudget(most);
  }

  skip(...places: readonly Skipped[]): void {
    for (const place of places)
      if (this.#skipped.size < MOST_SKIPPED) this.#skipped.set(JSON.stringify(place), structuredClone(place));
  }

  /** Notes the places of a document that were not understood, and its first relative address. */
  note(uri: string, read: ReadDocument): void {
    this.skip(...listSkipped(uri, read));
    const relative = read.oddities.find(({ what }) => what === 'relative');
    if (relative !== undefined)
      this.#resolved ??= { document: uri, line: relative.line, found: relative.name };
  }

  /** Returns the first thousand places that were not understood. If there are any, the lists may name more than was read. */
  skipped(): readonly Skipped[] {
    return [...this.#skipped.values()];
  }

  /** Returns the first relative address, which was resolved; whether it was meant so is only known once it can be fetched. */
  resolved(): Skipped | undefined {
    return this.#resolved;
  }

  /** Counts bytes of memory that are kept; a negative number for those that were released. @throws BoundReached */
  keep(bytes: number): void {
    this.#budget.keep(bytes);
  }

  keepAddresses(entries: readonly Pick<ReadEntry, 'loc'>[]): void {
    for (const { loc = '' } of entries) this.keep(ADDRESS_BYTES + loc.length);
  }

  /** Reads a document, again if it cannot be read. @throws ResyncError `source-unreadable` */
  async read(uri: string, options: ReadOptions = {}): Promise<ReadAnswer> {
    if (++this.#count > MOST_DOCUMENTS)
      throw unreadable(uri, `there are more than ${MOST_DOCUMENTS} documents`);
    if (options.telling === true) this.keepAddresses([{ loc: uri }]);
    let read = await this.#readOnce(uri, options);
    for (let count = 1; isAbsent(read) && count < MOST_READINGS; count++)
      read = await this.#readOnce(uri, options);
    if (isAbsent(read)) {
      const { found, mistake } = read;
      const reason = mistake === undefined ? found : `${found} (line ${mistake.line})`;
      throw unreadable(uri, reason, new Error(reason));
    }
    if (options.telling === true) this.#known.set(uri, read.document);
    return read;
  }

  /** Reads the bytes of a small file that is no document; if it changes, the Source has changed. */
  async readBytes(uri: string, most: number): Promise<Buffer | Absent> {
    const opened = await this.origin.open(uri, { most, fresh: true });
    const bytes = await collectWhole(opened, most);
    if (isAbsent(opened) || isAbsent(bytes)) return bytes;
    const { length } = bytes;
    this.keep(length);
    const { etag, modified } = opened.validators ?? {};
    this.#known.set(uri, { uri, digest: hash('sha256', bytes), etag, modified, length });
    return bytes;
  }

  /** Returns the documents that show whether the Source has changed: the one that was read first, then the others by URL. */
  known(): readonly KnownDocument[] {
    const [first, ...others] = this.#known.values();
    return first === undefined ? [] : [first, ...others.sort((a, b) => (a.uri < b.uri ? -1 : 1))];
  }

  count(): number {
    return this.#count;
  }

  async #readOnce(uri: string, { taker, kind, check }: ReadOptions): Promise<ReadAnswer | Absent> {
    const opened = await this.origin.open(uri, { most: READ_LIMITS.bytes, fresh: true });
    if (isAbsent(opened)) return opened;
    const entries: Entry[] = [];
    const unusable: Skipped[] = [];
    const { read, digest, length } = await digestDocument(opened, (one, { root }) => {
      if (taker === undefined || root !== 'urlset') return false;
      if (taker.each === undefined) return true;
      const entry = makeEntry(one);
      if (entry !== undefined) entries.push(entry);
      else if (unusable.length < MOST_SKIPPED)
        unusable.push({ document: uri, line: one.line, found: findSkipped(one) as string });
      return true;
    });
    if (isAbsent(read)) return read;
    this.origin.judge?.(uri, digest);
    const found = (kind && checkKind(read, kind)) ?? check?.(read);
    if (found !== undefined) return { failure: 'malformed', found };
    this.note(uri, read);
    this.skip(...unusable);
    for (const entry of entries) {
      this.keep(bytesOf(entry));
      taker?.each?.(entry);
    }
    const { etag, modified } = opened.validators ?? {};
    const document = { uri, digest, etag, modified, length };
    return { ...read, document, date: opened.date };
  }
}

/** Requires that all documents of a reader were understood. @throws ResyncError `source-unreadable` */
export function requireUnderstood(reader: DocumentReader): void {
  for (const { document, line, found } of reader.skipped())
    throw unreadable(document, line === undefined ? found : `line ${line}: ${found}`);
}

/** The index that led to a document, and the entry in it. */
export interface Above {
  readonly index: ReadDocument;
  readonly entry: ReadEntry;
}

/**
 * Reads a list, or all lists below an index, also through other indexes, and each list once. Returns the first document.
 * @param readOne returns undefined for a document that is left out @param visit called with each list
 */
export async function readThrough<Read extends ReadAnswer | undefined>(
  reader: Pick<DocumentReader, 'skip'>,
  uri: string,
  readOne: (uri: string, above?: Above) => Promise<Read>,
  visit: (list: ReadAnswer) => unknown = () => undefined,
): Promise<Read> {
  const seen = new Set<string>();
  const readFrom = async (one: string, indexes: readonly string[], above?: Above): Promise<Read> => {
    seen.add(addressOf(one));
    const read = await readOne(one, above);
    if (read === undefined) return read;
    if (read.root === 'urlset') await visit(read);
    else if (indexes.length === MOST_INDEXES) reader.skip(tooDeep(one));
    else {
      const path = [...indexes, addressOf(one)];
      for (const entry of read.entries) {
        const { loc } = entry;
        if (loc === undefined || findSkipped(entry) !== undefined) continue;
        if (path.includes(addressOf(loc))) reader.skip(inItself(one, entry));
        else if (!seen.has(addressOf(loc))) await readFrom(loc, path, { index: read, entry });
      }
    }
    return read;
  };
  return readFrom(uri, []);
}

/** Describes an entry that leads back to a document above it. */
export function inItself(document: string, { line, loc }: ReadEntry): Skipped {
  return { document, line, found: `${loc} lists itself` };
}

export function tooDeep(document: string): Skipped {
  return { document, found: `an index below ${MOST_INDEXES} other indexes` };
}

/** Returns whether documents are unchanged; false if one cannot be read. */
export async function areUnchanged(origin: Origin, known: readonly KnownDocument[]): Promise<boolean> {
  const answers = await Promise.all(known.map((document) => isUnchanged(origin, document)));
  return answers.every(Boolean);
}

export async function isUnchanged(
  origin: Origin,
  { uri, etag, modified, digest }: KnownDocument,
): Promise<boolean> {
  const validators = { etag, modified };
  const opened = await origin.open(uri, { fresh: true, validators });
  if (isAbsent(opened)) return false;
  const body = await digestUpTo(opened, READ_LIMITS.bytes);
  return opened.unchanged === true || (typeof body === 'object' && body.digest === digest);
}

/** Describes the kind of a document; undefined if it is the expected kind, or an index of that. */
export function checkKind(read: ReadDocument, expected: string): string | undefined {
  const kind = kindOfDocument(read);
  return kind === expected || kind === `${expected}-index`
    ? undefined
    : `it is ${kind ?? 'another kind of document'}`;
}

/** Rank of a link without a priority: after the lowest one (§7, `pri`). */
const LAST = 1_000_000;

/** Makes an entry; undefined if it has no URL that can be requested. */
export function makeEntry(read: ReadEntry): Entry | undefined {
  const { loc } = read;
  if (loc === undefined || findSkipped(read) !== undefined) return undefined;
  const { hash, length, type, encoding } = toFacts(read);
  const { uri, spelled } = spellAddress(loc);
  const copies = listCopies(read);
  return { uri, spelled, hash, length, type, encoding, copies: copies.length === 0 ? undefined : copies };
}

function listCopies({ links, md }: ReadEntry): Copy[] {
  const ranked = links.flatMap(({ attributes: { rel, href, pri, hash } }) => {
    const known = rel === 'duplicate' || rel === 'memento' ? rel : undefined;
    if (known === undefined || href === undefined || !isUrl(href)) return [];
    // A memento with another hash is of an older or newer version, which has other bytes.
    if (known === 'memento' && (hash === undefined || hash !== md?.attributes.hash)) return [];
    const rank = Number(pri ?? LAST);
    return [{ rank: Number.isNaN(rank) ? LAST : rank, copy: { rel: known, uri: href } as const }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ copy }) => copy);
}

/** Makes changes of the entries of a document, as copies; changes of unknown kinds are listed apart. */
export function makeEvents(
  document: string,
  entries: readonly ReadEntry[],
): { readonly events: readonly Event[]; readonly unknown?: readonly UnknownChange[] } {
  const events: Event[] = [];
  const unknown: UnknownChange[] = [];
  for (const read of entries) {
    const change = textOf(read, 'change');
    const time = momentOf(read, 'datetime');
    const entry = makeEntry(read);
    if (entry === undefined) continue;
    if (change === 'created' || change === 'updated' || change === 'deleted')
      events.push({ change, time, entry });
    else {
      const problem = change ? `the change ${change}, which is not known` : 'no attribute change';
      const found = `${entry.uri} has ${problem}`;
      unknown.push({ time, document, line: read.line, found });
    }
  }
  return structuredClone({ events, ...(unknown.length > 0 && { unknown }) });
}
