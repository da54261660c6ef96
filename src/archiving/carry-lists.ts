/** Carries archived Change Lists on from the live site: by their digests, and as they are, while they link to what is there. */

import type { Notice } from '../notices.js';
import type { ClosedSegment } from '../plan/changes.js';
import type { ArchivedInterval } from '../resourcesync/document.js';
import type { ChangeEvent } from '../resourcesync/model.js';
import { areAsNamed } from './compose.js';
import { type CarryPlace, carryNewest, noticeEnd } from './live.js';
import { parseArchived } from './parse.js';

/** Archived Change Lists of the live site. */
export interface CarriedLists {
  /** Each with its text, oldest first. */
  readonly lists: readonly ClosedSegment<ChangeEvent>[];
  readonly notices: readonly Notice[];
}

export async function carryLists(
  place: CarryPlace,
  entries: readonly ArchivedInterval[],
): Promise<CarriedLists> {
  const { url } = place;
  const lists: ClosedSegment<ChangeEvent>[] = [];
  const carried = await carryNewest(
    place,
    entries,
    async (entry, read) => {
      const path = entry.uri.slice(url.length);
      const bytes = await read(path);
      return bytes !== undefined && areAsNamed(url, path, [bytes])
        ? await readList(url, entry, bytes)
        : undefined;
    },
    (list) => lists.unshift(list),
  );
  return { lists, notices: noticeEnd('change-list-archive', entries, carried) };
}

/** Undefined where it is not what its archive says. */
async function readList(
  url: string,
  { from, until }: ArchivedInterval,
  bytes: Buffer,
): Promise<ClosedSegment<ChangeEvent> | undefined> {
  const document = await parseArchived(bytes);
  if (document?.kind !== 'change-list') return undefined;
  const { changes } = document;
  const isOfInterval = Number(document.from) === Number(from) && Number(document.until) === Number(until);
  if (!isOfInterval || changes.some(({ uri }) => !uri.startsWith(url))) return undefined;
  return { from, until, part: 1, changes, text: bytes.toString() };
}
