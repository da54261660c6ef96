/** Reads the Resource Lists and Change Lists of a set, whole or in parts (§10, §12), and its archived Change Lists. */

import type { ResyncError } from '../../base/errors.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { momentOf, textOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { isAbsent, type Origin } from '../origin/origin.js';
import { BoundReached } from '../web/bounds.js';
import { bytesOf, type ChangePart, type Entry, type Event, type KnownDocument, oldestOf } from './entry.js';
import { type OtherForm, readOtherForm } from './other-forms.js';
import { type DumpKind, type ListedPackage, type PackageStore, readDump } from './packages.js';
import {
  type Above,
  DocumentReader,
  isUnreadable,
  makeEntry,
  makeEvents,
  type ReadAnswer,
  readThrough,
  TAKE_NOTHING,
  unreadable,
} from './reader.js';
import type { Offer } from './sets.js';

export interface Sources {
  readonly reader: DocumentReader;
  readonly store: PackageStore;
}

interface ReadResources {
  /** The moment of the snapshot, in milliseconds since 1970, or undefined if a list has none. */
  readonly at: number | undefined;
  /** The Resource Lists that were read, without their parts. */
  readonly documents: readonly KnownDocument[];
  /** True if all resources are listed; false if there are only feeds, which list only what is new. */
  readonly isWhole: boolean;
}

/** Reads all resources of a set. @param telling true if a change of these documents means that the Source has changed */
export async function readResources(
  sources: Sources,
  offer: Offer,
  each: (entry: Entry) => void,
  telling: boolean,
): Promise<ReadResources> {
  const { reader } = sources;
  if (offer.resourceLists.length === 0) return readFromDumps(sources, offer, each, telling);
  if (offer.isPlain) return readSitemaps(reader, offer, each, telling);
  const lists: ReadAnswer[] = [];
  const readOne = (uri: string, above?: Above) => {
    const check = (read: ReadDocument) => above && checkTime(read, above.index);
    return reader.read(uri, { taker: { each }, telling, kind: 'resource-list', check });
  };
  for (const uri of offer.resourceLists) lists.push(await readThrough(reader, uri, readOne));
  const at = oldestOf(lists.map(({ head }) => momentOf(head, 'at')));
  return { at, documents: lists.map(({ document }) => document), isWhole: true };
}

/** Reads the resources of a set without Resource Lists from the manifests of its packages (§11.2). */
async function readFromDumps(
  sources: Sources,
  { uri, resourceDumps, unknown }: Offer,
  each: (entry: Entry) => void,
  telling: boolean,
): Promise<ReadResources> {
  const { reader } = sources;
  if (resourceDumps.length === 0)
    throw unreadable(uri, `it leads to no Resource List and no Resource Dump${tellUnknown(unknown)}`);
  const { packages, at } = await readDump(reader, resourceDumps, 'resource-dump', telling);
  for (const listed of packages) {
    const { manifest } = await readManifest(sources, listed);
    passOn(reader, manifest.entries, each);
  }
  return { at, documents: [], isWhole: true };
}

/** Reads Sitemaps, in any of their formats. If one cannot be read, the others still count. */
async function readSitemaps(
  reader: DocumentReader,
  { resourceLists }: Offer,
  each: (entry: Entry) => void,
  telling: boolean,
): Promise<ReadResources> {
  const dead: { readonly uri: string; readonly error: ResyncError }[] = [];
  const others: OtherForm[] = [];
  const readOne = async (uri: string) => {
    try {
      return await reader.read(uri, { taker: { each }, telling });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const form = await takeOtherForm(reader, uri, each);
      if (form === undefined) dead.push({ uri, error });
      else others.push(form);
      return undefined;
    }
  };
  const read: (ReadAnswer | undefined)[] = [];
  for (const uri of resourceLists) read.push(await readThrough(reader, uri, readOne));
  const sitemaps = read.filter((one) => one !== undefined);
  const [first] = dead;
  if (first !== undefined && sitemaps.length + others.length === 0) throw first.error;
  for (const {
    uri,
    error: { cause },
  } of dead)
    reader.skip({ document: uri, found: cause instanceof Error ? cause.message : 'it cannot be read' });
  return {
    at: oldestOf(sitemaps.map(({ head }) => momentOf(head, 'at'))),
    documents: sitemaps.map(({ document }) => document),
    isWhole: sitemaps.length > 0 || others.some(({ isFeed }) => !isFeed),
  };
}

