/** Reads one set of resources as the live site describes it. */

import { startDigestColumn } from '../../base/columns/digests.js';
import { startNumbers } from '../../base/columns/numbers.js';
import { startShared } from '../../base/columns/shared.js';
import { type Columns, startTable } from '../../base/columns/table.js';
import { type DocumentName, pathOfDocument } from '../../paths/ours.js';
import { isChannel } from '../../standard/document.js';
import { readArchives } from './archive/read.js';
import { readLiveChanges } from './changes.js';
import { readLiveDump, readResourceDump } from './dump/read.js';
import type { LiveResource, LiveSet } from './published.js';
import type { LiveReader, TakeResource } from './reader.js';
import { foreign, mixed, refuseUnreadable } from './refusals.js';

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
    resources.set(uri, makeLiveResource(length, hash, lastmod, wanted.archive ? type : undefined));
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
function startLiveColumns(): Columns<LiveResource> {
  const lengths = startNumbers();
  const hashes = startDigestColumn();
  const moments = startShared<number | undefined>();
  // What a parser gives is a view of the whole text, which would stay in memory with it.
  const types = startShared<string | undefined>((type) => type && Buffer.from(type).toString());
  return {
    push({ length, hash, lastmod, type }) {
      lengths.push(length);
      hashes.push(hash);
      moments.push(lastmod?.getTime());
      types.push(type);
    },
    at(index) {
      const moment = moments.at(index);
      const lastmod = moment === undefined ? undefined : new Date(moment);
      return makeLiveResource(lengths.at(index), hashes.at(index) ?? '', lastmod, types.at(index));
    },
  };
}

function makeLiveResource(
  length: number,
  hash: string,
  lastmod: Date | undefined,
  type: string | undefined,
): LiveResource {
  return { length, hash, ...(lastmod && { lastmod }), ...(type !== undefined && { type }) };
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
