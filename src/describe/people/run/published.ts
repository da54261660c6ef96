/** Reads news of pages from the live Change Lists and the live `pages.json`. */

import { formatDatetime } from '../../../base/datetime.js';
import { groupBy } from '../../../base/group.js';
import { findPastOnline } from '../../../diff/run/past-online.js';
import type { PageDates } from '../../../diff/run/text-dates.js';
import { readUnchanged } from '../../../files/beginning.js';
import type { Timeline } from '../../../history/history.js';
import type { PublishedHistory } from '../../../history/live/published.js';
import { guessPath } from '../../../paths/urls.js';
import { judgeType } from '../../../standard/content.js';
import type { ChangeEvent } from '../../../standard/model.js';
import type { PlannedRun } from '../../feature.js';
import { type News, type NewsItem, type PageChange, takeNewest } from '../log.js';
import { cleanTitle } from '../markup.js';
import { type ExamineRules, groupByMoment, makeId, makeItem, quote } from './examine.js';

interface LiveRun extends PlannedRun {
  readonly history: PublishedHistory;
  readonly timeline: Timeline;
}

interface DatedPages extends PageDates {
  readonly shown: ReadonlySet<string>;
}

/** Limit of live pages that a run fetches to quote what changed in them. */
const QUOTED_PAGES = 50;

/** Reads news of a live site: each page, also a deleted one, at its newest change only. @throws ResyncError `file-changing`, `live-foreign` */
export async function readPublishedNews(run: LiveRun, pages: DatedPages, rules: ExamineRules): Promise<News> {
  const events = groupEvents(run);
  const changed = listChanged(run, events, pages);
  const excerpts = rules.excerpts ? await readExcerpts(run, changed) : undefined;
  const named = groupBy(changed, ({ datetime }) => datetime.getTime());
  const groups = new Map(events.map((group) => [group.datetime.getTime(), group]));
  const dates = new Map(changed.map(({ uri, datetime }) => [uri, datetime]));
  const moments = [...new Set([...named.keys(), ...groups.keys()])].sort((a, b) => a - b);
  const items = moments.map((moment): NewsItem => {
    const datetime = new Date(moment);
    const group = groups.get(moment);
    const listed = (named.get(moment) ?? []).map((page) => ({ ...page, excerpt: excerpts?.get(page.uri) }));
    // An updated page is unseen if its text changed only before; if it changed later, the page appears in that publication.
    const unseen = group?.pages.filter(({ uri, change }) => {
      const date = dates.get(uri);
      return change === 'updated' && pages.shown.has(uri) && (date === undefined || date < datetime);
    });
    const uris = unseen?.map(({ uri }) => uri) ?? [];
    const id = makeId(...listed.map((page) => page.id));
    return makeItem({ datetime, id, others: group?.others }, { pages: listed, unseen: uris }, rules.limit);
  });
  const recent = takeNewest(items, rules.limit);
  return { recent, hasOlder: recent.length < items.length };
}

type Changed = PageChange & { readonly datetime: Date };

/** Lists pages in the order of URLs, each with its newest change: pages with a known date, and deleted ones. */
function listChanged({ scanned }: LiveRun, events: Events, { shown, dates, created }: DatedPages): Changed[] {
  const changed: Changed[] = [];
  const add = (uri: string, change: Changed['change'], datetime: Date, title?: string) => {
    const id = makeId(uri, change, formatDatetime(datetime));
    changed.push({ uri, change, datetime, id, title, excerpt: undefined });
  };
  for (const file of scanned.files) {
    const date = shown.has(file.uri) ? dates.get(file.uri) : undefined;
    if (date === undefined) continue;
    const title = cleanTitle(scanned.facts?.recordOf(file)?.title);
    const isCreated = created.get(file.uri)?.getTime() === date.getTime();
    add(file.uri, isCreated ? 'created' : 'updated', date, title);
  }
  const there = new Set(scanned.files.map(({ uri }) => uri));
  const last = new Map(events.flatMap(({ pages }) => pages.map((event) => [event.uri, event])));
  for (const [uri, { change, datetime }] of last)
    if (change === 'deleted' && !there.has(uri)) add(uri, change, datetime);
  return changed.sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Groups the changes of the live lists, and of this run, by publication. */
function groupEvents({ timeline, scanned, config }: LiveRun) {
  const isPage = (event: ChangeEvent) => {
    const type = event.change === 'deleted' ? undefined : event.representation.type;
    return judgeType(type ?? scanned.typeOf(guessPath(event.uri, config.url))) === 'page';
  };
  const lists = timeline.sets.flatMap(({ lists }) => lists.map(({ changes }) => changes));
  return groupByMoment(lists, isPage);
}

type Events = ReturnType<typeof groupEvents>;

/** Reads quotations by URL: of previous changes from the live `pages.json`, of pending ones by comparison with live pages. */
async function readExcerpts(
  { site, config, scanned, history, timeline }: LiveRun,
  changed: readonly Changed[],
): Promise<ReadonlyMap<string, string>> {
  const excerpts = new Map<string, string>();
  const isNew = ({ datetime }: Changed) => timeline.pending && datetime.getTime() === timeline.at.getTime();
  for (const { uri } of changed.filter((page) => !isNew(page))) {
    const said = history.pages?.byUrl.get(uri)?.excerpt;
    if (said !== undefined) excerpts.set(uri, said);
  }
  const present = new Map(scanned.resources.map((resource) => [resource.uri, resource]));
  const asked = changed
    .filter((page) => page.change === 'updated' && isNew(page))
    .flatMap(({ uri }) => present.get(uri) ?? [])
    .slice(0, QUOTED_PAGES);
  if (asked.length === 0) return excerpts;
  const { openVersions } = findPastOnline(config, scanned, history);
  const reader = await openVersions(asked.map(({ uri }) => uri));
  try {
    for (const { uri, path, length } of asked) {
      const before = await reader.readNext();
      const excerpt = before && quote(before, readUnchanged(site, path, length));
      if (excerpt !== undefined) excerpts.set(uri, excerpt);
    }
  } finally {
    reader.close();
  }
  return excerpts;
}
