/** Finds which changes of pages readers can see. Also groups changes by publication, and makes their permanent ids. */

import { hash } from 'node:crypto';
import { getOrInsert, groupBy } from '../../../base/group.js';
import type { PageVersions } from '../../../diff/run/versions.js';
import { findExcerpt } from '../../../diff/text/excerpt.js';
import { judgeNoindex } from '../../../files/page/facts/noindex.js';
import type { PageRecords } from '../../../files/page/records.js';
import { cleanText } from '../../../standard/xml/markup.js';
import { type FileChange, type NewsItem, type PageChange, tally } from '../log.js';
import { cleanTitle } from '../markup.js';

/** A change of a page that may be news, with the blob ids of the versions before and after it; undefined if there was no page. */
export interface Candidate extends Omit<PageChange, 'title' | 'excerpt'> {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A publication, with its changed pages that are yet to be examined. */
export interface Examined {
  readonly datetime: Date;
  readonly id: string;
  readonly candidates: readonly Candidate[];
  readonly others: readonly FileChange[];
}

export interface ExamineRules {
  /** Limit of named pages of one publication; with more, only their number is reported. */
  readonly limit: number;
  /** True if words that changed in pages are quoted. */
  readonly excerpts: boolean;
}

/** Limit of pages to examine in one publication, at 0.3 ms each. With more, as after a new stylesheet, all are reported. */
export const EXAMINED_PAGES = 5000;
/** Limit of quoted pages of one publication: finding the words takes long. */
const QUOTED_PAGES = 8;

/** Versions of pages, and the records of their texts. */
interface Sources {
  readonly versions: PageVersions;
  readonly records: PageRecords;
}

/** Examines a publication. The result depends on it alone. @throws ResyncError `git-failed`, `file-changing` */
export async function examine(item: Examined, rules: ExamineRules, sources: Sources): Promise<NewsItem> {
  const { candidates } = item;
  if (candidates.length > EXAMINED_PAGES) return makeUnread(item, rules.limit);
  await readTexts(candidates, sources);
  const pages: PageChange[] = [];
  const unseen: string[] = [];
  let quotes = rules.excerpts ? QUOTED_PAGES : 0;
  for (const candidate of candidates) {
    const { uri, change, id, before, after } = candidate;
    const find = (content: string | undefined) =>
      content === undefined ? undefined : sources.records.find({ uri, content });
    const [previous, present] = [find(before), find(after)];
    if (previous !== undefined && previous.text === present?.text) {
      unseen.push(uri);
      continue;
    }
    const compared = previous !== undefined && present !== undefined;
    const excerpt = compared && quotes-- > 0 ? await quoteVersions(candidate, sources) : undefined;
    const title = cleanTitle((present ?? previous)?.title);
    pages.push({ uri, change, id, title, excerpt });
  }
  return makeItem(item, { pages, unseen }, rules.limit);
}

/** Reads versions of pages whose texts have no record yet, and makes the records. */
async function readTexts(candidates: readonly Candidate[], { versions, records }: Sources): Promise<void> {
  const all = candidates.flatMap(({ uri, before, after }) =>
    [before, after].flatMap((content) => (content === undefined ? [] : { uri, content })),
  );
  const unknown = all.filter((version) => records.find(version) === undefined);
  versions.ask(unknown.map(({ content }) => content));
  for (const version of unknown) {
    const bytes = await versions.read(version.content);
    if (bytes !== undefined) records.read(version, bytes);
  }
}

/** Quotes words that are new in the later of two versions of a page in git; undefined if there are none. */
async function quoteVersions(
  { uri, before = '', after = '' }: Candidate,
  { versions, records }: Sources,
): Promise<string | undefined> {
  const excerpt = await records.ask(uri, `quote ${before} ${after}`, async () => {
    versions.ask([before, after]);
    const [previous, present] = [await versions.read(before), await versions.read(after)];
    return previous && present && (quote(previous, present) ?? '');
  });
  return excerpt || undefined;
}

/** Quotes new words of a page; undefined if there are none to quote, or if either version says `noindex`. */
export function quote(before: Uint8Array, after: Uint8Array): string | undefined {
  if (judgeNoindex(before) || judgeNoindex(after)) return undefined;
  const excerpt = findExcerpt(before, after);
  return excerpt && cleanText(excerpt);
}

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

interface Change extends FileChange {
  readonly datetime: Date;
}

/**
 * Groups changes by moment, oldest first, into pages and other files, in the order of URLs. A URL in several sets counts once.
 * @param lists changes, set by set
 */
export function groupByMoment<T extends Change>(
  lists: readonly (readonly T[])[],
  isPage: (change: T) => boolean,
): { readonly datetime: Date; readonly pages: readonly T[]; readonly others: readonly T[] }[] {
  const groups = new Map<number, Map<string, T>>();
  for (const change of lists.flat()) {
    const moment = change.datetime.getTime();
    getOrInsert(groups, moment, () => new Map()).set(change.uri, change);
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

/** The namespace of URLs in name-based UUIDs (RFC 9562 §6.6), in hexadecimal. */
const NAMESPACE = '6ba7b8111dad11d180b400c04fd430c8';

/** Makes a permanent URI from facts: a name-based UUID (RFC 9562 §5.5), the same in every run. */
export function makeId(...facts: readonly (string | undefined)[]): string {
  const digest = hash('sha1', Buffer.concat([Buffer.from(NAMESPACE, 'hex'), Buffer.from(facts.join('\n'))]));
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const uuid = `${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(18, 32)}`;
  return `urn:uuid:${uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** Makes ids of changes. A change that happens again, such as a correction after it was undone, gets an id of its own. */
export class ChangeIds {
  readonly #used = new Set<string>();

  make(...facts: readonly (string | undefined)[]): string {
    for (let time = 1; ; time++) {
      const id = time === 1 ? makeId(...facts) : makeId(...facts, String(time));
      if (this.#used.has(id)) continue;
      this.#used.add(id);
      return id;
    }
  }
}
