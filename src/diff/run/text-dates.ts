/** Finds the dates on which the main texts of pages changed, from git. */

import type { SiteHistory, UriChange } from '../../history/plan/derive.js';
import { type PagePlace, PageVersions } from './versions.js';

export interface PageDates {
  /** Date of the last change of each page, by URL; missing if it is unknown. */
  readonly dates: ReadonlyMap<string, Date>;
  /** Date on which each page was created, by URL; missing for pages of the baseline. */
  readonly created: ReadonlyMap<string, Date>;
  /** Number of pages with changes that were not compared, to limit the work, or for lack of a version. These move no date. */
  readonly unread: number;
}

/** Limit of versions to compare. If there are more, the build probably changes every page each time. */
const MOST_VERSIONS = 100_000;

/** The history of a page, with the index of the next change to compare. */
interface Walk {
  readonly uri: string;
  readonly changes: readonly UriChange[];
  place: number;
}

/** A change of a page, with the blob ids before and after it. */
interface Step {
  readonly walk: Walk;
  readonly datetime: Date;
  readonly blobs: readonly [before: string, after: string];
}

/**
 * Goes back in the history of each page while the digest of its main text stays the same, at most to its creation. Pages of
 * the baseline without a change have no date.
 *
 * @param pages URLs
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readTextDates(
  place: PagePlace,
  committed: SiteHistory,
  pages: ReadonlySet<string>,
): Promise<Omit<PageDates, 'created'>> {
  const dates = new Map<string, Date>();
  const unread = new Set<string>();
  let left = MOST_VERSIONS;
  let walks = [...groupByPage(committed, pages)].map(
    ([uri, changes]): Walk => ({ uri, changes, place: changes.length - 1 }),
  );
  const versions = await PageVersions.open(place);
  try {
    while (walks.length > 0) {
      const steps = walks.flatMap((walk) => takeStep(walk, dates));
      const read = steps.slice(0, Math.max(0, Math.floor(left / 2)));
      left -= 2 * read.length;
      for (const { walk } of steps.slice(read.length)) unread.add(walk.uri);
      const changed = await compareSteps(versions, place, read);
      for (const [index, { walk, datetime }] of read.entries()) {
        if (changed[index] === undefined) unread.add(walk.uri);
        if (changed[index] === true) dates.set(walk.uri, datetime);
      }
      walks = steps.flatMap(({ walk }) => (dates.has(walk.uri) ? [] : [walk]));
    }
  } finally {
    versions.close();
  }
  return { dates, unread: unread.size };
}

/** Goes one change back in the history of a page. If that created the page, sets its date. Returns only updates. */
function takeStep(walk: Walk, dates: Map<string, Date>): Step[] {
  const change = walk.changes[walk.place--];
  if (change?.change === 'created') dates.set(walk.uri, change.datetime);
  if (change?.change !== 'updated') return [];
  return [{ walk, datetime: change.datetime, blobs: [change.previous.blob, change.file.blob] }];
}

/** Returns for each step true if the main text changed, or undefined if a version cannot be read. */
async function compareSteps(
  versions: PageVersions,
  { records }: PagePlace,
  steps: readonly Step[],
): Promise<(boolean | undefined)[]> {
  const asked = steps.flatMap(({ walk: { uri }, blobs }) =>
    blobs.map((content) => ({ uri, content, saved: records.find({ uri, content })?.text })),
  );
  versions.ask(asked.flatMap(({ content, saved }) => (saved === undefined ? content : [])));
  const found: (string | undefined)[] = [];
  for (const { uri, content, saved } of asked) {
    const bytes = saved === undefined ? await versions.read(content) : undefined;
    found.push(saved ?? (bytes && records.read({ uri, content }, bytes)?.text));
  }
  return steps.map((_, index) => {
    const [before, after] = found.slice(2 * index, 2 * index + 2);
    return before === undefined || after === undefined ? undefined : before !== after;
  });
}

/** Groups the changes of pages by URL. A page that is in several sets is taken from the first of these. */
function groupByPage({ sets }: SiteHistory, pages: ReadonlySet<string>): Map<string, readonly UriChange[]> {
  const all = new Map<string, readonly UriChange[]>();
  for (const { past } of sets) {
    const own = new Map<string, UriChange[]>();
    for (const change of past) {
      const changes = own.get(change.uri);
      if (changes !== undefined) changes.push(change);
      else if (pages.has(change.uri) && !all.has(change.uri)) own.set(change.uri, [change]);
    }
    for (const [uri, some] of own) all.set(uri, some);
  }
  return all;
}
