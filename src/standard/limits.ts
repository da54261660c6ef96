/** Limits of documents that are written and read, and the segments of Change Lists. */

/** Limits of one document. §7 follows the Sitemap protocol: 50,000 entries and 50 MB. */
export interface DocumentLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** 50 MB has two meanings; the smaller one satisfies both. */
export const DOCUMENT_LIMITS: DocumentLimits = { entries: 50_000, bytes: 50_000_000 };

/** Bytes of a message on a channel: more changes make several messages (Notification 0.8, §4). */
export const MESSAGE_BYTES = 1_000_000;

/** Milliseconds that the clock of a Source may be ahead of ours. */
export const CLOCK_SKEW = 5 * 60_000;

/** Limits beyond which a document is taken for an attack. */
export interface ReadLimits {
  readonly bytes: number;
  readonly entries: number;
  readonly depth: number;
  readonly attributes: number;
  readonly elements: number;
  /** Characters of a text, or of the value of an attribute. */
  readonly text: number;
  /** Bytes from one tag to the next: the parser collects them, which takes many times as much memory. */
  readonly gap: number;
}

/** The larger of the two meanings of 50 MB (§7), so that no valid document is refused. */
export const READ_LIMITS: ReadLimits = {
  bytes: 50 * 1024 * 1024,
  entries: DOCUMENT_LIMITS.entries,
  depth: 32,
  attributes: 64,
  elements: 1_000_000,
  text: 65_536,
  gap: 8 * 1024 * 1024,
};

/** Indexes in a row; what is below more of them is not read. */
export const MOST_INDEXES = 8;

/** Rules for the range of listed changes, and for the ends of lists. */
export interface ChangeRules {
  /** Days before `at` that are listed. */
  readonly window: number;
  /** The moment at which the list begins at the earliest, where git keeps the history. */
  readonly since?: Date | undefined;
  /** Lists end with these, in UTC; a week ends with Sunday. */
  readonly period: 'day' | 'week' | 'month' | undefined;
  /** True if entries link to versions, which makes them longer. */
  readonly linked?: boolean;
}

/** The changes of one Change List: those after `from`, up to and including `until`. */
export interface ChangeSegment<T> {
  readonly from: Date;
  /** Undefined for the list that is still open; it is the last one. */
  readonly until: Date | undefined;
  /** From 1; counts the lists that begin at one moment, because a publication had to be divided. */
  readonly part: number;
  readonly changes: readonly T[];
  /** The published text of a closed list that is carried on. */
  readonly text?: string;
}

export type ClosedSegment<T> = ChangeSegment<T> & { readonly until: Date };

/** The part of a change that decides where it is listed. */
export interface DatedChange {
  readonly uri: string;
  readonly datetime: Date;
}
