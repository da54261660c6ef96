/** Writes the archives of a site: what is closed is written once, and stays as it is. */

import type { Notice } from '../../../base/notices.js';
import type { SetArchives } from '../../../history/archives/kinds.js';
import type { ArchivedDocument, KnownArchive } from '../../../history/archives/known.js';
import type { Publishable } from '../../../paths/hold/files.js';
import {
  ARCHIVE_NAMES,
  type ArchiveName,
  numberPart,
  pathOfDocument,
  pathOfPart,
} from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import type { Resource } from '../../../standard/model.js';
import { serializeResource } from '../../../standard/xml/serialize.js';
import type { MadePackage } from '../../dumps/job.js';
import {
  type ArchivedText,
  type ArchivePlace,
  areAsNamed,
  composeChangeList,
  composeResourceList,
} from './compose.js';
import { composeDumps } from './dumps.js';
import { type CarryPlace, carryNewest, noticeEnd, type ReadArchived } from './live.js';
import type { LiveDumps } from './live-dumps.js';
import { parseArchived } from './parse.js';
import {
  type ArchivedSet,
  type ArchiveStage,
  type Archiving,
  readStanding,
  startStaging,
  type WrittenArchives,
} from './stage.js';

/**
 * Writes the archived documents of all sets.
 *
 * @param sets what is known of the past of each, by its name, and the dumps that are planned of it
 * @param packages all that were made
 * @throws a system error when a document cannot be written
 */
export async function writeArchives(
  archiving: Archiving,
  sets: readonly ArchivedSet[],
  packages: readonly MadePackage[],
): Promise<WrittenArchives> {
  const { url } = archiving.config;
  const { stage, settle, end } = startStaging(archiving);
  const documents: ArchivedDocument[] = [];
  const files: Publishable[] = [];
  const add = ({ bytes, ...document }: ArchivedText) => {
    files.push(stage({ path: document.path, bytes }));
    documents.push(document);
  };
  const made = new Map(packages.map((one) => [one.path, one]));
  const written: WrittenSet[] = [];
  try {
    for (const set of sets) {
      const up = url + pathOfDocument(set.name, 'capabilitylist');
      written.push(await writeSet(archiving, { url, set: set.name, up }, { ...set, made }, { add, settle }));
    }
    await settle(0);
  } finally {
    await end();
  }
  const renamed = written.reduce((sum, one) => sum + one.renamed, 0);
  return {
    sets: written.map(({ archives }) => archives),
    documents,
    files,
    packages: written.flatMap((one) => one.packages),
    notices: [
      ...written.flatMap(({ notices }) => notices),
      ...(renamed === 0 ? [] : [{ code: 'archives-renamed', count: renamed } as const]),
    ],
  };
}

interface WrittenSet {
  readonly archives: SetArchives | undefined;
  /** How many documents stand under other names in the site. */
  readonly renamed: number;
  readonly packages: readonly MadePackage[];
  readonly notices: readonly Notice[];
}

/** Takes documents, as they are made. */
interface Taker extends Pick<ArchiveStage, 'settle'> {
  readonly add: (text: ArchivedText) => void;
}

async function writeSet(
  { config: { withdrawn }, site, staging, budget }: Archiving,
  place: ArchivePlace,
  { archive, dumps, made }: ArchivedSet & { readonly made: ReadonlyMap<string, MadePackage> },
  taker: Taker,
): Promise<WrittenSet> {
  if (archive === undefined) return { archives: undefined, renamed: 0, packages: [], notices: [] };
  const { add } = taker;
  const { live } = archive;
  const carrying = { ...place, site, staging, budget, withdrawn };
  const carried = await carrySnapshots(carrying, live?.entries['resourcelist-archive'] ?? [], add);
  const packed = await writeDumps();
  const archives = {
    'resourcelist-archive': [...carried.snapshots, ...(await writeSnapshots(place, archive, taker))],
    'changelist-archive': writeChangeLists(place, archive, add),
    'resourcedump-archive': packed.held,
    'changedump-archive': packed.told,
  };
  let renamed = 0;
  for (const name of ARCHIVE_NAMES) {
    const former = [...(await readFormerArchive(site, place, name)), ...(live?.entries[name] ?? [])];
    const distinct = new Map(former.map((entry) => [entry.uri, entry]));
    renamed += countRenamed([...distinct.values()], archives[name]);
  }
  const { packages, notices } = packed;
  return { archives, renamed, packages, notices: [...carried.notices, ...notices] };

  async function writeDumps(): Promise<LiveDumps> {
    if (archive !== undefined && live?.packages !== undefined) {
      const { archiveLiveDumps } = await import('./live-dumps.js');
      return archiveLiveDumps(carrying, archive, { ...live, packages: live.packages }, made, add);
    }
    const none = { held: [], told: [], packages: [], notices: [] };
    return dumps === undefined ? none : { ...none, ...composeDumps(place, dumps, made, add) };
  }
}

