/** Reads one set of resources as the live site describes it. */

import { startDigestColumn } from '../../base/columns/digests.js';
import { startMoments, startNumbers, startShared } from '../../base/columns/kinds.js';
import { startRecords, startTable } from '../../base/columns/table.js';
import {
  type ArchiveName,
  type DocumentName,
  digestInName,
  folderOfArchives,
  nameInterval,
  pathOfDocument,
  pathOfPackage,
  pathOfPart,
} from '../../paths/ours.js';
import {
  type ArchivedInterval,
  type ArchivedSnapshot,
  type ChangeDump,
  isChannel,
  type ResourceDump,
} from '../../standard/document.js';
import type { ChangeSegment } from '../../standard/limits.js';
import type { ChangeEvent } from '../../standard/model.js';
import { ARCHIVE_KINDS, type SetArchives } from '../archives/kinds.js';
import type { LiveSnapshot } from '../archives/known.js';
import type { LivePackage } from './dump/moments.js';
import type { LiveArchive, LiveResource, LiveSet } from './published.js';
import { type LiveReader, RESOURCE_BYTES, type TakeResource } from './reader.js';
import { foreign, isLiveFailure, mixed, refuseUnreadable } from './refusals.js';

/** What a resource takes in tables beside its URL, and its digests, which are in hexadecimal. */
const ROW_BYTES = 100;

/** What is read besides lists. */
export interface WantedHistory {
  /** Whether the packages of the Change Dump are. */
  readonly dump: boolean;
  readonly archive: boolean;
  /** Whether archives of dumps are, and the Resource Dump. */
  readonly archivedDumps: boolean;
}

export async function readLiveSet(
  reader: LiveReader,
  url: string,
  name: string | undefined,
  wanted: WantedHistory,
): Promise<LiveSet> {
  const { document, path } = await reader.read(pathOfDocument(name, 'capabilitylist'));
  if (document.kind !== 'capability-list') return refuseUnreadable(url + path, `it is a ${document.kind}`);
  const listed = document.capabilities.filter(({ capability }) => !isChannel(capability));
  const offered = new Set(listed.map(({ uri }) => reader.pathOf(uri, path)));
  const find = (document: DocumentName) => {
    const place = pathOfDocument(name, document);
    return offered.has(place) ? place : undefined;
  };
  const resourceList = find('resourcelist') ?? refuseUnreadable(url + path, 'it names no Resource List');
  const resources = startTable(startLiveColumns());
  let newest = 0;
  const take: TakeResource = ({ uri, length, hash, lastmod, type }, from) => {
    if (!uri.startsWith(url)) foreign(url + from, `lists ${uri}, which is not below ${url}`);
    reader.keep(ROW_BYTES + uri.length + hash.length / 2);
    newest = Math.max(newest, lastmod?.getTime() ?? 0);
    // Only archives say the type again.
    resources.set(uri, { length, hash, lastmod, type: wanted.archive ? type : undefined });
  };
  let at: Date | undefined;
  for await (const part of reader.readParts(resourceList, 'resource-list', take)) {
    if (part.document.kind !== 'resource-list') continue;
    if (at !== undefined && at.getTime() !== part.document.at.getTime()) mixed(url + part.path);
    at = part.document.at;
  }
  if (at === undefined) return refuseUnreadable(url + resourceList, 'it has no parts');
  const lists = await readLiveChanges(reader, url, find('changelist'));
  requireOneState(url + resourceList, { at, newest, lists });
  return {
    at,
    resources,
    lists,
    packages: wanted.dump ? await readLiveDump(reader, url, name, find('changedump')) : [],
    resourceDump: wanted.archivedDumps
      ? await readResourceDump(reader, url, name, find('resourcedump'))
      : undefined,
    archive: wanted.archive
      ? await readArchives(reader, url, { set: name, dumps: wanted.archivedDumps }, find)
      : undefined,
  };
}

/** What is live of very many resources, as bytes. */
function startLiveColumns() {
  return startRecords<LiveResource>({
    length: startNumbers(),
    hash: startDigestColumn<string>(),
    lastmod: startMoments(),
    // What a parser gives is a view of the whole text, which would stay in memory with it.
    type: startShared((type) => type && Buffer.from(type).toString()),
  });
}

/** While a deploy is under way, or where a cache holds on to something, documents may be of two publications. */
function requireOneState(
  uri: string,
  { at, newest, lists }: Pick<LiveSet, 'at' | 'lists'> & { readonly newest: number },
): void {
  const [first] = lists;
  if (first === undefined) return;
  const changed = lists.findLast(({ changes }) => changes.length > 0)?.changes.at(-1)?.datetime;
  const known = Math.max(Number(changed ?? 0), Number(lists.at(-1)?.from ?? 0));
  if (known > at.getTime() || newest > known) mixed(uri);
}

