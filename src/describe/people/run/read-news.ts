/** Reads news for the page and the feed, and the name of the site. */

import { existsSync } from 'node:fs';
import { mapRows } from '../../../base/columns/rows.js';
import { getOrInsert } from '../../../base/group.js';
import type { PageConfig } from '../../../config/config.js';
import type { SiteWithHistory } from '../../../diff/run/past.js';
import type { SiteAddress } from '../../../diff/run/past-online.js';
import { type PagePlace, PageVersions } from '../../../diff/run/versions.js';
import { holdsExcerpt } from '../../../diff/text/excerpt.js';
import { readUnchanged } from '../../../files/beginning.js';
import { judgeNoindex } from '../../../files/page/facts/noindex.js';
import { PAGE_LIMIT, readTitle } from '../../../files/page/page.js';
import { readPageHead } from '../../../files/page/page-head.js';
import { RULES_BYTES, readTagRules } from '../../../files/page/robots-tag.js';
import { attributeOf } from '../../../files/page/tokens.js';
import type { SiteHistory, UriChange } from '../../../history/plan/derive.js';
import { HOST_RULES } from '../../../paths/host-rules.js';
import type { ScannedSite } from '../../../site/scanned.js';
import { judgeType } from '../../../standard/content.js';
import { cleanText } from '../../../standard/xml/markup.js';
import type { ShownPages } from '../../sitemap/pages.js';
import {
  countEntries,
  type News,
  type NewsItem,
  type PageChange,
  takeNewest,
  withholdTitles,
} from '../log.js';
import { cleanTitle } from '../markup.js';
import {
  ChangeIds,
  EXAMINED_PAGES,
  type Examined,
  type ExamineRules,
  examine,
  groupByMoment,
  listVersions,
  makeId,
  makeUnread,
} from './examine.js';
import { readPublishedNews } from './published.js';

interface NewsPlace extends SiteWithHistory {
  /** Pages that a search engine may show, with dates; awaited only if the live site keeps the history. */
  readonly shown: Promise<ShownPages | undefined>;
}

interface NewsRules extends ExamineRules {
  readonly address: SiteAddress;
  readonly withdrawn: (uri: string) => boolean;
}

/** Reads news from the history; nothing without one. @throws ResyncError `git-failed`, `file-changing`, `live-foreign` */
export async function readNews(place: NewsPlace, rules: NewsRules): Promise<News> {
  return withholdTitles(await keepExcerpts(place, await readAllNews(place, rules), rules), rules.withdrawn);
}

async function readAllNews(
  { site, scanned, history, timeline, records, shown }: NewsPlace,
  rules: NewsRules,
): Promise<News> {
  if (history?.kind === 'git' && timeline?.committed !== undefined) {
    return await readCommittedNews({ site, scanned, history, records }, timeline.committed, rules);
  }
  if (history?.kind === 'published' && timeline !== undefined) {
    const pages = await shown;
    const place = { site, scanned, history, timeline, address: rules.address };
    if (pages?.dates !== undefined) {
      return await readPublishedNews(
        place,
        { ...pages.dates, shown: new Set(mapRows(pages.pages, ({ uri }) => uri)) },
        rules,
      );
    }
  }
  return { recent: [], hasOlder: false };
}

/** Drops quotations from pages that no longer have these words, or that may not be quoted any more. */
async function keepExcerpts(place: SiteWithHistory, news: News, rules: NewsRules): Promise<News> {
  const quoted = news.recent.flatMap(({ pages }) => pages.filter(({ excerpt }) => excerpt !== undefined));
  const uris = new Set(rules.excerpts ? quoted.map(({ uri }) => uri) : []);
  const open = await readOpenPages(place, uris, rules);
  const keep = ({ uri, excerpt }: PageChange): string | undefined => {
    const page = open.get(uri);
    const isThere = page !== undefined && excerpt !== undefined && holdsExcerpt(page, excerpt, cleanText);
    return isThere ? excerpt : undefined;
  };
  const recent = news.recent.map((item) => ({
    ...item,
    pages: item.pages.map((page) => ({ ...page, excerpt: keep(page) })),
  }));
  return quoted.length === 0 ? news : { ...news, recent };
}

