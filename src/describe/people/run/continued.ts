/** What the publications of the live site did to its pages, continued: what was said before is said again. */

import type { Config } from '../../../config/config.js';
import type { KnownSite } from '../../../diff/run/past.js';
import { findPastOnline } from '../../../diff/run/past-online.js';
import type { KnownHistory } from '../../../history/known.js';
import type { PublishedHistory } from '../../../history/live/published.js';
import { refuseUnreadable } from '../../../history/live/refusals.js';
import { FEED } from '../../../paths/ours.js';
import { guessPath } from '../../../paths/urls.js';
import { comparePages } from '../../../site/page/record.js';
import { readUnchanged } from '../../../site/scan/beginning.js';
import { judgeType } from '../../../standard/content.js';
import { type ChangeEvent, formatDatetime } from '../../../standard/model.js';
import {
  buryDeleted,
  countAll,
  countEntries,
  type News,
  type NewsItem,
  type Tombstone,
  takeNewest,
  tally,
} from '../log.js';
import { type ReadFeed, readFeedText } from '../read-atom.js';
import {
  type Examined,
  type ExamineRules,
  examine,
  groupByMoment,
  isWanted,
  makeId,
  makeUnread,
  readShownTitle,
} from './examine.js';

interface Place extends KnownSite {
  readonly history: PublishedHistory;
  readonly known: KnownHistory;
}

/**
 * Tells of what the live site lists and of what its feed told before. The live versions of what is changed now are
 * fetched where there is a feed: without one, nobody would remember what was seen of them.
 *
 * @throws ResyncError `file-changing`, `live-foreign`, `live-unreadable`
 */
export async function readContinuedNews(place: Place, rules: ExamineRules): Promise<News> {
  const { config, history, known } = place;
  const live = history.feed === undefined ? undefined : readLive(history.feed, config);
  const groups = groupEvents(place);
  const isNew = ({ datetime }: Group) => known.pending && datetime.getTime() === known.at.getTime();
  const before = groups.filter((group) => !isNew(group));
  const told =
    live === undefined
      ? before.map((group) => makeUnread(nameEvents(group), rules.limit))
      : joinOthers(live.items, groups, isNew);
  const now = await Promise.all(groups.filter(isNew).map((group) => tellNew(place, group, rules)));
  const { left, buried } = bury([...told, ...now]);
  const recent = dropUntold(takeNewest(left, rules.limit, countEntries));
  const since = recent[0]?.datetime ?? new Date(0);
  const news = {
    recent,
    hasOlder: groups.some(({ datetime }) => datetime < since),
    tombstones: [...(live?.tombstones ?? []), ...buried].filter(({ when }) => when >= since),
  };
  return live === undefined ? { ...news, recent: entitle(place, news.recent) } : news;
}

function readLive(text: string, { url }: Config) {
  const { items, tombstones } = readFeedText(text, url) ?? refuseUnreadable(url + FEED, 'it is not whole');
  // Entries about pages do not tell what their publication is called.
  const withId = (item: ReadFeed['items'][number]): NewsItem => ({
    ...item,
    id: item.id ?? makeId(...item.pages.map(({ id }) => id)),
  });
  return { items: items.map(withId), tombstones };
}

/** What the live lists say of each publication, and what comes after them. */
function groupEvents({ known, scanned, config }: Place) {
  const isPage = (event: ChangeEvent) => {
    const type = event.change === 'deleted' ? undefined : event.representation.type;
    return judgeType(type ?? scanned.typeOf(guessPath(event.uri, config.url))) === 'page';
  };
  const lists = known.sets.flatMap(({ lists }) => lists.map(({ changes }) => changes));
  return groupByMoment(lists, isPage);
}

type Group = ReturnType<typeof groupEvents>[number];

/** Changes are named by their moments: the feed does not remember which names it used for what it has no more. */
function nameEvents({ datetime, others, pages }: Group): Examined {
  const candidates = pages.map(({ uri, change }) => ({
    uri,
    change,
    id: makeId(uri, change, formatDatetime(datetime)),
  }));
  return { datetime, others, candidates, id: makeId(...candidates.map(({ id }) => id)) };
}

