/** Reads back a feed that we wrote: what is told of the past where nothing else remembers it. Pure. */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { parseDatetime } from '../../standard/model.js';
import {
  type Counts,
  countAll,
  type NewsItem,
  NO_COUNTS,
  type PageChange,
  type Tombstone,
  tally,
} from './log.js';

/** What a document of the feed tells. */
export interface ReadFeed {
  /** Oldest first; what stands beside the pages is not known. */
  readonly items: readonly NewsItem[];
  readonly tombstones: readonly Tombstone[];
}

/** What a feed says of itself, before its entries. */
export interface FeedHead {
  readonly self: string | undefined;
  /** Hubs of WebSub. */
  readonly hubs: readonly string[];
  /** Milliseconds since 1970. */
  readonly updated: number | undefined;
}

interface Entry {
  id: string;
  updated: string;
  counts: Counts;
  /** Of an entry about one page, what happened to it. */
  change: keyof Counts | undefined;
  links: { uri: string; title: string | undefined; change: keyof Counts | undefined; id: string }[];
}

/** Reads what a feed, anybody's, says of itself; undefined where it is no XML. */
export function readFeedHead(text: string): FeedHead | undefined {
  const parser = new SaxesParser();
  const path: string[] = [];
  const hubs: string[] = [];
  let self: string | undefined;
  let updated: number | undefined;
  let content = '';
  parser.on('opentag', ({ name, attributes: { rel, href } }: SaxesTagPlain) => {
    path.push(name);
    content = '';
    if (path.length !== 2 || name !== 'link' || href === undefined) return;
    if (rel === 'hub') hubs.push(href);
    if (rel === 'self') self ??= href;
  });
  parser.on('text', (piece) => {
    content += piece;
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    if (path.length === 1 && name === 'updated') updated ??= parseDatetime(content.trim())?.getTime();
  });
  return parseAll(parser, text) ? { self, hubs, updated } : undefined;
}

/** Whether all of a text is XML. */
function parseAll(parser: SaxesParser, text: string): boolean {
  let isXml = true;
  parser.on('error', () => {
    isXml = false;
  });
  parser.write(text).close();
  return isXml;
}

/**
 * Reads a feed of ours; undefined where it is no XML.
 *
 * @param url of the site, with a trailing slash; what is not below it is left out
 */
export function readFeedText(text: string, url: string): ReadFeed | undefined {
  const parser = new SaxesParser();
  const entries: Entry[] = [];
  const tombstones: Tombstone[] = [];
  const path: string[] = [];
  let entry: Entry | undefined;
  let content = '';
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    path.push(name);
    content = '';
    if (name === 'entry') entry = { id: '', updated: '', counts: NO_COUNTS, change: undefined, links: [] };
    else if (name === 'at:deleted-entry') tombstones.push(...readTombstone(attributes));
    else if (entry !== undefined) takeElement(entry, path, attributes);
  });
  parser.on('text', (piece) => {
    content += piece;
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    const inEntry = path.at(-1) === 'entry' && entry !== undefined;
    if (inEntry && entry !== undefined && name === 'id') entry.id = content;
    if (inEntry && entry !== undefined && name === 'updated') entry.updated = content;
    if (name !== 'entry' || entry === undefined) return;
    entries.push(entry);
    entry = undefined;
  });
  return parseAll(parser, text) ? { items: groupEntries(entries, url), tombstones } : undefined;
}

function readTombstone({ ref = '', when = '' }: Readonly<Record<string, string>>): Tombstone[] {
  const datetime = parseDatetime(when);
  return datetime === undefined ? [] : [{ id: ref, when: datetime }];
}

function takeElement(
  entry: Entry,
  path: readonly string[],
  attributes: Readonly<Record<string, string>>,
): void {
  const { rel, href = '', title, term, label = '', change, ref = '' } = attributes;
  switch (path.slice(path.lastIndexOf('entry') + 1).join(' ')) {
    case 'link':
      // The other links of a publication lead to what it is about.
      if (rel === 'related' || rel === 'alternate')
        entry.links.push({ uri: href, title, change: undefined, id: '' });
      return;
    case 'link rs:md': {
      const last = entry.links.pop();
      if (last !== undefined) entry.links.push({ ...last, change: readChange(change), id: ref });
      return;
    }
    case 'category': {
      const name = readChange(term);
      if (name !== undefined) entry.counts = { ...entry.counts, [name]: Number(label.replace(/\D/g, '')) };
      return;
    }
    case 'rs:md':
      entry.change = readChange(change);
  }
}

function readChange(text: string | undefined): keyof Counts | undefined {
  return text === 'created' || text === 'updated' || text === 'deleted' ? text : undefined;
}

/** Entries of one moment are of one publication. */
function groupEntries(entries: readonly Entry[], url: string): NewsItem[] {
  const groups = new Map<number, { readonly own: Entry | undefined; readonly pages: PageChange[] }>();
  for (const entry of entries) {
    const moment = parseDatetime(entry.updated)?.getTime();
    if (moment === undefined) continue;
    const isPublication = entry.change === undefined;
    const group = groups.get(moment) ?? { own: isPublication ? entry : undefined, pages: [] };
    groups.set(moment, group);
    const links = isPublication
      ? entry.links
      : entry.links.slice(0, 1).map((link) => ({ ...link, change: entry.change, id: entry.id }));
    for (const { uri, title, change, id } of links) {
      if (change !== undefined && uri.startsWith(url)) group.pages.push({ uri, title, change, id });
    }
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([moment, { own, pages }]) => ({
      datetime: new Date(moment),
      id: own?.id ?? '',
      pages,
      counts: own === undefined || countAll(own.counts) === 0 ? tally(pages) : own.counts,
      others: undefined,
    }));
}