function passOn(reader: DocumentReader, entries: Iterable<ReadEntry>, each: (entry: Entry) => void): void {
  for (const read of entries) {
    const entry = makeEntry(read);
    if (entry === undefined) continue;
    reader.keep(bytesOf(entry));
    each(entry);
  }
}

export function tellUnknown(unknown: readonly string[]): string {
  return unknown.length === 0 ? '' : `, but to what is not known: ${unknown.join(', ')}`;
}

const BARE = { line: 0, lastmod: undefined, changefreq: undefined, md: undefined, links: [] };

/** Reads a Sitemap that is a list of URLs or a feed; undefined if it is neither. */
async function takeOtherForm(
  reader: DocumentReader,
  uri: string,
  each: (entry: Entry) => void,
): Promise<OtherForm | undefined> {
  const bytes = await reader.readBytes(uri, READ_LIMITS.bytes);
  const form = isAbsent(bytes) ? undefined : await readOtherForm(bytes, uri, READ_LIMITS.bytes);
  if (form === undefined) return undefined;
  reader.skip(...form.odd.map((line) => ({ document: uri, ...line })));
  const entries = form.uris.map((loc) => ({ ...BARE, loc }));
  passOn(reader, entries, each);
  return form;
}

export async function readResourceMoment(
  reader: DocumentReader,
  { resourceLists, isPlain }: Offer,
): Promise<number | undefined> {
  const [uri] = resourceLists;
  if (uri === undefined || isPlain) return undefined;
  const { head } = await reader.read(uri, { taker: TAKE_NOTHING, kind: 'resource-list' });
  return momentOf(head, 'at');
}

/** Checks that a part has the time of its index; otherwise it is of another publication. */
function checkTime(part: ReadDocument, index: ReadDocument): string | undefined {
  const [found, expected] = [momentOf(part.head, 'at'), momentOf(index.head, 'at')];
  if (found === undefined || expected === undefined || found === expected) return undefined;
  return `it is of ${textOf(part.head, 'at')}, and its index of ${textOf(index.head, 'at')}`;
}

/** Reads the changes of a set, if they are listed. @param since skips parts that ended before, in milliseconds since 1970 */
export async function readChanges(
  sources: Sources,
  { changeLists, changeDumps }: Offer,
  since: number,
): Promise<ChangePart[] | undefined> {
  if (changeLists.length > 0) return readChangeLists(sources.reader, changeLists, since);
  return changeDumps.length === 0 ? undefined : readChangeDump(sources, changeDumps, since);
}

/** A function that is called after each part, and reduces the parts that were read so far to those that are kept. */
type Trim = (parts: ChangePart[]) => ChangePart[];

/** Reads Change Lists, also through indexes. @param since as for `readChanges` */
export async function readChangeLists(
  reader: DocumentReader,
  changeLists: readonly string[],
  since: number,
  trim: Trim = (parts) => parts,
): Promise<ChangePart[]> {
  let parts: ChangePart[] = [];
  const add = (part: ChangePart) => {
    parts.push(part);
    parts = trim(parts);
  };
  const kind = 'change-list';
  const readOne = async (uri: string, above?: Above) => {
    if (above === undefined) return reader.read(uri, { kind, telling: true });
    const [from, until] = [momentOf(above.entry, 'from'), momentOf(above.entry, 'until')];
    if (until === undefined || until >= since)
      return reader.read(uri, { kind, check: checkTimes(from, until), telling: until === undefined });
    add({ uri, from, until, events: undefined });
    return undefined;
  };
  for (const uri of changeLists)
    await readThrough(reader, uri, readOne, (read) => add(toPart(reader, read.document.uri, read)));
  return parts;
}

/** Reads the changes of a set without Change Lists from the manifests of its packages (§13.2). */
async function readChangeDump(
  sources: Sources,
  uris: readonly string[],
  since: number,
): Promise<ChangePart[]> {
  const { reader } = sources;
  const { packages } = await readDump(reader, uris, 'change-dump', true);
  const parts: ChangePart[] = [];
  for (const listed of packages) {
    const { from, until } = listed;
    if (until !== undefined && until < since)
      parts.push({ uri: listed.entry.uri, from, until, events: undefined });
    else {
      const { uri, manifest } = await readManifest(sources, listed);
      const part = toPart(reader, uri, manifest);
      parts.push({ ...part, from: part.from ?? from, until: part.until ?? until });
    }
  }
  return parts;
}

