/** Gets what the live site has archived: the newest first, within bounds. No deploy waits for the past. */

import type { Notice } from '../../../base/notices.js';
import type { FetchBudget } from '../../../history/live/budget.js';
import { isLiveFailure } from '../../../history/live/refusals.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import { formatDatetime } from '../../../standard/model.js';
import { readStanding } from './stage.js';

/** Where archived documents are carried on to, and how much of that is fetched. */
export interface CarryPlace {
  /** Absolute path of the site. */
  readonly site: string;
  /** Of the site, with a trailing slash. */
  readonly url: string;
  readonly budget: FetchBudget;
}

/** Reads a document: from the site where it still holds it, otherwise from where it is served; undefined where neither has it. */
export type ReadArchived = (path: string) => Promise<Buffer | undefined>;

/** Documents that are asked for at one time. */
const AT_ONCE = 4;

/**
 * Carries on what an archive names, the newest first. What cannot be had ends it there.
 *
 * @param get gets one; undefined where it cannot be had as it is named
 * @param take is told of those that are carried on
 * @returns these, oldest first
 */
export async function carryNewest<E extends ArchivedInterval | ArchivedSnapshot, R>(
  { site, url, budget }: CarryPlace,
  entries: readonly E[],
  get: (entry: E, read: ReadArchived) => Promise<R | undefined>,
  take: (result: R, entry: E) => void,
): Promise<readonly E[]> {
  if (entries.length === 0) return [];
  const { withLiveTexts } = await import('../../../history/live/fetch.js');
  const carried: E[] = [];
  let isOver = false;
  try {
    await withLiveTexts(url, async (fetch) => {
      const read: ReadArchived = async (path) => {
        const standing = readStanding(site, path);
        if (standing !== undefined || budget.rest <= 0) return standing;
        const text = await tolerateLive(() => fetch(path, budget.rest));
        if (text === undefined) return undefined;
        const bytes = Buffer.from(text);
        budget.rest -= bytes.length;
        return budget.rest < 0 ? undefined : bytes;
      };
      const waiting = entries.toReversed();
      for (let some = waiting.splice(0, AT_ONCE); some.length > 0; some = waiting.splice(0, AT_ONCE)) {
        const got = await Promise.all(some.map((entry) => get(entry, read)));
        for (const [index, entry] of some.entries()) {
          const result = got[index];
          if (result === undefined || isOver) return;
          take(result, entry);
          carried.unshift(entry);
        }
      }
    });
  } catch (error) {
    ignoreLive(error);
  }
  // What comes later than that, because there was no time left, comes too late.
  isOver = true;
  return carried;
}

/** Gets something of the live site; undefined where it cannot be had. */
async function tolerateLive<T>(get: () => Promise<T>): Promise<T | undefined> {
  try {
    return await get();
  } catch (error) {
    return ignoreLive(error);
  }
}

/** The notice says from when on there is an archive. */
function ignoreLive(error: unknown): undefined {
  if (isLiveFailure(error)) return undefined;
  throw error;
}

type ArchiveKind = Extract<Notice, { readonly code: 'archive-shortened' }>['archive'];

/** Tells where an archive ends that is not carried on as a whole. */
export function noticeEnd(
  archive: ArchiveKind,
  listed: readonly (ArchivedInterval | ArchivedSnapshot)[],
  carried: readonly (ArchivedInterval | ArchivedSnapshot)[],
): Notice[] {
  const lost = listed[listed.length - carried.length - 1];
  if (lost === undefined) return [];
  const moment = 'at' in lost ? lost.at : lost.until;
  return [{ code: 'archive-shortened', archive, until: formatDatetime(moment) }];
}
