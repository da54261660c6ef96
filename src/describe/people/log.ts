/** What the page and the feed tell of the past: publications, and the pages that each changed. Pure. */

/** Numbers of pages or files. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** A page that was changed. */
export interface PageChange {
  readonly uri: string;
  readonly change: keyof Counts;
  /** A URI that names this change for ever. */
  readonly id: string;
  /** Of the page, or of what was there before it was deleted; undefined where it is not known. */
  readonly title: string | undefined;
}

/** One state of the site, made public at one moment. */
export interface NewsItem {
  readonly datetime: Date;
  /** A URI that names this publication for ever. */
  readonly id: string;
  /** Pages whose change is news, in the order of their URLs; none where there were too many to name. */
  readonly pages: readonly PageChange[];
  /** All of these pages. */
  readonly counts: Counts;
  /** Other files that changed, and pages that look as before; undefined where that is not known. */
  readonly others: Counts | undefined;
}

/** Changes that the feed no longer has because the page is gone. */
export interface Tombstone {
  readonly id: string;
  readonly when: Date;
}

/** Older changes, in a feed and a page of their own that change no more. */
export interface FeedArchive {
  readonly items: readonly NewsItem[];
  readonly tombstones?: readonly Tombstone[];
  /** The feed as it was published, where it is carried on. */
  readonly text?: string;
}

/** All that is told. */
export interface News {
  /** Oldest first. */
  readonly archives: readonly FeedArchive[];
  /** What is not in an archive, oldest first. */
  readonly recent: readonly NewsItem[];
  /** Those that came from the live site. */
  readonly tombstones: readonly Tombstone[];
}

export const NO_COUNTS: Counts = { created: 0, updated: 0, deleted: 0 };

export function countAll({ created, updated, deleted }: Counts): number {
  return created + updated + deleted;
}

export function tally(changes: readonly { readonly change: keyof Counts }[]): Counts {
  const counts = { ...NO_COUNTS };
  for (const { change } of changes) counts[change]++;
  return counts;
}

/** What a publication counts for where older ones are put away, so that neither many small ones nor a large one fill a page. */
export function weigh(pages: number, limit: number): number {
  return Math.max(1, Math.min(pages, Math.ceil(limit / 4)));
}

/**
 * Puts away what is old: the borders follow from the oldest publication on, so what is full stays as it is.
 *
 * @param weights of publications, oldest first
 * @returns the ends of the full parts, exclusive; at least `limit` is left behind the last of them
 */
export function cutNews(weights: readonly number[], limit: number): number[] {
  let rest = weights.reduce((sum, weight) => sum + weight, 0);
  const ends: number[] = [];
  let part = 0;
  for (const [index, weight] of weights.entries()) {
    part += weight;
    rest -= weight;
    if (part < limit || rest < limit) continue;
    ends.push(index + 1);
    part = 0;
  }
  return ends;
}

/** Leaves out what was read of pages that are withdrawn; that they changed is still told. */
export function withholdTitles(news: News, withdrawn: (uri: string) => boolean): News {
  const withhold = (items: readonly NewsItem[]) => items.map((item) => withholdIn(item, withdrawn));
  return {
    ...news,
    recent: withhold(news.recent),
    archives: news.archives.map(({ text, ...archive }) => {
      const items = withhold(archive.items);
      // What was published of it is published again only where it says nothing of this.
      const same = items.every((item, index) => item === archive.items[index]);
      return { ...archive, items, ...(same && text !== undefined && { text }) };
    }),
  };
}

function withholdIn(item: NewsItem, withdrawn: (uri: string) => boolean): NewsItem {
  if (!item.pages.some(({ uri, title }) => title !== undefined && withdrawn(uri))) return item;
  const pages = item.pages.map((page) => (withdrawn(page.uri) ? { ...page, title: undefined } : page));
  return { ...item, pages };
}