/** Finds the name of the site: from the configuration, the start page or the URL. @throws ResyncError `file-changing` */
export async function readSiteName(
  place: SiteWithHistory,
  { title, place: fallback }: PageConfig,
  rules: OpenRules,
): Promise<string> {
  if (title !== undefined) return title;
  const home = place.scanned.uriOf('index.html');
  const open = await readOpenPages(place, new Set(home === undefined ? [] : [home]), rules);
  const [start] = open.values();
  if (start === undefined) return fallback;
  const { head } = readPageHead(start);
  const meta = head.elements.find(
    (element) => attributeOf(element, 'property')?.trim().toLowerCase() === 'og:site_name',
  );
  const said = cleanTitle(meta && attributeOf(meta, 'content'));
  return said ?? cleanTitle(readTitle(head)) ?? fallback;
}

type OpenRules = Pick<NewsRules, 'address' | 'withdrawn'>;

/** Reads pages that may be quoted: in a set of this build, not withdrawn, and without `noindex`, also in `_headers`. */
async function readOpenPages(
  { site, scanned }: SiteWithHistory,
  uris: ReadonlySet<string>,
  { address, withdrawn }: OpenRules,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const pages = new Map<string, Uint8Array>();
  if (uris.size === 0) return pages;
  const rules = existsSync(`${site}/${HOST_RULES}`)
    ? Buffer.from(readUnchanged(site, HOST_RULES))
    : undefined;
  const hasTag = rules && readTagRules(rules.toString('latin1', 0, RULES_BYTES), address.url);
  for (const [index, { uri, path }] of scanned.files.entries()) {
    if (!uris.has(uri) || withdrawn(uri) || hasTag?.(uri) === true) continue;
    if (!scanned.sets.some(({ name, holds }) => name === undefined || holds(path))) continue;
    const length = scanned.resources.at(index)?.length ?? 0;
    const page = length <= PAGE_LIMIT ? readUnchanged(site, path, length) : undefined;
    if (page !== undefined && !judgeNoindex(page)) pages.set(uri, page);
  }
  return pages;
}

/** Limit of changed pages that a run examines to fill the feed, back from the newest. Readers may see no change in most. */
const EXAMINED_IN_ALL = 20_000;
/** Number of changed pages that are examined at once, before the feed is looked at again. */
const BATCH_PAGES = 200;

/** Reads news from git: the newest publications that fit the feed. @throws ResyncError `git-failed`, `file-changing` */
export async function readCommittedNews(
  place: PagePlace,
  committed: SiteHistory,
  rules: ExamineRules,
): Promise<News> {
  const groups = groupByPublication(committed, place.scanned);
  const within = takeNewest(groups, EXAMINED_IN_ALL, countExamined);
  let items: readonly NewsItem[] = [];
  let recent = items;
  const versions = await PageVersions.open(place);
  try {
    while (items.length < within.length && recent.length === items.length) {
      const rest = within.slice(0, within.length - items.length);
      const batch = takeNewest(rest, BATCH_PAGES, countExamined);
      items = [...(await readItems(versions, place, batch, rules)), ...items];
      recent = takeNewest(items, rules.limit, countEntries);
    }
  } finally {
    versions.close();
  }
  return { recent, hasOlder: recent.length < groups.length };
}

function countExamined({ candidates }: Examined): number {
  return candidates.length > EXAMINED_PAGES ? 0 : candidates.length;
}

function groupByPublication({ sets }: SiteHistory, { typeOf }: ScannedSite): Examined[] {
  const ids = new ChangeIds();
  const kinds = new Map<string, boolean>();
  const isPage = (change: UriChange) => {
    const { path } = change.change === 'deleted' ? change.previous : change.file;
    const extension = path.slice(path.lastIndexOf('/') + 1).replace(/^[^.]*/, '');
    return getOrInsert(kinds, extension, () => judgeType(typeOf(path)) === 'page');
  };
  const lists = sets.map(({ changes }) => changes);
  return groupByMoment(lists, isPage).map(({ datetime, pages, others }) => {
    const candidates = pages.map((page) => {
      const { uri, change } = page;
      const before = page.previous?.blob;
      const after = page.file?.blob;
      return { uri, change, id: ids.make(uri, change, before, after), before, after };
    });
    return { datetime, id: makeId(...candidates.map(({ id }) => id)), candidates, others };
  });
}

async function readItems(
  versions: PageVersions,
  { records }: PagePlace,
  groups: readonly Examined[],
  rules: ExamineRules,
): Promise<NewsItem[]> {
  const examined = groups.filter((group) => countExamined(group) > 0);
  versions.ask(examined.flatMap(({ candidates }) => candidates.flatMap(listVersions)));
  const items: NewsItem[] = [];
  for (const group of groups) {
    const isExamined = countExamined(group) > 0;
    items.push(isExamined ? await examine(group, rules, versions, records) : makeUnread(group, rules.limit));
  }
  return items;
}
