/** What the publications that git keeps did to the pages of a site. */

import { judgeType } from '../../../diff/content.js';
import { startReadingVersions } from '../../../diff/run/past-in-git.js';
import { readUnchanged } from '../../../diff/run/present.js';
import { readBlobLengths } from '../../../history/git/digest-blobs.js';
import type { GitHistory } from '../../../history/known.js';
import type { SiteHistory, UriChange } from '../../../history/plan/derive.js';
import type { ScannedSite } from '../../../site/scanned.js';
import { cutNews, type News, type NewsItem, tally, weigh } from '../log.js';
import {
  EXAMINED_PAGES,
  type Examined,
  type ExamineRules,
  examine,
  groupByMoment,
  isWanted,
  makeId,
  makeUnread,
  startNaming,
  type VersionReader,
} from './examine.js';

/** Larger pages are not read. In bytes. */
const PAGE_BYTES = 1_000_000;
/**
 * Of what is put away, so many updated pages are looked at, the oldest first: what comes later changes nothing of that.
 */
const ARCHIVED_PAGES = 1000;

interface Place {
  /** Absolute path of the site. */
  readonly site: string;
  readonly scanned: ScannedSite;
  readonly history: GitHistory;
}

/**
 * Tells of all publications since the baseline. The titles of pages are read for the newest ones; what is older keeps its
 * URLs.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readCommittedNews(
  place: Place,
  committed: SiteHistory,
  rules: ExamineRules,
): Promise<News> {
  const groups = groupByPublication(committed, place.scanned);
  const ends = cutNews(
    groups.map(({ pages }) => weigh(pages.length, rules.limit)),
    rules.limit,
  );
  const name = startNaming();
  const named = groups.map((group) => nameGroup(group, name));
  const items = await readItems(
    place,
    groups,
    named,
    chooseRules(groups, ends.at(-1) ?? 0, rules),
    rules.limit,
  );
  const archives = ends.map((end, index) => ({ items: items.slice(ends[index - 1] ?? 0, end) }));
  return { archives, recent: items.slice(ends.at(-1) ?? 0), tombstones: [] };
}

/**
 * Chooses which publications are looked at.
 *
 * @param since the first one that is not put away
 * @returns for each, by which rules; undefined where nobody looks
 */
function chooseRules(
  groups: readonly Group[],
  since: number,
  rules: ExamineRules,
): (ExamineRules | undefined)[] {
  const old = { ...rules, titles: false };
  let left = ARCHIVED_PAGES;
  return groups.map(({ pages }, index) => {
    if (pages.length > EXAMINED_PAGES) return undefined;
    if (index >= since) return rules;
    const updated = pages.filter(({ change }) => change === 'updated').length;
    if (updated > left) return undefined;
    left -= updated;
    return old;
  });
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

function nameGroup({ datetime, all, pages }: Group, name: ReturnType<typeof startNaming>): Examined {
  const candidates = pages.map((change) => {
    const { before, after } = versionsOf(change);
    const id = name(change.uri, change.change, before?.blob ?? '', after?.blob ?? '');
    return { uri: change.uri, change: change.change, id };
  });
  return { datetime, id: makeId(...candidates.map(({ id }) => id)), candidates, all: tally(all) };
}

async function readItems(
  place: Place,
  groups: readonly Group[],
  named: readonly Examined[],
  chosen: readonly (ExamineRules | undefined)[],
  limit: number,
): Promise<NewsItem[]> {
  const wanted = groups.flatMap(({ pages }, index) => {
    const rules = chosen[index];
    return rules === undefined ? [] : pages.flatMap((change) => listVersions(change, rules));
  });
  const reader = await openVersions(place, wanted);
  try {
    const items: NewsItem[] = [];
    for (const [index, item] of named.entries()) {
      const rules = chosen[index];
      const read: VersionReader = (version, _, place) =>
        reader.read(versionsOf(groups[index]?.pages[place] as UriChange)[version]?.blob);
      items.push(rules === undefined ? makeUnread(item, limit) : await examine(item, rules, read));
    }
    return items;
  } finally {
    reader.close();
  }
}

/** In the order in which they are read. */
function listVersions(change: UriChange, rules: ExamineRules): string[] {
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
  const reader = startReadingVersions(repository, listed.filter(isThere));
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
