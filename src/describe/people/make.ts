/** Makes the files for people: the page and the feed. Pure. */

import { findUri } from '../../base/columns/rows.js';
import type { FeedConfig, PageConfig, Parts } from '../../config/config.js';
import type { PageLanguage } from '../../config/options.js';
import { FEED, PAGE, pathOfDocument } from '../../paths/ours.js';
import { makeUri, type UrlStyle } from '../../paths/urls.js';
import type { NewDocument } from '../document.js';
import type { DescribedSet } from '../plan/documents.js';
import { renderFeed } from './atom.js';
import { countAll, type News } from './log.js';
import type { Addresses } from './markup.js';
import { renderPage, type SetFacts, type VersionOf } from './page.js';
import { LANGUAGES } from './words.js';

export interface PeopleInput {
  readonly url: string;
  readonly urls: UrlStyle;
  readonly page: PageConfig | undefined;
  readonly feed: FeedConfig | undefined;
  readonly lang: PageLanguage;
  readonly hub: string | undefined;
  readonly source: Pick<Parts, 'description' | 'isJoined' | 'joined'>;
  readonly sets: readonly Pick<DescribedSet, 'name' | 'resources' | 'changes'>[];
  readonly documents: readonly string[];
  readonly news: News;
  readonly name: string;
  /** The moment since which changes are known, or undefined if there is no history. */
  readonly from: Date | undefined;
  readonly at: Date;
}

export function makePeopleFiles(input: PeopleInput): NewDocument[] {
  const { url, urls, page, feed } = input;
  const addresses: Addresses = {
    url,
    home: makeUri(url, 'index.html', urls),
    page: page && makeUri(url, PAGE, urls),
    feed: feed && url + FEED,
  };
  const entries = input.news.recent.reduce((sum, { counts }) => sum + countAll(counts), 0);
  const files: NewDocument[] = [];
  if (feed !== undefined) {
    const content = [makeFeed(input, addresses, feed)];
    files.push({ path: FEED, uri: url + FEED, kind: 'feed', entries, content });
  }
  if (page !== undefined) {
    const content = [makePage(input, addresses, page)];
    files.push({ path: PAGE, uri: makeUri(url, PAGE, urls), kind: 'page', entries, content });
  }
  return files;
}

function makeFeed(
  { url, lang, hub, sets, documents, news, from, at }: PeopleInput,
  addresses: Addresses,
  { title }: FeedConfig,
): string {
  const lists = sets.flatMap(({ name }) =>
    (['changelist', 'changelist-archive'] as const).map((kind) => pathOfDocument(name, kind)),
  );
  return renderFeed({
    addresses,
    title,
    language: LANGUAGES[lang],
    from: from ?? at,
    hub,
    news,
    lists: lists.filter((path) => documents.includes(path)).map((path) => url + path),
  });
}

function makePage(input: PeopleInput, addresses: Addresses, { stylesheet }: PageConfig): string {
  const { feed, lang, source, name, news, sets, documents, from } = input;
  return renderPage({
    isThere: (uri) => sets.some(({ resources }) => findUri(resources, uri) >= 0),
    versionOf: findVersions(sets),
    addresses,
    name,
    feedTitle: feed?.title,
    stylesheet,
    language: LANGUAGES[lang],
    sets: sets.map(describeSet),
    source,
    documents,
    news,
    from,
  });
}

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
