/** Limits of the documents that are written and read, and types for cutting changes into Change Lists. */

/** Limits of one document. §7 follows the Sitemap protocol: 50,000 entries and 50 MB. */
export interface DocumentLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** Limits of a document that we write. 50 MB has two meanings; the smaller one satisfies both. */
export const DOCUMENT_LIMITS: DocumentLimits = { entries: 50_000, bytes: 50_000_000 };

/** Limit of a message on a channel, in bytes: more changes make several messages (Notification 0.8, §4). */
export const MESSAGE_BYTES = 1_000_000;

/** Milliseconds that the clock of a Source may be ahead of this machine's. */
export const CLOCK_SKEW = 5 * 60_000;

/** Limits beyond which a document is taken for an attack. */
export interface ReadLimits {
  readonly bytes: number;
  readonly entries: number;
  readonly depth: number;
  readonly attributes: number;
  readonly elements: number;
  /** Limit of a text, or of the value of an attribute, in characters. */
  readonly text: number;
  /** Limit of the bytes from one tag to the next: the parser collects them, which takes many times as much memory. */
  readonly gap: number;
}

/** Limits of a document that we read. 50 MB has two meanings (§7); with the larger one, no valid document is refused. */
export const READ_LIMITS: ReadLimits = {
  bytes: 50 * 1024 * 1024,
  entries: DOCUMENT_LIMITS.entries,
  depth: 32,
  attributes: 64,
  elements: 1_000_000,
  text: 65_536,
  gap: 8 * 1024 * 1024,
};

/** Limit of indexes that are nested in one another; documents below more of them are not read. */
export const MOST_INDEXES = 8;

/** Rules for the range of listed changes, and for the ends of lists. */
export interface ChangeRules {
  /** Number of days before the newest publication whose changes are listed. */
  readonly window: number;
  /** The moment at which lists begin at the earliest, if git keeps the history. */
  readonly since?: Date | undefined;
  /** Each list ends with a period, in UTC; a week ends with Sunday. Undefined if lists end only when they are full. */
  readonly period: 'day' | 'week' | 'month' | undefined;
  /** True if entries link to versions, which makes them longer. */
  readonly linked?: boolean;
}

/** The changes of one Change List: those after `from`, up to and including `until`. */
export interface ChangeSegment<T> {
  readonly from: Date;
  /** End of the Change List; undefined for the last one, which is still open. */
  readonly until: Date | undefined;
  /** Number of the list, from 1, among those that begin at one moment because a publication had to be divided. */
  readonly part: number;
  readonly changes: readonly T[];
  /** Text of a closed list as it was published, to be published again unchanged. */
  readonly text?: string;
}

export type ClosedSegment<T> = ChangeSegment<T> & { readonly until: Date };

/** What decides in which list a change goes: its time, and its URL, which takes room in the list. */
export interface DatedChange {
  readonly uri: string;
  readonly datetime: Date;
}
