/** What the page and the feed say, in one language. Pure. */

import type { DocumentName } from '../../../paths/ours.js';
import type { Counts } from '../log.js';

/** A count and what is counted: `1 page`, `12 pages`. */
export type Counted = (count: number) => string;

export interface Language {
  readonly lang: string;
  readonly number: (value: number) => string;
  readonly decimal: string;
  readonly date: (day: number, month: number, year: number) => string;
  /** @param time such as `08:15` */
  readonly time: (time: string) => string;
  /** The first two lines. @param site its name */
  readonly lead: (site: string) => readonly [string, string];
  readonly changes: string;
  readonly changesHere: string;
  readonly change: Readonly<Record<keyof Counts, string>>;
  /** A link to what a page was then. */
  readonly version: string;
  readonly pages: Counted;
  /** `2 new, 1 updated` */
  readonly numbers: Readonly<Record<keyof Counts, Counted>>;
  /** @param numbers as above */
  readonly others: (numbers: string) => string;
  readonly pagesChanged: Counted;
  readonly deleted: (title: string) => string;
  readonly gone: (path: string) => string;
  readonly noChanges: (since: string) => string;
  readonly noHistory: readonly [string, string];
  readonly older: string;
  readonly newer: string;
  readonly newest: string;
  readonly olderPage: (number: number) => string;
  readonly oldest: string;
  readonly subscribe: string;
  readonly contents: string;
  readonly set: string;
  readonly everything: string;
  readonly count: string;
  readonly size: string;
  readonly lastChange: string;
  readonly unknown: string;
  readonly copy: string;
  readonly copySteps: readonly [first: string, again: string, check: string];
  readonly documents: string;
  readonly documentsHere: string;
  readonly parts: Counted;
  readonly kinds: Readonly<Record<DocumentKind, string>>;
  readonly madeBy: readonly [before: string, after: string];
}

/** The documents that the page names. */
export type DocumentKind = 'description' | DocumentName | 'feed';
