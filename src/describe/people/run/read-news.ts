/** Reads news for the page and the feed, and the name of the site. */

import { findUri, mapRows } from '../../../base/columns/rows.js';
import { getOrInsert, groupBy } from '../../../base/group.js';
import type { PageConfig } from '../../../config/config.js';
import type { SiteWithHistory } from '../../../diff/run/past.js';
import type { SiteAddress } from '../../../diff/run/past-online.js';
import { type PagePlace, PageVersions } from '../../../diff/run/versions.js';
import { holdsExcerpt } from '../../../diff/text/excerpt.js';
import { readUnchanged } from '../../../files/beginning.js';
import { judgeNoindex } from '../../../files/page/facts/noindex.js';
import { PAGE_LIMIT, readTitle } from '../../../files/page/page.js';
import { readPageHead } from '../../../files/page/page-head.js';
import { attributeOf } from '../../../files/page/tokens.js';
import type { SiteHistory, UriChange } from '../../../history/plan/derive.js';
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
  type Candidate,
  ChangeIds,
  EXAMINED_PAGES,
  type Examined,
  type ExamineRules,
  examine,
  groupByMoment,
  makeId,
} from './examine.js';

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
      // Loaded only here: this module needs all the code that reads a Source on the web.
      const { readPublishedNews } = await import('./published.js');
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
  const keep = async (page: PageChange): Promise<PageChange> => {
    const { uri, excerpt } = page;
    if (excerpt === undefined) return page;
    const holds = (bytes: Uint8Array) => (holdsExcerpt(bytes, excerpt, cleanText) ? excerpt : '');
    const question = `holds ${JSON.stringify(excerpt)}`;
    const kept = rules.excerpts ? await askOpenPage(place, uri, rules.withdrawn, question, holds) : '';
    return { ...page, excerpt: kept || undefined };
  };
  const recent: NewsItem[] = [];
  for (const item of news.recent) recent.push({ ...item, pages: await Promise.all(item.pages.map(keep)) });
  return { ...news, recent };
}

/** Finds the name of the site: from the configuration, the start page or the URL. @throws ResyncError `file-changing` */
export async function readSiteName(
  place: SiteWithHistory,
  { title, place: fallback }: PageConfig,
  { withdrawn }: Pick<NewsRules, 'withdrawn'>,
): Promise<string> {
  if (title !== undefined) return title;
  const home = place.scanned.uriOf('index.html');
  const name = home === undefined ? '' : await askOpenPage(place, home, withdrawn, 'name', findName);
  return name || fallback;
}

/** Finds the name that a start page gives to its site; '' if there is none. */
function findName(start: Uint8Array): string {
  const { head } = readPageHead(start);
  const meta = head.elements.find(
    (element) => attributeOf(element, 'property')?.trim().toLowerCase() === 'og:site_name',
  );
  const said = cleanTitle(meta && attributeOf(meta, 'content'));
  return said ?? cleanTitle(readTitle(head)) ?? '';
}

/**
 * Finds text in a page that may be quoted: in a set of this build, not withdrawn, and without `noindex`, also in `_headers`.
 * @returns '' for other pages
 */
async function askOpenPage(
  { site, scanned, records }: SiteWithHistory,
  uri: string,
  withdrawn: NewsRules['withdrawn'],
  question: string,
  answer: (page: Uint8Array) => string,
): Promise<string> {
  const { files, resources, facts } = scanned;
  const place = findUri(files, uri);
  const [file, resource] = [files.at(place), resources.at(place)];
  if (place < 0 || file === undefined || resource === undefined) return '';
  const { path, length } = resource;
  const isHeld = scanned.sets.some(({ name, holds }) => name === undefined || holds(path));
  if (!isHeld || withdrawn(uri) || length > PAGE_LIMIT || facts?.saysNoindex(file) === true) return '';
  const work = () => {
    const page = readUnchanged(site, path, length);
    return judgeNoindex(page) ? '' : answer(page);
  };
  const content = facts?.contentOf(file);
  return content === undefined ? work() : ((await records.ask(uri, `${question} ${content}`, work)) ?? '');
}

