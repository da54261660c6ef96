/** Makes the files for people: the page, the feed, and what is behind each. Pure. */

import type { Config } from '../../config/config.js';
import { FEED, PAGE, pathOfOlder } from '../../paths/ours.js';
import { makeUri } from '../../paths/urls.js';
import type { DescribedSet } from '../plan/documents.js';
import { renderFeed } from './atom.js';
import { countAll, type News, type NewsItem } from './log.js';
import type { Addresses } from './markup.js';
import { renderPages, type SetFacts, type VersionOf } from './page.js';
import { LANGUAGES } from './words.js';

/** A file for people. */
export interface PeopleFile {
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly kind: 'page' | 'feed';
  /** Number of changed pages that it tells of. */
  readonly entries: number;
  readonly text: string;
}

export interface PeopleInput {
  readonly config: Pick<
    Config,
    'url' | 'urls' | 'page' | 'feed' | 'lang' | 'hub' | 'description' | 'isJoined' | 'joined'
  >;
  readonly sets: readonly Pick<DescribedSet, 'name' | 'resources' | 'changes'>[];
  /** All documents, relative to the site. */
  readonly documents: readonly string[];
  readonly news: News;
  /** What the site is called. */
  readonly name: string;
  /** Since when changes are known; undefined where there is no history. */
  readonly from: Date | undefined;
  /** The moment of the snapshot. */
  readonly at: Date;
}

/** Makes all files for people, leaves first. */
export function makePeopleFiles(input: PeopleInput): PeopleFile[] {
  const { url, urls, page, feed } = input.config;
  const addresses: Addresses = {
    url,
    home: makeUri(url, 'index.html', urls),
    page: page && makeUri(url, PAGE, urls),
    feed: feed && url + FEED,
    olderPage: (index) => makeUri(url, pathOfOlder(PAGE, index), urls),
    olderFeed: (index) => url + pathOfOlder(FEED, index),
  };
  return [...makeFeeds(input, addresses), ...makePages(input, addresses)];
}

function makeFeeds({ config, news, from, at }: PeopleInput, addresses: Addresses): PeopleFile[] {
  const { feed, lang, url, hub } = config;
  if (feed === undefined) return [];
  const shared = { addresses, title: feed.title, language: LANGUAGES[lang], from: from ?? at, hub };
  const make = (path: string, items: readonly NewsItem[], text: string) =>
    makeFile('feed', path, url + path, items, text);
  const archives = news.archives.map(({ items, tombstones = [], text }, archive) =>
    make(
      pathOfOlder(FEED, archive),
      items,
      text ?? renderFeed(shared, { items, tombstones, archives: archive, archive }),
    ),
  );
  const { recent: items, tombstones } = news;
  return [
    ...archives,
    make(FEED, items, renderFeed(shared, { items, tombstones, archives: archives.length })),
  ];
}

function makePages(input: PeopleInput, addresses: Addresses): PeopleFile[] {
  const { config, name, news, sets, documents, from } = input;
  const { page, feed, lang, url, urls, description, isJoined, joined } = config;
  if (page === undefined) return [];
  const present = new Set(sets.flatMap(({ resources }) => resources.map(({ uri }) => uri)));
  const { front, older } = renderPages({
    isThere: (uri) => present.has(uri),
    versionOf: findVersions(sets),
    addresses,
    name,
    feedTitle: feed?.title,
    stylesheet: page.stylesheet,
    language: LANGUAGES[lang],
    sets: sets.map(describeSet),
    source: { description, isJoined, joined },
    documents,
    news,
    from,
  });
  const make = (path: string, items: readonly NewsItem[], text: string) =>
    makeFile('page', path, makeUri(url, path, urls), items, text);
  return [
    ...older.map((text, index) =>
      make(pathOfOlder(PAGE, index), news.archives[index]?.items ?? news.recent, text),
    ),
    make(PAGE, news.recent, front),
  ];
}

/** The versions that changes link to. */
function findVersions(sets: PeopleInput['sets']): VersionOf {
  const versions = new Map<string, string>();
  const keyOf = (uri: string, datetime: Date) => `${datetime.getTime()} ${uri}`;
  for (const event of sets.flatMap(({ changes = [] }) => changes.flatMap((list) => list.changes))) {
    const links = event.change === 'deleted' ? undefined : event.links;
    const memento = links?.find(({ rel }) => rel === 'memento');
    if (memento !== undefined) versions.set(keyOf(event.uri, event.datetime), memento.href);
  }
  return (uri, datetime) => versions.get(keyOf(uri, datetime));
}

function makeFile(
  kind: PeopleFile['kind'],
  path: string,
  uri: string,
  items: readonly NewsItem[],
  text: string,
): PeopleFile {
  return { path, uri, kind, entries: items.reduce((sum, { counts }) => sum + countAll(counts), 0), text };
}

function describeSet({ name, resources, changes }: PeopleInput['sets'][number]): SetFacts {
  const newest = changes?.findLast((list) => list.changes.length > 0)?.changes.at(-1)?.datetime;
  let changed = newest?.getTime() ?? Number.NEGATIVE_INFINITY;
  let bytes = 0;
  for (const { length, lastmod } of resources) {
    bytes += length;
    if (lastmod !== undefined && lastmod.getTime() > changed) changed = lastmod.getTime();
  }
  return {
    name,
    resources: resources.length,
    bytes,
    changed: Number.isFinite(changed) ? new Date(changed) : undefined,
  };
}
