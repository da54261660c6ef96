/** Reads the documents of the last publication from the live site. */

import { DigestColumn } from '../../base/columns/digests.js';
import { DateColumn, NumberColumn } from '../../base/columns/kinds.js';
import { RecordColumn, Table } from '../../base/columns/table.js';
import type { Notice } from '../../base/notices.js';
import { matchGroups } from '../../base/text/match.js';
import type { Config } from '../../config/config.js';
import {
  type DocumentName,
  isOwnUri,
  nameInterval,
  PAGES,
  pathOfDocument,
  pathOfPackage,
  pathOfPart,
  SOURCE_DESCRIPTION,
} from '../../paths/ours.js';
import { isChannel } from '../../standard/capabilities.js';
import type { ChangeDump } from '../../standard/document.js';
import { type ChangeSegment, READ_LIMITS } from '../../standard/limits.js';
import type { ChangeEvent } from '../../standard/model.js';
import { PAGES_BYTES, parsePages } from '../../standard/pages.js';
import type { LivePages, LiveResource, LiveSet, PublishedHistory } from './published.js';
import {
  type LivePatience,
  type LiveReader,
  RESOURCE_BYTES,
  type TakeResource,
  withReader,
} from './reader.js';
import { foreign, isLiveFailure, mixed, refuseUnreadable } from './refusals.js';

/**
 * Reads the live documents of the configured sets, at the URLs at which we write them; follows no other link.
 * @throws ResyncError `live-unreadable` after several attempts; `live-foreign` for documents of another tool or site
 */
export async function readLive(config: Config, patience?: LivePatience): Promise<PublishedHistory> {
  return await withReader(config.url, (reader) => readDocuments(reader, config), patience);
}

/** Limits for a build on a machine that may not reach the live site; short, because somebody waits for it. */
const LOCAL_PATIENCE: LivePatience = { timeout: 10_000, readings: 2, pause: 1000, time: 120_000 };

/** Reads the live site as `readLive` does. @returns the notice about the failure if it cannot be read */
export async function readReachable(config: Config): Promise<PublishedHistory | Notice> {
  try {
    return await readLive(config, LOCAL_PATIENCE);
  } catch (error) {
    if (!isLiveFailure(error)) throw error;
    const [found = ''] = error.message.split('\n');
    return { code: 'live-unreachable', found };
  }
}

async function readDocuments(reader: LiveReader, config: Config): Promise<PublishedHistory> {
  const { sets, writesPages } = config;
  const found = await findLists(reader, config);
  if (found === undefined) return { kind: 'published', begun: false, isDescribed: false, sets: new Map() };
  const { lists: known, hasPages, isDescribed } = found;
  const live = new Map<string | undefined, LiveSet>();
  for (const { name } of sets) {
    if (known.has(pathOfDocument(name, 'capabilitylist')))
      live.set(name, await readLiveSet(reader, name, config));
  }
  const at = Math.max(...[...live.values()].map((set) => set.at.getTime()));
  return {
    kind: 'published',
    begun: true,
    isDescribed,
    sets: live,
    pages: hasPages && writesPages && live.size > 0 ? await readLivePages(reader, at) : undefined,
  };
}

async function readLivePages(reader: LiveReader, at: number): Promise<LivePages> {
  const uri = reader.url + PAGES;
  const text = (await reader.findText(PAGES, PAGES_BYTES)) ?? refuseUnreadable(uri, 'it is missing');
  const read = parsePages(text, reader.url);
  if (typeof read === 'string') return refuseUnreadable(uri, read);
  if (read.at.getTime() !== at) mixed(uri);
  reader.keep(read.pages.length * RESOURCE_BYTES);
  return { rule: read.rule, at: read.at, byUrl: new Map(read.pages.map((page) => [page.url, page])) };
}

interface FoundLists {
  readonly lists: ReadonlySet<string>;
  readonly hasPages: boolean;
  readonly isDescribed: boolean;
}

/** Finds the live Capability Lists, and whether there is a `pages.json`; undefined if nothing is live. */
async function findLists(
  reader: LiveReader,
  { url, sets, isJoined, joined }: Config,
): Promise<FoundLists | undefined> {
  const description = isJoined ? undefined : await reader.find(SOURCE_DESCRIPTION);
  if (description === undefined) {
    // No Source Description: another build writes it, perhaps later, or the host leaves out names that begin with a dot.
    const lists = sets.map(({ name }) => pathOfDocument(name, 'capabilitylist'));
    // A host without a Source Description may serve a page in the place of a missing list.
    const read = (path: string) => (isJoined ? reader.find(path) : reader.findText(path, READ_LIMITS.bytes));
    const found = await Promise.all(lists.map(async (path) => (await read(path)) !== undefined));
    if (!found.includes(true)) return undefined;
    const hasPages = !isJoined && (await reader.findText(PAGES, PAGES_BYTES)) !== undefined;
    return { lists: new Set(lists.filter((_, index) => found[index])), hasPages, isDescribed: isJoined };
  }
  const { document } = description;
  if (document.kind !== 'source-description')
    return refuseUnreadable(url + SOURCE_DESCRIPTION, `it is a ${document.kind}`);
  const all = document.capabilityLists.map(({ uri }) => uri);
  const own = all.filter((uri) => isOwnUri(uri, url));
  const isShared = own.length > 0 || all.some((uri) => joined.some((set) => set.uri === uri));
  // A Source Description may list sets of others, too; if it lists neither ours nor joined ones, it is that of another site.
  const named = (isShared ? own : all).map((uri) => reader.pathOf(uri, SOURCE_DESCRIPTION));
  return { lists: new Set(named), hasPages: document.pages === url + PAGES, isDescribed: true };
}

