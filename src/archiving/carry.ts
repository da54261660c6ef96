/** Carries archived documents on from the live site: by their digests, and as they are, byte for byte. */

import type { CarriedArchive } from '../archives/known.js';
import { ResyncError } from '../errors.js';
import type { Notice } from '../notices.js';
import { numberPart, pathOfPart } from '../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../resourcesync/document.js';
import { formatDatetime } from '../resourcesync/model.js';
import { PATCH } from '../resourcesync/namespaces.js';
import { type ArchivedText, areAsNamed } from './compose.js';
import { readStanding } from './stage.js';

/** Bytes that are fetched in one run. */
const MOST_FETCHED = 200_000_000;

/** Documents that are asked for at one time. */
const AT_ONCE = 4;

/** What leads to versions, and to patches; no address can hold such quotes. */
const LINKS = ['memento', 'timemap', PATCH].map((rel) => `<rs:ln rel="${rel}"`);

/** More parts than any archived document has. */
const MOST_PARTS = 9999;

/** What was carried on, and what is to be told of the rest. */
export interface Carried extends CarriedArchive {
  readonly notices: readonly Notice[];
}

/** Gets a document of the live site; undefined where it cannot be had. */
type Fetch = (path: string, most: number) => Promise<string | undefined>;

/**
 * Carries on what is archived, the newest first: from the site where it still holds it, otherwise from where it is served. What
 * cannot be had ends an archive there.
 *
 * @param add takes the documents, parts before their index
 */
export async function carryArchive(
  { site, url }: { readonly site: string; readonly url: string },
  { lists, snapshots }: CarriedArchive,
  add: (text: ArchivedText) => void,
  most = MOST_FETCHED,
): Promise<Carried> {
  if (lists.length + snapshots.length === 0) return { lists, snapshots, notices: [] };
  const { withLiveTexts } = await import('../history/live/archive/texts.js');
  const told: ArchivedInterval[] = [];
  const held: ArchivedSnapshot[] = [];
  let isOver = false;
  try {
    await withLiveTexts(url, async (fetch) => {
      let rest = most;
      const get = async (path: string) => {
        const standing = readStanding(site, path);
        if (standing !== undefined) return standing;
        const text = rest > 0 ? await fetchTolerantly(fetch, path, rest) : undefined;
        if (text === undefined) return undefined;
        const bytes = Buffer.from(text);
        rest -= bytes.length;
        return rest < 0 ? undefined : bytes;
      };
      const carry = async <T extends ArchivedInterval | ArchivedSnapshot>(
        entries: readonly T[],
        into: T[],
      ) => {
        const waiting = entries.toReversed();
        for (let some = waiting.splice(0, AT_ONCE); some.length > 0; some = waiting.splice(0, AT_ONCE)) {
          const got = await Promise.all(some.map(({ uri }) => getTexts(url, uri.slice(url.length), get)));
          for (const [index, entry] of some.entries()) {
            const texts = got[index];
            if (texts === undefined || isOver) return;
            texts.forEach(add);
            into.unshift(entry);
          }
        }
      };
      await carry(lists, told);
      await carry(snapshots, held);
    });
  } catch (error) {
    ignoreLive(error);
  }
  // What comes later than that, because there was no time left, comes too late.
  isOver = true;
  return {
    lists: told,
    snapshots: held,
    notices: [
      ...noticeEnd('change-list-archive', lists, told, ({ until }) => until),
      ...noticeEnd('resource-list-archive', snapshots, held, ({ at }) => at),
    ],
  };
}

/** The notice says from when on there is an archive. No deploy waits for the past. */
function ignoreLive(error: unknown): undefined {
  if (error instanceof ResyncError && error.code.startsWith('live-')) return undefined;
  throw error;
}

/** A document and its parts, if they are what the name says. */
async function getTexts(
  url: string,
  path: string,
  get: (path: string) => Promise<Buffer | undefined>,
): Promise<ArchivedText[] | undefined> {
  const bytes = await get(path);
  if (bytes === undefined) return undefined;
  // Versions are not carried on with them.
  if (LINKS.some((link) => bytes.includes(link))) return undefined;
  const isIndex = bytes.includes('<sitemapindex ');
  const kind = path.includes('/changelist-') ? 'change-list' : 'resource-list';
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

async function fetchTolerantly(fetch: Fetch, path: string, most: number): Promise<string | undefined> {
  try {
    return await fetch(path, most);
  } catch (error) {
    return ignoreLive(error);
  }
}

function noticeEnd<T extends ArchivedInterval | ArchivedSnapshot>(
  archive: 'change-list-archive' | 'resource-list-archive',
  listed: readonly T[],
  carried: readonly T[],
  momentOf: (entry: T) => Date,
): Notice[] {
  const lost = listed[listed.length - carried.length - 1];
  if (lost === undefined) return [];
  return [{ code: 'archive-shortened', archive, until: formatDatetime(momentOf(lost)) }];
}
