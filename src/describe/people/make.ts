/** Makes the files for people: the page and the feed. Pure. */

import { findUri } from '../../base/columns/rows.js';
import type { Config } from '../../config/config.js';
import { FEED, PAGE, pathOfDocument } from '../../paths/ours.js';
import { makeUri } from '../../paths/urls.js';
import type { NewDocument } from '../document.js';
import type { DescribedSet } from '../plan/documents.js';
import { type RenderedFeed, renderFeed } from './atom.js';
import { countEntries, type News } from './log.js';
import type { Addresses } from './markup.js';
import { renderPage, type SetFacts, type VersionOf } from './page.js';
import { LANGUAGES } from './words.js';

interface PeopleInput {
  readonly sets: readonly DescribedSet[];
  readonly documents: readonly string[];
  readonly news: News;
  readonly name: string;
  /** The moment since which changes are known, or undefined if there is no history. */
  readonly from: Date | undefined;
  readonly at: Date;
}

export function makePeopleFiles(config: Config, input: PeopleInput): NewDocument[] {
  const { url, urls, page, feed } = config;
  const addresses: Addresses = {
    url,
    home: makeUri(url, 'index.html', urls),
    page: page && makeUri(url, PAGE, urls),
    feed: feed && url + FEED,
  };
  const files: NewDocument[] = [];
  if (feed !== undefined) {
    const { text, entries } = makeFeed(config, feed.title, input, addresses);
    files.push({ path: FEED, uri: url + FEED, kind: 'feed', entries, content: [text] });
  }
  if (page !== undefined) {
    const entries = input.news.recent.reduce((sum, item) => sum + countEntries(item), 0);
    const content = [makePage(config, input, addresses)];
    files.push({ path: PAGE, uri: makeUri(url, PAGE, urls), kind: 'page', entries, content });
  }
  return files;
}

function makeFeed(
  { url, lang, hub }: Config,
  title: string,
  { sets, documents, news, from, at }: PeopleInput,
  addresses: Addresses,
): RenderedFeed {
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

function makePage(config: Config, input: PeopleInput, addresses: Addresses): string {
  const { name, news, sets, documents, from } = input;
  return renderPage({
    isThere: (uri) => sets.some(({ resources }) => findUri(resources, uri) >= 0),
    versionOf: findVersions(sets),
    addresses,
    name,
    feedTitle: config.feed?.title,
    stylesheet: config.page?.stylesheet,
    language: LANGUAGES[config.lang],
    sets: sets.map(describeSet),
    source: config,
    documents,
    news,
    from,
  });
}

function findVersions(sets: readonly DescribedSet[]): VersionOf {
  const versions = new Map<string, string>();
  const keyOf = (uri: string, datetime: Date) => `${datetime.getTime()} ${uri}`;
  for (const event of sets.flatMap(({ changes = [] }) => changes.flatMap((list) => list.changes))) {
    const links = event.change === 'deleted' ? undefined : event.links;
    const memento = links?.find(({ rel }) => rel === 'memento');
    if (memento !== undefined) versions.set(keyOf(event.uri, event.datetime), memento.href);
  }
  return (uri, datetime) => versions.get(keyOf(uri, datetime));
}

function describeSet({ name, resources, changes }: DescribedSet): SetFacts {
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
