/** News for the page and the feed: publications, and the pages that each changed. Pure. */

import { getOrInsert, groupBy } from '../../base/group.js';
import type { ChangeCounts } from '../state.js';

export interface PageChange {
  readonly uri: string;
  readonly change: keyof ChangeCounts;
  /** Permanent URI of the change. */
  readonly id: string;
  /** The last known title of the page; undefined if no title may be shown. */
  readonly title: string | undefined;
  readonly excerpt: string | undefined;
}

/** A publication, as the page and the feed show it. */
export interface NewsItem {
  readonly datetime: Date;
  /** Permanent URI of the publication. */
  readonly id: string;
  /** Changed pages to report by name, in the order of URLs; empty if they are too many. */
  readonly pages: readonly PageChange[];
  readonly counts: ChangeCounts;
  /** URLs of updated pages whose main text stayed the same, so that readers see no change. */
  readonly unseen: readonly string[];
  /** URLs of deleted pages; undefined unless the publication has too many changed pages to name. */
  readonly gone?: readonly string[] | undefined;
  /** Changed files that are no pages; undefined if unknown. */
  readonly others: readonly FileChange[] | undefined;
}

export interface Day {
  /** The moment of the newest publication of the day. */
  readonly moment: Date;
  readonly publications: number;
  /** Changed pages of the day, newest first; several changes of one page are joined. */
  readonly pages: readonly (PageChange & { readonly datetime: Date })[];
  /** Numbers of changed pages in those publications that have too many to name. */
  readonly unnamed: ChangeCounts;
  readonly unseen: number;
  readonly others: ChangeCounts;
}

export interface FileChange {
  readonly uri: string;
  readonly change: keyof ChangeCounts;
}

/** An entry that leaves the feed, because its page was deleted later. */
interface Tombstone {
  readonly id: string;
  readonly when: Date;
}

export interface News {
  /** The newest publications, as many as fit the feed, oldest first. */
  readonly recent: readonly NewsItem[];
  /** True if there are changes older than those of `recent`. */
  readonly hasOlder: boolean;
}

const NO_COUNTS: ChangeCounts = { created: 0, updated: 0, deleted: 0 };

export function listChanges(counts: ChangeCounts): (keyof ChangeCounts)[] {
  return (['created', 'updated', 'deleted'] as const).filter((change) => counts[change] > 0);
}

export function countAll({ created, updated, deleted }: ChangeCounts): number {
  return created + updated + deleted;
}

function add(some: ChangeCounts, more: ChangeCounts): ChangeCounts {
  return {
    created: some.created + more.created,
    updated: some.updated + more.updated,
    deleted: some.deleted + more.deleted,
  };
}

/** Joins the publications of each day, and returns the days, the newest first. @param items oldest first */
export function joinDays(items: readonly NewsItem[]): Day[] {
  const days = groupBy(items.toReversed(), ({ datetime }) => datetime.toISOString().slice(0, 10));
  return [...days.values()].map(joinDay);
}

/** Joins the publications of one day. @param items newest first */
function joinDay(items: readonly NewsItem[]): Day {
  const pages = new Map<string, Day['pages'][number]>();
  const others = new Map<string, FileChange>();
  for (const { datetime, pages: some, others: more = [] } of items) {
    for (const { uri, change } of more)
      others.set(uri, { uri, change: joinChange(change, others.get(uri)?.change ?? change) });
    for (const page of some) {
      const later = pages.get(page.uri);
      pages.set(page.uri, later === undefined ? { ...page, datetime } : joinChanges(page, later));
    }
  }
  const unseen = new Set(items.flatMap((item) => item.unseen));
  return {
    moment: items[0]?.datetime ?? new Date(0),
    publications: items.length,
    pages: [...pages.values()],
    unnamed: items
      .filter((item) => item.pages.length < countAll(item.counts))
      .reduce((sum, { counts }) => add(sum, counts), NO_COUNTS),
    unseen: [...unseen].filter((uri) => !pages.has(uri)).length,
    others: tally([...others.values()]),
  };
}

function joinChanges(page: PageChange, later: Day['pages'][number]): Day['pages'][number] {
  const change = joinChange(page.change, later.change);
  return { ...later, change, title: later.title ?? page.title, excerpt: later.excerpt ?? page.excerpt };
}

function joinChange(first: keyof ChangeCounts, later: keyof ChangeCounts): keyof ChangeCounts {
  if (first === 'created' && later === 'updated') return 'created';
  return first === 'deleted' && later === 'created' ? 'updated' : later;
}

export function tally(changes: readonly { readonly change: keyof ChangeCounts }[]): ChangeCounts {
  const counts = { ...NO_COUNTS };
  for (const { change } of changes) counts[change]++;
  return counts;
}

/** Counts the entries of a publication in the feed: one for each page, or a single one if no changed page is named. */
export function countEntries({ pages, counts }: NewsItem): number {
  return pages.length === 0 && countAll(counts) > 0 ? 1 : pages.length;
}

/** Returns the newest items whose entries fit the feed, at least one. @param items oldest first @param limit of entries */
export function takeNewest(items: readonly NewsItem[], limit: number): readonly NewsItem[] {
  let left = limit;
  const first = items.findLastIndex((item) => {
    left -= countEntries(item);
    return left < 0;
  });
  return items.slice(Math.min(first + 1, items.length - 1));
}

/** Finds entries about pages that were deleted later; feed readers may remove these entries. */
export function buryDeleted(items: readonly NewsItem[]): Tombstone[] {
  const reported = new Map<string, string[]>();
  const stones: Tombstone[] = [];
  for (const { datetime, pages, gone = [] } of items) {
    const idsOf = (uri: string) => getOrInsert(reported, uri, () => []);
    const bury = (uri: string) =>
      stones.push(
        ...idsOf(uri)
          .splice(0)
          .map((id) => ({ id, when: datetime })),
      );
    for (const { change, id, uri } of pages) {
      if (change === 'deleted') bury(uri);
      idsOf(uri).push(id);
    }
    for (const uri of gone) bury(uri);
  }
  return stones;
}