/** Memory that a resource takes in tables besides its URL and digests, in bytes. */
const ROW_BYTES = 100;

async function readLiveSet(
  reader: LiveReader,
  name: string | undefined,
  { url, dumps }: Config,
): Promise<LiveSet> {
  const { document, path } = await reader.read(pathOfDocument(name, 'capabilitylist'), 'capability-list');
  const listed = document.capabilities.filter(({ capability }) => !isChannel(capability));
  const offered = new Set(listed.map(({ uri }) => reader.pathOf(uri, path)));
  const find = (document: DocumentName) => {
    const place = pathOfDocument(name, document);
    return offered.has(place) ? place : undefined;
  };
  const resourceList = find('resourcelist') ?? refuseUnreadable(url + path, 'it names no Resource List');
  const resources = new Table(
    new RecordColumn<LiveResource>({
      length: new NumberColumn(),
      hash: new DigestColumn<string>(),
      lastmod: new DateColumn(),
    }),
  );
  let newest = 0;
  const take: TakeResource = ({ uri, length, hash, lastmod }, from) => {
    if (!uri.startsWith(url)) foreign(url + from, `lists ${uri}, which is not below ${url}`);
    reader.keep(ROW_BYTES + uri.length + hash.length / 2);
    newest = Math.max(newest, lastmod?.getTime() ?? 0);
    resources.set(uri, { length, hash, lastmod });
  };
  let at: Date | undefined;
  for await (const { document, path } of reader.readParts(resourceList, 'resource-list', take)) {
    if (at !== undefined && at.getTime() !== document.at.getTime()) mixed(url + path);
    at = document.at;
  }
  if (at === undefined) return refuseUnreadable(url + resourceList, 'it has no parts');
  const lists = await readLiveChanges(reader, find('changelist'));
  requireOneState(url + resourceList, { at, newest, lists });
  return {
    at,
    resources,
    lists,
    packages: dumps.changes ? await readLiveDump(reader, name, find('changedump')) : [],
  };
}

/** Refuses documents that are of two publications, as during a deploy, or behind a cache. */
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
  place: string | undefined,
): Promise<ChangeSegment<ChangeEvent>[]> {
  const { url } = reader;
  const lists: ChangeSegment<ChangeEvent>[] = [];
  if (place === undefined) return lists;
  for await (const { document, path, text } of reader.readParts(place, 'change-list')) {
    const { from, until, changes } = document;
    const other = changes.find(({ uri }) => !uri.startsWith(url));
    if (other !== undefined) foreign(url + path, `lists ${other.uri}, which is not below ${url}`);
    const before = lists.at(-1);
    if (before !== undefined && before.until?.getTime() !== from.getTime()) mixed(url + path);
    const part = Number(/-(\d+)\.xml$/.exec(path)?.[1] ?? 1);
    if (path !== place && path !== pathOfPart(place, nameInterval(from, part))) mixed(url + path);
    // Strings of the events are slices of the text and keep it in memory, or take as much.
    const kept = text();
    reader.keep(changes.length * RESOURCE_BYTES + kept.length);
    const isLinked = changes.some((change) => 'links' in change);
    lists.push({
      from,
      until,
      part,
      changes: isLinked ? changes.map(dropLinks) : changes,
      ...(until !== undefined && !isLinked && { text: kept }),
    });
  }
  return lists;
}

/** Removes the links of an event. They lead to versions, and are of a time when git had the history. */
function dropLinks(event: ChangeEvent): ChangeEvent {
  if (event.change === 'deleted') return event;
  const { change, uri, datetime, representation } = event;
  return { change, uri, datetime, representation };
}

async function readLiveDump(
  reader: LiveReader,
  set: string | undefined,
  place: string | undefined,
): Promise<ChangeDump['packages']> {
  const packages: ChangeDump['packages'][number][] = [];
  for await (const { document, path } of reader.readParts(place, 'change-dump')) {
    for (const one of document.packages) {
      const name = reader.url + pathOfPackage(set, 'changedump', nameInterval(one.until, 1));
      const [digest = ''] = matchGroups(/-[\da-f]{16}(?=\.zip$)/, one.uri);
      const isOwn = one.uri === `${name}${digest}.zip` && one.contents === `${name}${digest}.xml`;
      const { uri, contents, hash } = one;
      if (!isOwn) foreign(reader.url + path, `names ${uri}, which is not a package of this set of resources`);
      reader.keep(RESOURCE_BYTES + uri.length + contents.length + hash.length);
      packages.push(one);
    }
  }
  return packages;
}