async function readManifest(
  { reader, store }: Sources,
  listed: ListedPackage,
): Promise<{ readonly uri: string; readonly manifest: ReadDocument }> {
  const { manifest } = await store.open(listed, 'list');
  // The package store keeps the manifest in memory.
  for (const { loc = '' } of manifest.entries) reader.keep(OBJECT_BYTES + loc.length);
  const uri = `${listed.entry.uri}#manifest.xml`;
  reader.note(uri, manifest);
  return { uri, manifest };
}

export async function listPackages(
  { reader }: Sources,
  { resourceDumps, changeDumps }: Offer,
  kind: DumpKind,
  since: number,
): Promise<readonly ListedPackage[]> {
  const uris = kind === 'resource-dump' ? resourceDumps : changeDumps;
  if (uris.length === 0) return [];
  const { packages } = await readDump(reader, uris, kind, false);
  return packages.filter(({ until }) => kind === 'resource-dump' || until === undefined || until >= since);
}

/** Creates a check that a part has the times that its entry in the index has, in milliseconds since 1970. */
function checkTimes(
  from: number | undefined,
  until: number | undefined,
): (part: ReadDocument) => string | undefined {
  const differs = (a: number | undefined, b: number | undefined) =>
    a !== undefined && b !== undefined && a !== b;
  return ({ head }) =>
    differs(from, momentOf(head, 'from')) || differs(until, momentOf(head, 'until'))
      ? 'its times are not those that its index says'
      : undefined;
}

function toPart(
  reader: DocumentReader,
  uri: string,
  { head, entries, date }: ReadDocument & Partial<Pick<ReadAnswer, 'date'>>,
): ChangePart {
  const [from, until] = [momentOf(head, 'from'), momentOf(head, 'until')];
  const changes = makeEvents(uri, entries);
  for (const event of changes.events) reader.keep(bytesOfEvent(event));
  const { unknown = [] } = changes;
  for (const { found } of unknown) reader.keep(OBJECT_BYTES + found.length);
  return { uri, from, until, ...changes, date };
}

/** Bytes of memory for a change, or for an entry as it was read, beside its texts; with room for garbage. */
const OBJECT_BYTES = 1000;

export function bytesOfEvent({ entry }: Event): number {
  return OBJECT_BYTES + bytesOf(entry);
}

/** Limit of archived changes: to apply more costs more than a comparison with the Resource List. */
const MOST_CHANGES = 200_000;
/** Limit of the memory for archived changes, in bytes. */
const MOST_KEPT = 500_000_000;

/** A span of time, in milliseconds since 1970. */
interface Span {
  readonly since: number;
  /** End of the span: lists that begin then or later are not read. */
  readonly before: number;
}

/** Reads the archived changes of a span of time; undefined if they cannot be understood, or are too many. */
export async function readArchived(
  origin: Origin,
  archives: readonly string[],
  { since, before }: Span,
): Promise<ChangePart[] | undefined> {
  // Archives have their own reader: they do not show whether the Source changed, and an endless one must not use up the limits.
  const reader = new DocumentReader(origin, MOST_KEPT);
  const readEntry = async (entry: ReadEntry): Promise<ChangePart[]> => {
    const [from, until] = [momentOf(entry, 'from'), momentOf(entry, 'until')];
    const isOutside = (from !== undefined && from >= before) || (until !== undefined && until < since);
    if (entry.loc === undefined || isOutside) return [];
    const parts = await readChangeLists(reader, [entry.loc], since);
    const [first, last] = [parts[0], parts.at(-1)];
    const isSame = (from ?? first?.from) === first?.from && (until ?? last?.until) === last?.until;
    if (!isSame) throw unreadable(entry.loc, 'its times are not those that its archive says');
    return parts;
  };
  const parts: ChangePart[] = [];
  let count = 0;
  try {
    for (const archive of archives) {
      for (const entry of await listArchived(reader, archive)) {
        const read = await readEntry(entry);
        count += read.reduce((sum, { events = [] }) => sum + events.length, 0);
        if (count > MOST_CHANGES) return undefined;
        parts.push(...read);
      }
    }
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    if (error instanceof BoundReached && error.bound === 'memory') return undefined;
    throw error;
  }
  return reader.skipped().length === 0 ? parts : undefined;
}

async function listArchived(reader: DocumentReader, archive: string): Promise<ReadEntry[]> {
  const listed: ReadEntry[] = [];
  const readOne = (uri: string) => reader.read(uri, { kind: 'change-list-archive' });
  await readThrough(reader, archive, readOne, ({ entries }) => listed.push(...entries));
  return listed;
}
