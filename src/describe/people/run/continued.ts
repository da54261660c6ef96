/** What the publications of the live site did to its pages, continued: what was said before is said again. */

import type { Config } from '../../../config/config.js';
import { judgeType } from '../../../diff/content.js';
import type { KnownSite } from '../../../diff/run/past.js';
import { findPastOnline } from '../../../diff/run/past-online.js';
import type { KnownHistory } from '../../../history/known.js';
import type { PublishedHistory } from '../../../history/live/published.js';
import { refuseUnreadable } from '../../../history/live/refusals.js';
import { FEED, pathOfOlder } from '../../../paths/ours.js';
import { guessPath } from '../../../paths/urls.js';
import { readUnchanged } from '../../../site/scan/beginning.js';
import type { ChangeEvent } from '../../../standard/model.js';
import {
  buryDeleted,
  countAll,
  cutNews,
  type FeedArchive,
  type News,
  type NewsItem,
  type Tombstone,
  tally,
  weigh,
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
  readTitle,
  startNaming,
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
  const live = history.feed && readLive(history.feed.text, FEED, config);
  const past = (history.feed?.archives ?? []).map((text, index) => ({
    text,
    ...readLive(text, pathOfOlder(FEED, index), config),
  }));
  const groups = groupEvents(place);
  const isNew = ({ datetime }: Group) => known.pending && datetime.getTime() === known.at.getTime();
  const before = groups.filter((group) => !isNew(group));
  const feeds = [...past, ...(live === undefined ? [] : [live])];
  const taken = feeds.flatMap(({ items, tombstones }) => [
    ...items.flatMap(({ pages }) => pages),
    ...tombstones,
  ]);
  const name = startNaming(taken.map(({ id }) => id));
  const told =
    live === undefined
      ? before.map((group) => makeUnread(nameEvents(group, name), rules.limit))
      : joinOthers(live.items, groups, isNew);
  const now = await Promise.all(groups.filter(isNew).map((group) => tellNew(place, group, rules, name)));
  const news = putAway([...told, ...now], { past, tombstones: live?.tombstones ?? [] }, rules);
  return live === undefined ? { ...news, recent: entitle(place, news.recent) } : news;
}

function readLive(
  text: string,
  path: string,
  { url }: Config,
): Pick<Required<FeedArchive>, 'items' | 'tombstones'> {
  const { items, tombstones } = readFeedText(text, url) ?? refuseUnreadable(url + path, 'it is not whole');
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
type Name = ReturnType<typeof startNaming>;

/** @param formers digests of what was there before, by URL */
function nameEvents(
  { datetime, others, pages }: Group,
  name: Name,
  formers: ReadonlyMap<string, string> = new Map(),
): Examined {
  const candidates = pages.map((event) => {
    const hash = event.change === 'deleted' ? '' : (event.representation.hash ?? '');
    const id = name(event.uri, event.change, formers.get(event.uri) ?? '', hash);
    return { uri: event.uri, change: event.change, id };
  });
  return { datetime, others, candidates, id: makeId(...candidates.map(({ id }) => id)) };
}

/** Of what is only listed, the titles are those that the site has now. */
function entitle(place: Place, items: readonly NewsItem[]): NewsItem[] {
  const read = startReadingPresent(place);
  const titleOf = (uri: string) => {
    const page = read(uri);
    return page && readTitle(page);
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
async function tellNew(place: Place, group: Group, rules: ExamineRules, name: Name): Promise<NewsItem> {
  const { config, scanned, history } = place;
  if (config.feed === undefined) return makeUnread(nameEvents(group, name), rules.limit);
  const past = findPastOnline(config, scanned, history);
  const formers = new Map(
    [...history.sets.values()].flatMap(({ resources }) =>
      group.pages.flatMap(({ uri }) => {
        const former = resources.get(uri);
        return former === undefined ? [] : [[uri, former.hash] as const];
      }),
    ),
  );
  const named = nameEvents(group, name, formers);
  const uris = named.candidates.filter((one) => isWanted(one, rules, 'before')).map(({ uri }) => uri);
  const readPresent = startReadingPresent(place);
  const reader = past.startReading(uris.length <= past.readLimit ? uris : []);
  try {
    return await examine(named, rules, (version, { uri }) =>
      version === 'before' ? reader.readNext() : readPresent(uri),
    );
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

/** Puts away what is old, and takes out what is gone: so the next run, which reads this back, finds the same. */
function putAway(
  items: readonly NewsItem[],
  { past, tombstones }: { readonly past: readonly FeedArchive[]; readonly tombstones: readonly Tombstone[] },
  { limit }: ExamineRules,
): News {
  const weights = items.map(({ counts }) => (countAll(counts) === 0 ? 0 : weigh(countAll(counts), limit)));
  const ends = cutNews(weights, limit);
  const archives = ends.map((end, index): FeedArchive => {
    const { left, buried } = bury(items.slice(ends[index - 1] ?? 0, end));
    const told = left.filter(({ counts }) => countAll(counts) > 0);
    return {
      items: told.map((item) => ({
        ...item,
        pages: item.pages.map((page) => ({ ...page, excerpt: undefined })),
        unseen: [],
        others: undefined,
      })),
      tombstones: buried,
    };
  });
  const { left, buried } = bury(items.slice(ends.at(-1) ?? 0));
  // What no feed tells of is known from the lists only, and those reach back further.
  const first = Math.max(
    0,
    left.findIndex(({ counts }) => countAll(counts) > 0),
  );
  const recent = left.slice(first);
  const since = recent[0]?.datetime ?? new Date(0);
  // The names of what is gone are put away, too, and not forgotten: nothing else may ever get them.
  const [newest] = archives.slice(-1);
  if (newest === undefined) return { archives: past, recent, tombstones: [...tombstones, ...buried] };
  const old = tombstones.filter(({ when }) => when < since);
  return {
    archives: [
      ...past,
      ...archives.slice(0, -1),
      { ...newest, tombstones: [...old, ...(newest.tombstones ?? [])] },
    ],
    recent,
    tombstones: [...tombstones.filter(({ when }) => when >= since), ...buried],
  };
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
