/** The stretches of time that Change Lists are cut into. Pure. */

/** The changes of one Change List: those after `from`, up to and including `until`. */
export interface ChangeSegment<T> {
  readonly from: Date;
  /** Undefined for the list that is still open; it is the last one. */
  readonly until: Date | undefined;
  /** From 1; counts the lists that begin at one moment, because a publication had to be divided. */
  readonly part: number;
  readonly changes: readonly T[];
  /** How it was written when it was published, for a closed list that is carried on. */
  readonly text?: string;
}

/** A list that will not change any more. */
export type ClosedSegment<T> = ChangeSegment<T> & { readonly until: Date };

/** What has to be known of a change to find out where it is listed. */
export interface DatedChange {
  readonly uri: string;
  readonly datetime: Date;
}