/** Of what is only listed, the titles are those that the site has now. */
function entitle(place: Place, items: readonly NewsItem[]): NewsItem[] {
  const read = startReadingPresent(place);
  const titleOf = (uri: string) => {
    const page = read(uri);
    return page && readShownTitle(page);
  };
  return items.map((item) => ({
    ...item,
    pages: item.pages.map((page) => ({ ...page, title: page.title ?? titleOf(page.uri) })),
  }));
}

/** Reads what the site has now at a URL. */
function startReadingPresent({ site, scanned }: Place): (uri: string) => Uint8Array | undefined {
  const present = new Map(scanned.resources.map((resource) => [resource.uri, resource]));
  return (uri) => {
    const file = present.get(uri);
    return file && readUnchanged(site, file.path, file.length);
  };
}

/** Looks at what this run changes. */
async function tellNew(place: Place, group: Group, rules: ExamineRules): Promise<NewsItem> {
  const { config, scanned, history } = place;
  const named = nameEvents(group);
  if (config.feed === undefined) return makeUnread(named, rules.limit);
  const past = findPastOnline(config, scanned, history);
  const uris = named.candidates.filter((one) => isWanted(one, 'before')).map(({ uri }) => uri);
  const readPresent = startReadingPresent(place);
  const reader = past.startReading(uris.length <= past.readLimit ? uris : []);
  try {
    return await examine(named, rules, {
      read: (version, { uri }) => (version === 'before' ? reader.readNext() : readPresent(uri)),
      isNew: ({ uri }, before, after) => comparePages(before, after, { uri, url: config.url }) === 'text',
    });
  } finally {
    reader.close();
  }
}

/** What the feed told, and besides, what the lists say of other files, and of pages that look as before. */
function joinOthers(
  items: readonly NewsItem[],
  groups: readonly Group[],
  isNew: (group: Group) => boolean,
): NewsItem[] {
  const told = new Map(items.map((item) => [item.datetime.getTime(), item]));
  const oldest = items[0]?.datetime.getTime() ?? Number.NEGATIVE_INFINITY;
  const gone = new Set<string>();
  for (const group of groups.toReversed()) {
    const { datetime, others, pages } = group;
    const moment = datetime.getTime();
    const item = told.get(moment) ?? { datetime, id: makeId(), pages: [], counts: tally([]) };
    const named = new Set(item.pages.map(({ uri }) => uri));
    // What the feed told of a page that is gone since, it tells no more.
    const untold = pages.filter(
      ({ uri, change }) => change === 'updated' && !named.has(uri) && !gone.has(uri),
    );
    for (const { uri, change } of pages) if (change === 'deleted') gone.add(uri);
    // Of pages that are not named, it is not known which of them look as before.
    const unseen = named.size < countAll(item.counts) ? [] : untold.map(({ uri }) => uri);
    if (!isNew(group) && (told.has(moment) || moment >= oldest))
      told.set(moment, { ...item, unseen, others });
  }
  return [...told.values()].sort((a, b) => a.datetime.getTime() - b.datetime.getTime());
}

/** Leaves out the oldest ones that no feed tells of: they are known from the lists only, and those reach back further. */
function dropUntold(items: readonly NewsItem[]): readonly NewsItem[] {
  const first = items.findIndex(({ counts }) => countAll(counts) > 0);
  return items.slice(Math.max(0, first));
}

/** Takes out what was told of pages that are gone since. */
function bury(items: readonly NewsItem[]): {
  readonly left: readonly NewsItem[];
  readonly buried: readonly Tombstone[];
} {
  const buried = buryDeleted(items);
  const gone = new Set(buried.map(({ id }) => id));
  // Of what no list has any more, the next run finds nothing but pages.
  const tells = ({ counts, others }: NewsItem) => countAll(counts) > 0 || others !== undefined;
  return { left: items.map((item) => leaveOut(item, gone)).filter(tells), buried };
}

function leaveOut(item: NewsItem, gone: ReadonlySet<string>): NewsItem {
  const pages = item.pages.filter(({ id }) => !gone.has(id));
  if (pages.length === item.pages.length) return item;
  const counts = tally(pages);
  return { ...item, pages, counts };
}
