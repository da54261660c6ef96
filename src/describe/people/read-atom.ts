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
  /** Oldest first; what else changed is not known. */
  readonly items: readonly ReadItem[];
  readonly tombstones: readonly Tombstone[];
}

/** A publication; one that is told page by page has no name of its own. */
type ReadItem = Omit<NewsItem, 'id'> & { readonly id: string | undefined };

/** What a feed says of itself, before its entries. */
export interface FeedHead {
  readonly self: string | undefined;
  /** Hubs of WebSub. */
  readonly hubs: readonly string[];
  /** Milliseconds since 1970. */
  readonly updated: number | undefined;
}

/** What is told of each element: the names of those around it end with its own. */
interface FeedListener {
  readonly open: (path: readonly string[], attributes: Readonly<Record<string, string>>) => void;
  readonly close: (path: readonly string[], text: string) => void;
}

/** Tells what the elements of a feed say, one after another; returns whether all of the text is XML. */
function readElements(text: string, { open, close }: FeedListener): boolean {
  const parser = new SaxesParser();
  const path: string[] = [];
  let content = '';
  let isXml = true;
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    path.push(name);
    content = '';
    open(path, attributes);
  });
  parser.on('text', (piece) => {
    content += piece;
  });
  parser.on('closetag', () => {
    close(path, content);
    path.pop();
  });
  parser.on('error', () => {
    isXml = false;
  });
  parser.write(text).close();
  return isXml;
}

/** Reads what a feed, anybody's, says of itself; undefined where it is no XML. */
export function readFeedHead(text: string): FeedHead | undefined {
  const hubs: string[] = [];
  let self: string | undefined;
  let updated: number | undefined;
  const isXml = readElements(text, {
    open(path, { rel, href }) {
      if (path.length !== 2 || path[1] !== 'link' || href === undefined) return;
      if (rel === 'hub') hubs.push(href);
      if (rel === 'self') self ??= href;
    },
    close(path, content) {
      if (path.length === 2 && path[1] === 'updated') updated ??= parseDatetime(content.trim())?.getTime();
    },
  });
  return isXml ? { self, hubs, updated } : undefined;
}

interface Entry {
  id?: string;
  updated?: string;
  counts: Counts;
  /** Of an entry about one page, what happened to it. */
  change?: keyof Counts | undefined;
  /** Where it leads. */
  link?: Pick<PageChange, 'uri' | 'title'>;
  excerpt?: string;
}

/**
 * Reads a feed of ours; undefined where it is no XML.
 *
 * @param url of the site, with a trailing slash; what is not below it is left out
 */
export function readFeedText(text: string, url: string): ReadFeed | undefined {
  const entries: Entry[] = [];
  const tombstones: Tombstone[] = [];
  let entry: Entry | undefined;
  const isXml = readElements(text, {
    open(path, attributes) {
      const name = path.at(-1);
      if (name === 'entry') entry = { counts: NO_COUNTS };
      else if (name === 'at:deleted-entry') tombstones.push(...readTombstone(attributes));
      else if (entry !== undefined) takeElement(entry, path, attributes);
    },
    close(path, content) {
      if (entry === undefined) return;
      const name = path.at(-1);
      if (path.includes('content') && name === 'q') entry.excerpt = content;
      if (path.at(-2) === 'entry' && (name === 'id' || name === 'updated')) entry[name] = content;
      if (name !== 'entry') return;
      entries.push(entry);
      entry = undefined;
    },
  });
  return isXml ? { items: groupEntries(entries, url), tombstones } : undefined;
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
  const { rel, href = '', title, term, label = '', change } = attributes;
  switch (path.slice(path.lastIndexOf('entry') + 1).join(' ')) {
    case 'link':
      if (rel === 'related' || rel === 'alternate') entry.link ??= { uri: href, title };
      return;
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
function groupEntries(entries: readonly Entry[], url: string): ReadItem[] {
  const groups = new Map<number, { readonly own: Entry | undefined; readonly pages: PageChange[] }>();
  for (const entry of entries) {
    const moment = parseDatetime(entry.updated ?? '')?.getTime();
    if (moment === undefined) continue;
    const { change, id, link, excerpt } = entry;
    const group = groups.get(moment) ?? { own: change === undefined ? entry : undefined, pages: [] };
    groups.set(moment, group);
    if (change !== undefined && id !== undefined && link?.uri.startsWith(url))
      group.pages.push({ ...link, change, id, excerpt });
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([moment, { own, pages }]) => ({
      datetime: new Date(moment),
      id: own?.id,
      pages,
      counts: own === undefined || countAll(own.counts) === 0 ? tally(pages) : own.counts,
      unseen: [],
      others: undefined,
    }));
}
