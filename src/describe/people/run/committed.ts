/** What the publications that git keeps did to the pages of a site. */

import { judgeType } from '../../../diff/content.js';
import { openVersions, type PagePlace } from '../../../diff/run/past-in-git.js';
import type { SiteHistory, UriChange } from '../../../history/plan/derive.js';
import type { ScannedSite } from '../../../site/scanned.js';
import { cutNews, type News, type NewsItem, tally, weigh } from '../log.js';
import {
  type Candidate,
  EXAMINED_PAGES,
  type Examined,
  type ExamineRules,
  examine,
  groupByMoment,
  isWanted,
  makeId,
  makeUnread,
  startNaming,
} from './examine.js';

/**
 * Of what is put away, so many updated pages are looked at, the oldest first: what comes later changes nothing of that.
 */
const ARCHIVED_PAGES = 1000;

/**
 * Tells of all publications since the baseline. The titles of pages are read for the newest ones; what is older keeps its
 * URLs.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readCommittedNews(
  place: PagePlace,
  committed: SiteHistory,
  rules: ExamineRules,
): Promise<News> {
  const groups = groupByPublication(committed, place.scanned);
  const ends = cutNews(
    groups.map(({ candidates }) => weigh(candidates.length, rules.limit)),
    rules.limit,
  );
  const items = await readItems(place, groups, chooseRules(groups, ends.at(-1) ?? 0, rules), rules.limit);
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
  const old = { ...rules, titles: false, excerpts: false };
  let left = ARCHIVED_PAGES;
  return groups.map(({ candidates }, index) => {
    if (candidates.length > EXAMINED_PAGES) return undefined;
    if (index >= since) return rules;
    const updated = candidates.filter(({ change }) => change === 'updated').length;
    if (updated > left) return undefined;
    left -= updated;
    return old;
  });
}

/** A change of a page, with the ids of what it was and became. */
interface CommittedPage extends Candidate {
  readonly before: string | undefined;
  readonly after: string | undefined;
}
type Group = Examined<CommittedPage>;

function groupByPublication({ sets }: SiteHistory, { typeOf }: ScannedSite): Group[] {
  const name = startNaming();
  const kinds = new Map<string, boolean>();
  const isPage = (change: UriChange) => {
    const path = ('file' in change ? change.file.path : undefined) ?? change.former?.path ?? '';
    const extension = path.slice(path.lastIndexOf('/') + 1).replace(/^[^.]*/, '');
    const known = kinds.get(extension) ?? judgeType(typeOf(path)) === 'page';
    kinds.set(extension, known);
    return known;
  };
  return groupByMoment(sets.map(({ changes }) => changes)).map(({ datetime, changes: all }) => {
    if (sets.length > 1) all.sort((a, b) => (a.uri < b.uri ? -1 : 1));
    const candidates = all.filter(isPage).map((page) => {
      const { uri, change } = page;
      const before = page.former?.blob;
      const after = 'file' in page ? page.file.blob : undefined;
      return { uri, change, id: name(uri, change, before ?? '', after ?? ''), before, after };
    });
    return { datetime, id: makeId(...candidates.map(({ id }) => id)), candidates, all: tally(all) };
  });
}

async function readItems(
  place: PagePlace,
  groups: readonly Group[],
  chosen: readonly (ExamineRules | undefined)[],
  limit: number,
): Promise<NewsItem[]> {
  const wanted = groups.flatMap(({ candidates }, index) => {
    const rules = chosen[index];
    return rules === undefined ? [] : candidates.flatMap((page) => listVersions(page, rules));
  });
  const reader = await openVersions(place, wanted);
  try {
    const items: NewsItem[] = [];
    for (const [index, group] of groups.entries()) {
      const rules = chosen[index];
      const item =
        rules === undefined
          ? makeUnread(group, limit)
          : await examine(group, rules, (version, page) => reader.read(page[version]));
      items.push(item);
    }
    return items;
  } finally {
    reader.close();
  }
}

/** In the order in which they are read. */
function listVersions(page: CommittedPage, rules: ExamineRules): string[] {
  return (['before', 'after'] as const).flatMap((version) => {
    const blob = page[version];
    return blob !== undefined && isWanted(page, rules, version) ? [blob] : [];
  });
}
