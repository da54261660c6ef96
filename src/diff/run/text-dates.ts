/** When the main texts of pages changed, as git knows it. */

import type { SiteHistory, UriChange } from '../../history/plan/derive.js';
import { type PagePlace, PageVersions } from './versions.js';

/** When pages changed. */
export interface PageDates {
  /** By URL; those of which it is not known are missing. */
  readonly dates: ReadonlyMap<string, Date>;
  /** When pages were created, by URL; those that stood at the baseline are missing. */
  readonly created: ReadonlyMap<string, Date>;
  /** Pages of which some change was not looked at, because that is too much. It moves no date. */
  readonly unread: number;
}

/** Versions that are looked at in all: what is behind them is a build that changes every page. */
const MOST_VERSIONS = 100_000;

/** A page, and the change that is looked at next. */
interface Walk {
  readonly uri: string;
  /** Oldest first. */
  readonly changes: readonly UriChange[];
  place: number;
}

/** A change of a page, with the ids of what it was and became. */
interface Step {
  readonly walk: Walk;
  readonly datetime: Date;
  readonly blobs: readonly [former: string, present: string];
}

/**
 * Goes back through the past of each page, as far as its digest is the same, up to where it was created. What there was at
 * the baseline has no date.
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

/** Of a page, the change that is next; none if it was created then. */
function takeStep(walk: Walk, dates: Map<string, Date>): Step[] {
  const change = walk.changes[walk.place--];
  if (change?.change === 'created') dates.set(walk.uri, change.datetime);
  if (change?.change !== 'updated') return [];
  return [{ walk, datetime: change.datetime, blobs: [change.former?.blob ?? '', change.file.blob] }];
}

/** Whether each change is one of the main text; undefined if a version cannot be read. */
async function compareSteps(
  versions: PageVersions,
  { records }: PagePlace,
  steps: readonly Step[],
): Promise<(boolean | undefined)[]> {
  const asked = steps.flatMap(({ walk: { uri }, blobs }) =>
    blobs.map((content) => ({ uri, content, known: records.find({ uri, content })?.text })),
  );
  versions.ask(asked.flatMap(({ content, known }) => (known === undefined ? content : [])));
  const found: (string | undefined)[] = [];
  for (const { uri, content, known } of asked) {
    const bytes = known === undefined ? await versions.read(content) : undefined;
    found.push(known ?? (bytes && records.read({ uri, content }, bytes)?.text));
  }
  return steps.map((_, index) => {
    const [former, present] = found.slice(2 * index, 2 * index + 2);
    return former === undefined || present === undefined ? undefined : former !== present;
  });
}

/** A URL may be in several sets; what happened is told by the first of them. */
function groupByPage({ sets }: SiteHistory, pages: ReadonlySet<string>): Map<string, readonly UriChange[]> {
  const all = new Map<string, readonly UriChange[]>();
  for (const { past } of sets) {
    const own = new Map<string, UriChange[]>();
    for (const change of past) {
      const known = own.get(change.uri);
      if (known !== undefined) known.push(change);
      else if (pages.has(change.uri) && !all.has(change.uri)) own.set(change.uri, [change]);
    }
    for (const [uri, some] of own) all.set(uri, some);
  }
  return all;
}
