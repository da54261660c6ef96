/** Looks at the pages that a publication changed: how each change is named for ever, and whether readers see it. */

import { hash } from 'node:crypto';
import { groupBy } from '../../../base/group.js';
import { findExcerpt } from '../../../diff/text/excerpt.js';
import { judgeNoindex } from '../../../files/page/facts/noindex.js';
import type { PageRecord } from '../../../files/page/record.js';
import { cleanText } from '../../../standard/xml/markup.js';
import { type Counts, type FileChange, type NewsItem, type PageChange, tally } from '../log.js';
import { cleanTitle } from '../markup.js';

/** A change of a page that may be news. */
export type Candidate = Omit<PageChange, 'title' | 'excerpt'>;

/** A publication, and what is to be found out about it. */
export interface Examined<C extends Candidate = Candidate> {
  readonly datetime: Date;
  readonly id: string;
  readonly candidates: readonly C[];
  /** Other files that it changed. */
  readonly others: readonly FileChange[];
}

export interface ExamineRules {
  /** So many pages are named of one publication. */
  readonly limit: number;
  /** True if pages whose text changed are quoted. */
  readonly excerpts: boolean;
}

/**
 * Up to this many pages of one publication are read; if there are more, all count as news. A new name of a stylesheet changes
 * every page of a site, with most publications; each page takes a third of a millisecond.
 */
export const EXAMINED_PAGES = 5000;
/** Most pages that are quoted of one publication: finding the words takes long. */
const QUOTED_PAGES = 8;

/** Reads the pages of a publication. */
export interface PageReader<C extends Candidate> {
  /** The bytes of a page before or after a change, or undefined if they are not available. */
  readonly read: (
    version: 'before' | 'after',
    candidate: C,
  ) => Promise<Uint8Array | undefined> | Uint8Array | undefined;
  /** The record of a version; undefined if the page is too long. */
  readonly recordOf: (version: 'before' | 'after', candidate: C, bytes: Uint8Array) => PageRecord | undefined;
}

/**
 * Looks at one publication. What is found depends on this publication alone, so that it is the same in every run.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function examine<C extends Candidate>(
  item: Examined<C>,
  rules: ExamineRules,
  { read, recordOf }: PageReader<C>,
): Promise<NewsItem> {
  const pages: PageChange[] = [];
  const unseen: string[] = [];
  let quotes = rules.excerpts ? QUOTED_PAGES : 0;
  for (const candidate of item.candidates) {
    const { uri, change, id } = candidate;
    // In this order: git hands out bytes as they were asked for.
    const before = isWanted(candidate, 'before') ? await read('before', candidate) : undefined;
    const after = isWanted(candidate, 'after') ? await read('after', candidate) : undefined;
    const previous = before && recordOf('before', candidate, before);
    const present = after && recordOf('after', candidate, after);
    if (previous !== undefined && previous.text === present?.text) {
      unseen.push(uri);
      continue;
    }
    const compared = change === 'updated' && before !== undefined && after !== undefined;
    const excerpt = compared && quotes-- > 0 ? quote(before, after) : undefined;
    pages.push({ uri, change, id, title: cleanTitle((present ?? previous)?.title), excerpt });
  }
  return makeItem(item, { pages, unseen }, rules.limit);
}

/** Describes a change. A page that says `noindex`, or did, is not described. */
export function quote(before: Uint8Array, after: Uint8Array): string | undefined {
  if (judgeNoindex(before) || judgeNoindex(after)) return undefined;
  const excerpt = findExcerpt(before, after);
  return excerpt && cleanText(excerpt);
}

/** Which versions are needed of a change. */
export function isWanted({ change }: Pick<Candidate, 'change'>, version: 'before' | 'after'): boolean {
  return change === 'updated' || (version === 'before') === (change === 'deleted');
}

/** Describes a publication whose pages are not read. */
export function makeUnread(item: Examined, limit: number): NewsItem {
  const unread = { title: undefined, excerpt: undefined };
  const pages = item.candidates.map(({ uri, change, id }) => ({ uri, change, id, ...unread }));
  return makeItem(item, { pages, unseen: [] }, limit);
}

export function makeItem(
  { datetime, id, others }: Pick<NewsItem, 'datetime' | 'id' | 'others'>,
  { pages, unseen }: Pick<NewsItem, 'pages' | 'unseen'>,
  limit: number,
): NewsItem {
  const listGone = () => pages.filter(({ change }) => change === 'deleted').map(({ uri }) => uri);
  const shown = pages.length > limit ? { pages: [], unseen: [], gone: listGone() } : { pages, unseen };
  return { datetime, id, ...shown, counts: tally(pages), others };
}

interface Change {
  readonly uri: string;
  readonly datetime: Date;
  readonly change: keyof Counts;
}

/**
 * Groups changes by their moments, oldest first, and separates pages, in the order of their URLs, from other files. A URL may be in
 * several sets; it counts once.
 *
 * @param lists changes, set by set
 */
export function groupByMoment<T extends Change>(
  lists: readonly (readonly T[])[],
  isPage: (change: T) => boolean,
): { readonly datetime: Date; readonly pages: readonly T[]; readonly others: readonly T[] }[] {
  const groups = new Map<number, Map<string, T>>();
  for (const change of lists.flat()) {
    const moment = change.datetime.getTime();
    const group = groups.get(moment) ?? new Map<string, T>();
    groups.set(moment, group.set(change.uri, change));
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([moment, byUri]) => {
      const changes = [...byUri.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
      const kinds = groupBy(changes, isPage);
      const [pages = [], others = []] = [kinds.get(true), kinds.get(false)];
      return { datetime: new Date(moment), pages, others };
    });
}

/** The namespace of URLs (RFC 9562 §6.6), as bytes. */
const NAMESPACE = '6ba7b8111dad11d180b400c04fd430c8';

/** A name-based UUID (RFC 9562 §5.5). */
export function makeId(...facts: readonly string[]): string {
  const digest = hash('sha1', Buffer.concat([Buffer.from(NAMESPACE, 'hex'), Buffer.from(facts.join('\n'))]));
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const uuid = `${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(18, 32)}`;
  return `urn:uuid:${uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** Ids of changes. A change that happens again, such as a correction after it was undone, gets an id of its own. */
export class ChangeIds {
  readonly #used = new Set<string>();

  make(...facts: readonly string[]): string {
    for (let time = 1; ; time++) {
      const id = time === 1 ? makeId(...facts) : makeId(...facts, String(time));
      if (this.#used.has(id)) continue;
      this.#used.add(id);
      return id;
    }
  }
}
