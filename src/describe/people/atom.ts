/** The feed of changes: Atom (RFC 4287), with tombstones (RFC 6721). Pure. */

import { formatDatetime } from '../../base/datetime.js';
import { OWNER_MARK } from '../../paths/ours.js';
import { RESOURCESYNC } from '../../standard/namespaces.js';
import { Markup, markup } from '../../standard/xml/markup.js';
import { buryDeleted, countAll, listChanges, type News, type NewsItem, type PageChange } from './log.js';
import { type Addresses, showUri } from './markup.js';
import { type Language, writeCounts } from './words.js';

interface FeedInput {
  readonly addresses: Addresses;
  readonly title: string;
  readonly language: Language;
  /** The date of the feed if it has no entries. */
  readonly from: Date;
  /** URL of a WebSub hub. */
  readonly hub?: string | undefined;
  readonly news: News;
  /** URLs of the Change Lists and their archives, for links to older changes. */
  readonly lists: readonly string[];
}

export interface RenderedFeed {
  readonly text: string;
  /** Number of `<entry>` elements. */
  readonly entries: number;
}

export function renderFeed(input: FeedInput): RenderedFeed {
  const { addresses, title, language, from, hub, news, lists } = input;
  const { recent: items, hasOlder } = news;
  const updated = items.findLast(({ counts }) => countAll(counts) > 0)?.datetime ?? from;
  const dead = buryDeleted(items);
  const buried = new Set(dead.map(({ id }) => id));
  const entries = items.toReversed().flatMap((item) => renderItem(input, item, buried));
  const stones = dead.map(
    ({ id, when }) => markup`\n  <at:deleted-entry ref="${id}" when="${formatDatetime(when)}"/>`,
  );
  const link = (rel: string, href: string | undefined, type: string) =>
    href === undefined ? undefined : markup`\n  <link rel="${rel}" type="${type}" href="${href}"/>`;
  const text = markup`<?xml version="1.0" encoding="UTF-8"?>
<!-- ${Markup.asWritten(OWNER_MARK)} -->
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:rs="${RESOURCESYNC}" xml:lang="${language.lang}">
  <id>${addresses.feed}</id>
  <title>${title}</title>
  <updated>${formatDatetime(updated)}</updated>
  <author><name>${title}</name></author>${link('self', addresses.feed, 'application/atom+xml')}${hub === undefined ? undefined : markup`\n  <link rel="hub" href="${hub}"/>`}${link('alternate', addresses.page ?? addresses.url, 'text/html')}${
    hasOlder ? lists.map((uri) => link('related', uri, 'application/xml')) : undefined
  }${stones}${entries}
</feed>
`.toString();
  return { text, entries: entries.length };
}

function renderItem(input: FeedInput, item: NewsItem, buried: ReadonlySet<string>): Markup[] {
  if (item.pages.length === countAll(item.counts)) {
    return item.pages
      .filter(({ id }) => !buried.has(id))
      .map((page) => renderPage(input, item.datetime, page));
  }
  return countAll(item.counts) === 0 ? [] : [renderPublication(input, item)];
}

function renderPage({ addresses, language }: FeedInput, datetime: Date, page: PageChange): Markup {
  const { id, uri, change, title, excerpt } = page;
  const path = showUri(uri, addresses.url);
  const name = title ?? path;
  const isGone = change === 'deleted';
  const moment = formatDatetime(datetime);
  return markup`
  <entry>
    <id>${id}</id>
    <title>${isGone ? language.deleted(name) : name}</title>
    <link rel="${isGone ? 'related' : 'alternate'}" type="text/html" href="${uri}"${title === undefined ? undefined : markup` title="${title}"`}/>
    <updated>${moment}</updated>
    <category term="${change}" label="${language.change[change]}"/>
    ${isGone ? markup`<content>${language.gone(path)}</content>` : markup`<summary>${language.change[change]}: ${path}</summary>`}${excerpt && markup`\n    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p dir="auto"><q>${excerpt}</q></p></div></content>`}
    <rs:md change="${change}" datetime="${moment}"/>
  </entry>`;
}

/** Renders the single entry of a publication with too many pages to name. */
function renderPublication({ addresses, language }: FeedInput, item: NewsItem): Markup {
  const { id, datetime, counts } = item;
  return markup`
  <entry>
    <id>${id}</id>
    <title>${language.pagesChanged(countAll(counts))}: ${writeCounts(language, counts)}</title>
    <link rel="alternate" type="text/html" href="${addresses.page ?? addresses.url}"/>
    <updated>${formatDatetime(datetime)}</updated>${listChanges(counts).map(
      (change) =>
        markup`\n    <category term="${change}" label="${language.numbers[change](counts[change])}"/>`,
    )}
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${writeCounts(language, counts)}</div></content>
    <rs:md datetime="${formatDatetime(datetime)}"/>
  </entry>`;
}
