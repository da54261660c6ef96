/** Reads back a feed that we wrote: what is told of the past where nothing else remembers it. Pure. */

import { readElements } from '../../source/feed.js';
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