async function readLiveChanges(
  reader: LiveReader,
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
    const links = changes.reduce(
      (sum, change) => sum + (change.change === 'deleted' ? 0 : (change.links?.length ?? 0)),
      0,
    );
    reader.keep((changes.length + 2 * links) * RESOURCE_BYTES + kept.length);
    lists.push({ from, until, part, changes, ...(until !== undefined && { text: kept }) });
  }
  return lists;
}

type Entry = ArchivedInterval | ArchivedSnapshot;

/**
 * @param find the place of an archive; undefined where the set has none
 * @param dumps whether archives of dumps are read, too
 */
async function readArchives(
  reader: LiveReader,
  url: string,
  { set, dumps }: { readonly set: string | undefined; readonly dumps: boolean },
  find: (archive: ArchiveName) => string | undefined,
): Promise<LiveArchive> {
  const lost: ArchiveName[] = [];
  const read = async <T extends Entry>(
    name: ArchiveName,
    isOne: (entry: Entry) => entry is T,
  ): Promise<T[]> => {
    const place = dumps || !name.includes('dump') ? find(name) : undefined;
    if (place === undefined) return [];
    try {
      return await readEntries(name, place, isOne);
    } catch (error) {
      if (!isLiveFailure(error)) throw error;
      lost.push(name);
      return [];
    }
  };
  const isSnapshot = (entry: Entry) => 'at' in entry;
  const isInterval = (entry: Entry) => 'until' in entry;
  const entries: SetArchives = {
    'resourcelist-archive': await read('resourcelist-archive', isSnapshot),
    'changelist-archive': await read('changelist-archive', isInterval),
    'resourcedump-archive': await read('resourcedump-archive', isSnapshot),
    'changedump-archive': await read('changedump-archive', isInterval),
  };
  return { entries, lost };

  async function readEntries<T extends Entry>(
    name: ArchiveName,
    place: string,
    isOne: (entry: Entry) => entry is T,
  ): Promise<T[]> {
    const entries: T[] = [];
    for await (const { document, path } of reader.readParts(place, ARCHIVE_KINDS[name])) {
      if (!('entries' in document)) continue;
      for (const entry of document.entries) {
        if (!isOne(entry) || !isArchived(name, reader.pathOf(entry.uri, path))) {
          foreign(url + path, `names ${entry.uri}, which is not an archived document of this set`);
        }
        reader.keep(RESOURCE_BYTES + entry.uri.length);
        entries.push(entry);
      }
    }
    return entries;
  }

  function isArchived(name: ArchiveName, path: string): boolean {
    return path.startsWith(`${folderOfArchives(set)}/${name}-`) && digestInName(path) !== undefined;
  }
}

async function readLiveDump(
  reader: LiveReader,
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
      const [digest = ''] = /-[\da-f]{16}(?=\.zip$)/.exec(one.uri) ?? [];
      if (one.uri !== `${name}${digest}.zip` || one.contents !== `${name}${digest}.xml`) {
        refuse(url + path, one);
      }
      keep(reader, one);
      packages.push(one);
    }
  }
  return packages;
}

/** Only archives ask for it: no deploy waits for what cannot be read. */
async function readResourceDump(
  reader: LiveReader,
  url: string,
  set: string | undefined,
  place: string | undefined,
): Promise<LiveSnapshot | undefined> {
  if (place === undefined) return undefined;
  const packages: ResourceDump['packages'][number][] = [];
  let at: Date | undefined;
  try {
    for await (const { document, path } of reader.readParts(place, 'resource-dump')) {
      if (document.kind !== 'resource-dump') continue;
      at ??= document.at;
      if (at.getTime() !== document.at.getTime()) return undefined;
      for (const one of document.packages) {
        if (!one.uri.startsWith(url + pathOfPackage(set, 'resourcedump', ''))) {
          refuse(url + path, one);
        }
        keep(reader, one);
        packages.push(one);
      }
    }
  } catch (error) {
    if (!isLiveFailure(error)) throw error;
    return undefined;
  }
  return at && { at, packages };
}

function refuse(dump: string, { uri }: LivePackage): never {
  foreign(dump, `names ${uri}, which is not a package of this set of resources`);
}

function keep(reader: LiveReader, { uri, contents, hash }: LivePackage): void {
  reader.keep(RESOURCE_BYTES + uri.length + contents.length + hash.length);
}
