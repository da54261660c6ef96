/** What the publications that git keeps did to the pages of a site. */

import { judgeType } from '../../diff/content.js';
import { startReading } from '../../diff/run/past-in-git.js';
import { readUnchanged } from '../../diff/run/present.js';
import { readBlobLengths } from '../../history/git/digest-blobs.js';
import type { GitHistory } from '../../history/known.js';
import type { SiteHistory, UriChange } from '../../plan/derive.js';
import type { ScannedSite } from '../../site/scanned.js';
import { cutNews, type News, type NewsItem, tally, weigh } from '../log.js';
import { EXAMINED_PAGES, type Examined, examine, isWanted, makeUnread, type Rules } from './examine.js';
import { makeId, startNaming } from './ids.js';
import { groupByMoment } from './publications.js';

/** Larger pages are not read. In bytes. */
const PAGE_BYTES = 1_000_000;

interface Place {
  /** Absolute path of the site. */
  readonly site: string;
  readonly scanned: ScannedSite;
  readonly history: GitHistory;
}

/**
 * Tells of all publications since the baseline. The titles of pages, and whether readers see a change, are read for the
 * newest ones; what is older keeps its URLs.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readCommittedNews(place: Place, committed: SiteHistory, rules: Rules): Promise<News> {
  const groups = groupByPublication(committed, place.scanned);
  const ends = cutNews(
    groups.map(({ pages }) => weigh(pages.length, rules.limit)),
    rules.limit,
  );
  const name = startNaming();
  const named = groups.map((group) => nameGroup(group, name));
  const archives = ends.map((end, index) => ({
    items: named.slice(ends[index - 1] ?? 0, end).map((item) => makeUnread(item, rules.limit)),
  }));
  const recent = await readItems(place, groups.slice(ends.at(-1) ?? 0), named.slice(ends.at(-1) ?? 0), rules);
  return { archives, recent, tombstones: [] };
}

/** What was published at one moment. */
interface Group {
  readonly datetime: Date;
  readonly all: readonly UriChange[];
  readonly pages: readonly UriChange[];
}

function groupByPublication({ sets }: SiteHistory, { typeOf }: ScannedSite): Group[] {
  const kinds = new Map<string, boolean>();
  const isPage = (change: UriChange) => {
    const path = versionsOf(change).after?.path ?? change.former?.path ?? '';
    const extension = path.slice(path.lastIndexOf('/') + 1).replace(/^[^.]*/, '');
    const known = kinds.get(extension) ?? judgeType(typeOf(path)) === 'page';
    kinds.set(extension, known);
    return known;
  };
  return groupByMoment(sets.map(({ changes }) => changes)).map(({ datetime, changes: all }) => {
    if (sets.length > 1) all.sort((a, b) => (a.uri < b.uri ? -1 : 1));
    return { datetime, all, pages: all.filter(isPage) };
  });
}

function versionsOf(change: UriChange) {
  return { before: change.former, after: 'file' in change ? change.file : undefined };
}

/** Without a way to the versions. */
function nameGroup({ datetime, all, pages }: Group, name: ReturnType<typeof startNaming>): Examined {
  const candidates = pages.map((change) => {
    const { before, after } = versionsOf(change);
    const id = name(change.uri, change.change, before?.blob ?? '', after?.blob ?? '');
    return { uri: change.uri, change: change.change, id, before: () => undefined, after: () => undefined };
  });
  return { datetime, id: makeId(...candidates.map(({ id }) => id)), candidates, all: tally(all) };
}

async function readItems(
  place: Place,
  groups: readonly Group[],
  named: readonly Examined[],
  rules: Rules,
): Promise<NewsItem[]> {
  const few = groups.map(({ pages }) => pages.length <= EXAMINED_PAGES);
  const wanted = groups.flatMap(({ pages }, index) =>
    few[index] === true ? pages.flatMap((change) => listVersions(change, rules)) : [],
  );
  const reader = await openVersions(place, wanted);
  try {
    const items: NewsItem[] = [];
    for (const [index, item] of named.entries()) {
      const pages = groups[index]?.pages ?? [];
      const candidates = item.candidates.map((candidate, number) => {
        const { before, after } = versionsOf(pages[number] as UriChange);
        return {
          ...candidate,
          before: () => reader.read(before?.blob),
          after: () => reader.read(after?.blob),
        };
      });
      items.push(
        few[index] === true ? await examine({ ...item, candidates }, rules) : makeUnread(item, rules.limit),
      );
    }
    return items;
  } finally {
    reader.close();
  }
}

/** In the order in which they are read. */
function listVersions(change: UriChange, rules: Rules): string[] {
  const { before, after } = versionsOf(change);
  return [
    ...(before !== undefined && isWanted(change, rules, 'before') ? [before.blob] : []),
    ...(after !== undefined && isWanted(change, rules, 'after') ? [after.blob] : []),
  ];
}

/** Reads versions in the order in which they are listed: from the site where it has them, or else from git. */
async function openVersions({ site, scanned, history }: Place, listed: readonly string[]) {
  const wanted = new Set(listed);
  const here = new Map<string, { readonly path: string; readonly length: number }>();
  for (const [index, blob] of scanned.blobs.entries()) {
    const resource = wanted.has(blob) ? scanned.resources.at(index) : undefined;
    if (resource !== undefined) here.set(blob, resource);
  }
  const { repository } = history.place;
  const lengths = await readBlobLengths(
    repository,
    [...wanted].filter((blob) => !here.has(blob)),
  );
  const isThere = (blob: string) => (lengths.get(blob) ?? Number.POSITIVE_INFINITY) <= PAGE_BYTES;
  const reader = startReading(repository, listed.filter(isThere));
  return {
    read: (blob: string | undefined) => {
      const file = blob === undefined ? undefined : here.get(blob);
      if (file !== undefined) {
        return file.length <= PAGE_BYTES ? readUnchanged(site, file.path, file.length) : undefined;
      }
      return blob !== undefined && isThere(blob) ? reader.readNext() : undefined;
    },
    close: reader.close,
  };
}