/** Limit of changed pages that a run examines to fill the feed, back from the newest. Readers may see no change in most. */
const EXAMINED_IN_ALL = 20_000;
/** Number of changed pages that are examined at once, before the feed is looked at again. */
const BATCH_PAGES = 200;

/** Reads news from git: the newest publications that fit the feed. @throws ResyncError `git-failed`, `file-changing` */
export async function readCommittedNews(
  place: PagePlace,
  { sets }: SiteHistory,
  rules: ExamineRules,
): Promise<News> {
  const changes = sets.flatMap((set) => set.changes);
  const isPage = makePageTest(place.scanned);
  const byMoment = [...groupBy(changes, ({ datetime }) => datetime.getTime())].sort(([a], [b]) => a - b);
  const groupAt = (index: number) => groupByMoment([byMoment[index]?.[1] ?? []], isPage)[0];
  let items: readonly NewsItem[] = [];
  let recent = items;
  let left = EXAMINED_IN_ALL;
  const versions = await PageVersions.open(place);
  try {
    while (recent.length === items.length) {
      const batch = takeBatch(groupAt, byMoment.length - items.length, left);
      if (batch.length === 0) break;
      left -= batch.reduce((sum, group) => sum + countExamined(group), 0);
      const sources = { versions, records: place.records };
      items = [...(await examine(identify(batch, changes, isPage), rules, sources)), ...items];
      recent = takeNewest(items, rules.limit, countEntries);
    }
  } finally {
    versions.close();
  }
  return { recent, hasOlder: recent.length < byMoment.length };
}

interface Group {
  readonly datetime: Date;
  readonly pages: readonly UriChange[];
  readonly others: readonly UriChange[];
}

function countExamined({ pages }: Pick<Group, 'pages'>): number {
  return pages.length > EXAMINED_PAGES ? 0 : pages.length;
}

/** Returns the newest of the first `count` publications whose pages fit a batch: at least one, unless it has more than `left`. */
function takeBatch(groupAt: (index: number) => Group | undefined, count: number, left: number): Group[] {
  const batch: Group[] = [];
  let pages = 0;
  for (let index = count - 1; index >= 0; index--) {
    const group = groupAt(index);
    if (group === undefined) break;
    pages += countExamined(group);
    if (pages > left || (pages > BATCH_PAGES && batch.length > 0)) break;
    batch.unshift(group);
  }
  return batch;
}

function makePageTest({ typeOf }: ScannedSite): (change: UriChange) => boolean {
  const kinds = new Map<string, boolean>();
  return (change) => {
    const { path } = change.change === 'deleted' ? change.previous : change.file;
    const extension = path.slice(path.lastIndexOf('/') + 1).replace(/^[^.]*/, '');
    return getOrInsert(kinds, extension, () => judgeType(typeOf(path)) === 'page');
  };
}

/** Gives permanent ids to changed pages. Equal changes of a page are counted from its first change on. */
function identify(
  groups: readonly Group[],
  changes: readonly UriChange[],
  isPage: (change: UriChange) => boolean,
): Examined[] {
  const uris = new Set(groups.flatMap(({ pages }) => pages.map(({ uri }) => uri)));
  const ids = new ChangeIds();
  const named = groupByMoment([changes.filter(({ uri }) => uris.has(uri))], isPage).map(
    ({ datetime, pages }) => [datetime.getTime(), pages.map((page) => identifyPage(page, ids))] as const,
  );
  const byMoment = new Map(named);
  return groups.map(({ datetime, others }) => {
    const candidates = byMoment.get(datetime.getTime()) ?? [];
    return { datetime, id: makeId(...candidates.map(({ id }) => id)), candidates, others };
  });
}

function identifyPage(page: UriChange, ids: ChangeIds): Candidate {
  const { uri, change } = page;
  const before = page.previous?.blob;
  const after = page.file?.blob;
  return { uri, change, id: ids.make(uri, change, before, after), before, after };
}