function writeChangeLists(
  place: ArchivePlace,
  { lists }: KnownArchive,
  add: (text: ArchivedText) => void,
): ArchivedInterval[] {
  return lists.map((list) => {
    const texts = composeChangeList(place, list);
    texts.forEach(add);
    return { uri: uriOf(texts), from: list.from, until: list.until };
  });
}

/** Resource Lists may be large: some are written while the next one is put together. */
const AT_ONCE = 3;

async function writeSnapshots(
  place: ArchivePlace,
  { snapshots }: KnownArchive,
  { add, settle }: Taker,
): Promise<ArchivedSnapshot[]> {
  // Most of a state is as it was in the one before.
  const rows = new Map<Resource, Buffer>();
  const rowOf = (resource: Resource) => {
    const row = rows.get(resource) ?? Buffer.from(serializeResource(resource));
    rows.set(resource, row);
    return row;
  };
  const entries: ArchivedSnapshot[] = [];
  for (const { at, values } of snapshots()) {
    const texts = composeResourceList(place, at, values.map(rowOf));
    texts.forEach(add);
    await settle(AT_ONCE);
    entries.push({ uri: uriOf(texts), at });
  }
  return entries;
}

/** The document stands after its parts. */
function uriOf(texts: readonly ArchivedText[]): string {
  return texts.at(-1)?.uri ?? '';
}

type Entry = ArchivedSnapshot | ArchivedInterval;

/** What is archived for the same time, under another name: with other options, or another version of ours. */
function countRenamed(former: readonly Entry[], present: readonly Entry[]): number {
  const keyOf = (entry: Entry) => ('at' in entry ? entry.at : entry.until).getTime();
  const names = new Set(present.map(({ uri }) => uri));
  const moments = new Set(present.map(keyOf));
  return former.filter((entry) => !names.has(entry.uri) && moments.has(keyOf(entry))).length;
}

/** Reads the entries of an archive of a former run; none where it cannot be read. */
async function readFormerArchive(
  site: string,
  { url, set }: { readonly url: string; readonly set: string | undefined },
  archive: ArchiveName,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const waiting = [pathOfDocument(set, archive)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = readStanding(site, path);
    const document = text === undefined ? undefined : await parseArchived(text);
    if (document === undefined) continue;
    // An index is no part of one.
    if ('parts' in document && waiting.length === 0 && entries.length === 0) {
      waiting.push(...document.parts.map(({ uri }) => uri.slice(url.length)).filter((part) => part !== path));
    } else if ('entries' in document) entries.push(...document.entries);
  }
  return entries;
}

/** More parts than any archived document has. */
const MOST_PARTS = 9999;

/** What was carried on, and what is to be told of the rest. */
interface CarriedSnapshots {
  readonly snapshots: readonly ArchivedSnapshot[];
  readonly notices: readonly Notice[];
}

/** @param add takes the documents, parts before their index */
export async function carrySnapshots(
  place: CarryPlace,
  entries: readonly ArchivedSnapshot[],
  add: (text: ArchivedText) => void,
): Promise<CarriedSnapshots> {
  const snapshots = await carryNewest(
    place,
    entries,
    ({ uri }, read) => getTexts(place.url, uri.slice(place.url.length), read),
    (texts) => texts.forEach(add),
  );
  return { snapshots, notices: noticeEnd('resource-list-archive', entries, snapshots) };
}

/** A document and its parts, if they are what the name says. */
async function getTexts(url: string, path: string, get: ReadArchived): Promise<ArchivedText[] | undefined> {
  const bytes = await get(path);
  if (bytes === undefined) return undefined;
  const isIndex = bytes.includes('<sitemapindex ');
  const kind = 'resource-list';
  const count = isIndex ? Math.min(countOf(bytes, '\n  <sitemap>'), MOST_PARTS) : 0;
  const parts: ArchivedText[] = [];
  for (let index = 0; index < count; index++) {
    const part = pathOfPart(path, numberPart(index));
    const held = await get(part);
    if (held === undefined) return undefined;
    parts.push({ path: part, uri: url + part, kind, entries: countOf(held, '\n  <url>'), bytes: held });
  }
  if (!areAsNamed(url, path, [...parts.map((part) => part.bytes), bytes])) return undefined;
  const whole = { path, uri: url + path, bytes };
  return isIndex
    ? [...parts, { ...whole, kind: `${kind}-index`, entries: count }]
    : [{ ...whole, kind, entries: countOf(bytes, '\n  <url>') }];
}

function countOf(text: Buffer, piece: string): number {
  let count = 0;
  for (let place = text.indexOf(piece); place !== -1; place = text.indexOf(piece, place + 1)) count++;
  return count;
}
