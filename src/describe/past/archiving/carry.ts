/** Carries on what the live site has archived: the newest first, within bounds, as its names say. No deploy waits for the past. */

import type { Notice } from '../../../base/notices.js';
import { ARCHIVE_KINDS } from '../../../history/archives/kinds.js';
import { ignoreLiveFailure } from '../../../history/live/refusals.js';
import { type ArchiveName, numberPart, pathOfPart } from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import type { ClosedSegment } from '../../../standard/limits.js';
import { type ChangeEvent, formatDatetime } from '../../../standard/model.js';
import { PATCH } from '../../../standard/namespaces.js';
import { parseStanding, readStanding } from '../../standing.js';
import { type ArchivedText, type ArchivePlace, areAsNamed, makeArchivedText } from './compose.js';

/** Where archived documents are carried on to, and how much of that is fetched. */
export type CarryPlace = Pick<ArchivePlace, 'site' | 'url' | 'budget'>;

/** What an archive names. */
export type ArchivedEntry = ArchivedInterval | ArchivedSnapshot;

/** What an archive names still, oldest first, and what is to be told of the rest. */
export interface CarriedEntries<E extends ArchivedEntry> {
  readonly entries: readonly E[];
  readonly notices: readonly Notice[];
}

/** Reads a document: from the site where it still holds it, otherwise from where it is served; undefined where neither has it. */
export type ReadArchived = (path: string) => Promise<Buffer | undefined>;

/** Documents that are asked for at one time. */
const AT_ONCE = 4;

/**
 * Carries on what an archive names, the newest first. What cannot be had ends it there.
 *
 * @param get gets the document at a path; undefined where it cannot be had as it is named
 * @param take is told of those that are carried on
 */
export async function carryNewest<E extends ArchivedEntry, R>(
  { site, url, budget }: CarryPlace,
  archive: ArchiveName,
  entries: readonly E[],
  get: (path: string, read: ReadArchived, entry: E) => Promise<R | undefined>,
  take: (result: R, entry: E) => void,
): Promise<CarriedEntries<E>> {
  if (entries.length === 0) return { entries, notices: [] };
  const { withReader } = await import('../../../history/live/reader.js');
  const carried: E[] = [];
  let isOver = false;
  await withReader(url, async ({ findText }) => {
    const read: ReadArchived = async (path) => {
      const standing = readStanding(site, path);
      if (standing !== undefined || budget.rest <= 0) return standing;
      const text = await findText(path, budget.rest).catch(ignoreLiveFailure);
      if (text === undefined) return undefined;
      const bytes = Buffer.from(text);
      budget.rest -= bytes.length;
      return budget.rest < 0 ? undefined : bytes;
    };
    const waiting = entries.toReversed();
    for (let some = waiting.splice(0, AT_ONCE); some.length > 0; some = waiting.splice(0, AT_ONCE)) {
      const got = await Promise.all(some.map((entry) => get(entry.uri.slice(url.length), read, entry)));
      for (const [index, entry] of some.entries()) {
        const result = got[index];
        if (result === undefined || isOver) return carried;
        take(result, entry);
        carried.unshift(entry);
      }
    }
    return carried;
  }).catch(ignoreLiveFailure);
  // What comes later than that, because there was no time left, comes too late.
  isOver = true;
  return { entries: carried, notices: noticeEnd(archive, entries.at(-carried.length - 1)) };
}

/** Tells where an archive ends: at the newest document that is lost. */
export function noticeEnd(
  archive: ArchiveName,
  lost: Pick<ArchivedSnapshot, 'at'> | Pick<ArchivedInterval, 'until'> | undefined,
): Notice[] {
  if (lost === undefined) return [];
  const until = formatDatetime('at' in lost ? lost.at : lost.until);
  return [{ code: 'archive-shortened', archive: ARCHIVE_KINDS[archive], until }];
}

/** Carries Resource Lists on; `add` takes the documents, parts before their index. */
export async function carrySnapshots(
  place: CarryPlace,
  entries: readonly ArchivedSnapshot[],
  add: (text: ArchivedText) => void,
): Promise<CarriedEntries<ArchivedSnapshot>> {
  return await carryNewest(
    place,
    'resourcelist-archive',
    entries,
    (path, read) => getTexts(place.url, path, read),
    (texts) => texts.forEach(add),
  );
}

/** More parts than any archived document has. */
const MOST_PARTS = 9999;

/** A document and its parts, if they are what the name says. */
async function getTexts(url: string, path: string, read: ReadArchived): Promise<ArchivedText[] | undefined> {
  const bytes = await read(path);
  if (bytes === undefined) return undefined;
  const kind = 'resource-list';
  const isIndex = bytes.includes('<sitemapindex ');
  const whole = makeArchivedText({ path, uri: url + path, kind: isIndex ? `${kind}-index` : kind }, bytes);
  const parts: ArchivedText[] = [];
  for (let index = 0; isIndex && index < Math.min(whole.entries, MOST_PARTS); index++) {
    const part = pathOfPart(path, numberPart(index));
    const held = await read(part);
    if (held === undefined) return undefined;
    parts.push(makeArchivedText({ path: part, uri: url + part, kind }, held));
  }
  const texts = [...parts, whole];
  return areAsNamed(
    url,
    path,
    texts.map((text) => text.bytes),
  )
    ? texts
    : undefined;
}

/** What leads to versions, and to patches; no address can hold such quotes. */
const LINKS = ['memento', 'timemap', PATCH].map((rel) => `<rs:ln rel="${rel}"`);

/**
 * Carries Change Lists on: by their digests, and as they are while they link to what is there.
 *
 * @param isRead whether all changes are asked for; otherwise those of lists that link to nothing are left unread
 * @returns the lists with their texts, oldest first
 */
export async function carryLists(
  place: CarryPlace,
  entries: readonly ArchivedInterval[],
  isRead: boolean,
): Promise<{ readonly lists: readonly ClosedSegment<ChangeEvent>[]; readonly notices: readonly Notice[] }> {
  const { url } = place;
  const lists: ClosedSegment<ChangeEvent>[] = [];
  const { notices } = await carryNewest(
    place,
    'changelist-archive',
    entries,
    async (path, read, { from, until }) => {
      const bytes = await read(path);
      if (bytes === undefined || !areAsNamed(url, path, [bytes])) return undefined;
      const isAsked = isRead || LINKS.some((link) => bytes.includes(link));
      const changes = isAsked ? await readChanges(url, { from, until }, bytes) : [];
      return changes && { from, until, part: 1, changes, text: bytes.toString() };
    },
    (list) => lists.unshift(list),
  );
  return { lists, notices };
}

/** Undefined where the list is not what its archive says. */
async function readChanges(
  url: string,
  { from, until }: Pick<ArchivedInterval, 'from' | 'until'>,
  bytes: Buffer,
): Promise<readonly ChangeEvent[] | undefined> {
  const document = await parseStanding(bytes);
  if (document?.kind !== 'change-list') return undefined;
  const isOfInterval = Number(document.from) === Number(from) && Number(document.until) === Number(until);
  return isOfInterval && document.changes.every(({ uri }) => uri.startsWith(url))
    ? document.changes
    : undefined;
}
