/** Carries archived Change Lists on from the live site: by their digests, and as they are while they link to what is there. */

import type { Notice } from '../../../base/notices.js';
import type { ArchivedInterval } from '../../../standard/document.js';
import type { ClosedSegment } from '../../../standard/limits.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { PATCH } from '../../../standard/namespaces.js';
import { areAsNamed } from './compose.js';
import { type CarryPlace, carryNewest, noticeEnd } from './live.js';
import { parseArchived } from './parse.js';

/** Archived Change Lists of the live site. */
export interface CarriedLists {
  /** Each with its text, oldest first. */
  readonly lists: readonly ClosedSegment<ChangeEvent>[];
  readonly notices: readonly Notice[];
}

/** What leads to versions, and to patches; no address can hold such quotes. */
const LINKS = ['memento', 'timemap', PATCH].map((rel) => `<rs:ln rel="${rel}"`);

/** @param isRead whether all changes are asked for; otherwise those of lists that link to nothing are left unread */
export async function carryLists(
  place: CarryPlace,
  entries: readonly ArchivedInterval[],
  isRead: boolean,
): Promise<CarriedLists> {
  const { url } = place;
  const lists: ClosedSegment<ChangeEvent>[] = [];
  const carried = await carryNewest(
    place,
    entries,
    async (entry, read) => {
      const path = entry.uri.slice(url.length);
      const bytes = await read(path);
      if (bytes === undefined || !areAsNamed(url, path, [bytes])) return undefined;
      if (isRead || LINKS.some((link) => bytes.includes(link))) return await readList(url, entry, bytes);
      const { from, until } = entry;
      return { from, until, part: 1, changes: [], text: bytes.toString() };
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
