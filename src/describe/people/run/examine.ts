/** Looks at the pages that a publication changed: what they are called, and whether readers see a change. */

import { type MarkupReader, makeSeenTest } from '../../../diff/page/kind.js';
import { readPageText } from '../../../diff/page/read.js';
import { findWindow, widenWindow } from '../../../diff/text/window.js';
import { type Counts, type NewsItem, NO_COUNTS, type PageChange, tally } from '../log.js';
import { readTitle } from './title.js';

/** A change of a page, whose versions can be had; what cannot be had is undefined. */
export interface Candidate {
  readonly uri: string;
  readonly change: keyof Counts;
  readonly id: string;
  readonly before: () => Promise<Uint8Array | undefined> | Uint8Array | undefined;
  readonly after: () => Promise<Uint8Array | undefined> | Uint8Array | undefined;
}

/** A publication, and what is to be found out about it. */
export interface Examined {
  readonly datetime: Date;
  readonly id: string;
  readonly candidates: readonly Candidate[];
  /** All files that it changed, pages among them. */
  readonly all: Counts;
}

export interface ExamineRules {
  readonly changes: 'text' | 'bytes';
  /** So many pages are named of one publication. */
  readonly limit: number;
  /** Whether pages are told by their titles. */
  readonly titles: boolean;
}

/**
 * Of one publication, so many pages are looked at; of more, all are taken to be news. A new name of a stylesheet changes
 * every page of a site, with most publications; each page takes a third of a millisecond.
 */
export const EXAMINED_PAGES = 5000;
/** So many of them are read as browsers do, the others more quickly. */
const READ_PAGES = 100;

/**
 * Looks at one publication. What is found depends on this publication alone, so that it is the same in every run.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function examine(
  item: Examined,
  rules: ExamineRules,
  readPage: MarkupReader = readPageText,
): Promise<NewsItem> {
  const isSeen = makeSeenTest(readPage, READ_PAGES);
  const pages: PageChange[] = [];
  for (const candidate of item.candidates) {
    const { uri, change, id } = candidate;
    // In this order: git hands out bytes as they were asked for.
    const before = isWanted(candidate, rules, 'before') ? await candidate.before() : undefined;
    const after = isWanted(candidate, rules, 'after') ? await candidate.after() : undefined;
    const compared =
      change === 'updated' && rules.changes === 'text' && before !== undefined && after !== undefined;
    if (compared && !isSeen(before, after, widenWindow(before, after, findWindow(before, after), 'pieces')))
      continue;
    const present = after ?? before;
    pages.push({ uri, change, id, title: rules.titles && present ? readTitle(present) : undefined });
  }
  return makeItem(item, pages, rules.limit);
}

/** Which versions are needed of a change. */
export function isWanted(
  { change }: Pick<Candidate, 'change'>,
  { changes, titles }: ExamineRules,
  version: 'before' | 'after',
): boolean {
  if (change === 'updated' && changes === 'text') return true;
  return titles && (version === 'before') === (change === 'deleted');
}

/** What is told of a publication of which nobody looks at the pages. */
export function makeUnread(item: Examined, limit: number): NewsItem {
  const pages = item.candidates.map(({ uri, change, id }) => ({ uri, change, id, title: undefined }));
  return makeItem(item, pages, limit);
}

function makeItem({ datetime, id, all }: Examined, pages: readonly PageChange[], limit: number): NewsItem {
  const counts = tally(pages);
  return { datetime, id, pages: pages.length > limit ? [] : pages, counts, others: subtract(all, counts) };
}

export function subtract(all: Counts, some: Counts): Counts {
  return {
    ...NO_COUNTS,
    created: Math.max(0, all.created - some.created),
    updated: Math.max(0, all.updated - some.updated),
    deleted: Math.max(0, all.deleted - some.deleted),
  };
}
