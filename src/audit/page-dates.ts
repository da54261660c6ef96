/** Compares dates of pages in Change Lists with those in sitemaps and `pages.json`. Pure. */

import { formatDatetime, parseDatetime } from '../base/datetime.js';
import { getOrInsert } from '../base/group.js';
import type { Address } from '../paths/address.js';
import { type AuditedSet, listEvents } from './agreement/set.js';
import type { Picture } from './picture.js';

/** Moments at which a page changed, as a Change List says, in milliseconds since 1970. */
export interface PageMoments {
  readonly changed: number[];
  /** Moment at which the page was created; undefined if the Change List has no such change. */
  created: number | undefined;
}

/** Lists the moments of changes in the Change List of a set, for the pages in the sitemap or in `pages.json`. */
export function listPageMoments(
  { sitemap, pages }: Picture,
  { changes }: AuditedSet,
): ReadonlyMap<Address, PageMoments> {
  const moments = new Map<Address, PageMoments>();
  for (const { uri, change, time } of listEvents({ changes })) {
    if (time === undefined || !(sitemap?.pages.has(uri) === true || pages?.pages.has(uri) === true)) continue;
    const known = getOrInsert(moments, uri, () => ({ changed: [], created: undefined }));
    known.changed.push(time.getTime());
    if (change === 'created') known.created = time.getTime();
  }
  return moments;
}

const DAY = 86_400_000;
const DAY_LENGTH = '2026-11-20'.length;

/** Rounds a moment down to the precision of a date in a sitemap, which may be a day. */
export function asExact(time: number, said: string): number {
  return said.length === DAY_LENGTH ? Math.floor(time / DAY) * DAY : time;
}

/** Reads a date in a sitemap, in milliseconds since 1970; undefined for a month, a year, or no date. */
export function readDay(said: string): number | undefined {
  return said.length < DAY_LENGTH ? undefined : parseDatetime(said)?.getTime();
}

/** Returns whether the date of a page in a sitemap, if it names a day at least, differs from another date. */
export function isDatedOtherwise(said: string, date: Date): boolean {
  const time = readDay(said);
  return time !== undefined && time !== asExact(date.getTime(), said);
}

/** Words which date a finding expects for a page, by its changes in the Change List. @param from begin of the list */
export function wordMoments(known: PageMoments | undefined, from: Date): string {
  const newest = known?.changed.at(-1);
  return newest === undefined
    ? `none after ${formatDatetime(from)}`
    : `the moment of a change, the last one being ${formatDatetime(new Date(newest))}`;
}
