/** Reads news for the page and the feed, and the name of the site. */

import { findUri, mapRows } from '../../../base/columns/rows.js';
import type { PageConfig } from '../../../config/config.js';
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
import type { PlannedRun } from '../../feature.js';
import { countEntries, type News, type NewsItem, type PageChange, takeNewest } from '../log.js';
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

/** Reads news from the history; returns none without a history. @throws ResyncError `git-failed`, `file-changing`, `live-foreign` */
export async function readNews(run: PlannedRun, rules: ExamineRules): Promise<News> {
  const news = await readAllNews(run, rules);
  const withhold = (page: PageChange) => withholdWords(run, page, rules.excerpts);
  const recent: NewsItem[] = [];
  for (const item of news.recent)
    recent.push({ ...item, pages: await Promise.all(item.pages.map(withhold)) });
  return { ...news, recent };
}

async function readAllNews(run: PlannedRun, rules: ExamineRules): Promise<News> {
  const { history, timeline, shown } = run;
  if (history?.kind === 'git' && timeline?.committed !== undefined)
    return await readCommittedNews({ ...run, history }, timeline.committed, rules);
  if (history?.kind === 'published' && timeline !== undefined && shown?.dates !== undefined) {
    // Loaded only here: this module needs all the code that reads a Source on the web.
    const { readPublishedNews } = await import('./published.js');
    const pages = { ...shown.dates, shown: new Set(mapRows(shown.pages, ({ uri }) => uri)) };
    return await readPublishedNews({ ...run, history, timeline }, pages, rules);
  }
  return { recent: [], hasOlder: false };
}

/**
 * Drops titles and quotations of pages that the option `withdraw` names, and quotations from pages that no longer have these
 * words, or that may not be quoted any more. Their changes are still reported.
 */
async function withholdWords(run: PlannedRun, page: PageChange, excerpts: boolean): Promise<PageChange> {
  const { uri, excerpt } = page;
  if (run.config.withdrawn(uri)) return { ...page, title: undefined, excerpt: undefined };
  if (excerpt === undefined) return page;
  const holds = (bytes: Uint8Array) => (holdsExcerpt(bytes, excerpt, cleanText) ? excerpt : '');
  const question = `holds ${JSON.stringify(excerpt)}`;
  const kept = excerpts ? await askOpenPage(run, uri, question, holds) : '';
  return { ...page, excerpt: kept || undefined };
}

/** Finds the name of the site: from the configuration, the start page or the URL. @throws ResyncError `file-changing` */
export async function readSiteName(run: PlannedRun, { title, place }: PageConfig): Promise<string> {
  if (title !== undefined) return title;
  const home = run.scanned.uriOf('index.html');
  const name = home === undefined ? '' : await askOpenPage(run, home, 'name', findName);
  return name || place;
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
  { config: { withdrawn }, site, scanned, records }: PlannedRun,
  uri: string,
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

/** Reads news from git: the newest publications that fit the feed. @throws ResyncError `git-failed`, `file-changing` */
async function readCommittedNews(
  place: PagePlace,
  { sets }: SiteHistory,
  rules: ExamineRules,
): Promise<News> {
  const lists = sets.map(({ changes }) => changes);
  const publications = identify(groupByMoment(lists, makePageTest(place.scanned)));
  const items: NewsItem[] = [];
  let [pages, entries] = [0, 0];
  const versions = await PageVersions.open(place);
  try {
    for (const publication of publications.toReversed()) {
      const { length } = publication.candidates;
      pages += length > EXAMINED_PAGES ? 0 : length;
      if (pages > EXAMINED_IN_ALL || entries > rules.limit) break;
      const item = await examine(publication, rules, { versions, records: place.records });
      entries += countEntries(item);
      items.push(item);
    }
  } finally {
    versions.close();
  }
  const recent = takeNewest(items.reverse(), rules.limit);
  return { recent, hasOlder: recent.length < publications.length };
}

function makePageTest({ typeOf }: ScannedSite): (change: UriChange) => boolean {
  return (change) => {
    const { path } = change.change === 'deleted' ? change.previous : change.file;
    return judgeType(typeOf(path)) === 'page';
  };
}

/** Gives permanent ids to publications and their changed pages. Numbers equal changes of a page from the first change on. */
function identify(
  groups: readonly (Pick<NewsItem, 'datetime'> & Record<'pages' | 'others', readonly UriChange[]>)[],
): Examined[] {
  const ids = new ChangeIds();
  return groups.map(({ datetime, pages, others }) => {
    const candidates = pages.map(({ uri, change, previous, file }): Candidate => {
      const [before, after] = [previous?.blob, file?.blob];
      return { uri, change, id: ids.make(uri, change, before, after), before, after };
    });
    return { datetime, id: makeId(...candidates.map(({ id }) => id)), candidates, others };
  });
}
