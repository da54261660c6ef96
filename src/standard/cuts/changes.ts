/** Selects the changes to list, and cuts them into Change Lists (§12). Pure. */

import {
  type ChangeRules,
  type ChangeSegment,
  type ClosedSegment,
  type DatedChange,
  DOCUMENT_LIMITS,
  type DocumentLimits,
} from '../limits.js';
import { estimateChange, LIST_HEAD_BYTES } from './limits.js';

interface ChangeSpan<T> {
  readonly from: Date;
  readonly at: Date;
  /** Lists that were closed before, up to `from`. */
  readonly closed?: readonly ClosedSegment<T>[] | undefined;
  /** End of the archives, if there are any: lists reach back to this moment, whatever the window. */
  readonly reach?: Date | undefined;
}

const SECOND = 1000;
const DAY = 86_400_000;

/** Returns the moment after which changes are listed. @param at of the newest publication; both in milliseconds since 1970 */
export function horizonOf(at: number, { window }: Pick<ChangeRules, 'window'>): number {
  return at - window * DAY;
}

/**
 * Cuts changes into the lists to publish (§12). @param changes in forward chronological order
 * Borders follow from the changes alone. So closed lists, and the open list of a period, keep their bytes until the window has
 * passed all of their changes. Any other open list loses changes that the window has passed. A publication is divided only if
 * no list could hold it.
 */
export function cutChanges<T extends DatedChange>(
  changes: readonly T[],
  span: ChangeSpan<T>,
  rules: ChangeRules,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): ChangeSegment<T>[] {
  const { closed, open } = closeLists(changes, span, rules, limits);
  const window = horizonOf(span.at.getTime(), rules);
  const horizon = new Date(Math.min(window, span.reach?.getTime() ?? window));
  const listed = closed.filter(({ until }) => until > horizon);
  // The open list of a period is not trimmed: it would come back whole when its period closes it.
  const [first] = open.changes;
  if (listed.length > 0 || (rules.period !== undefined && first !== undefined && first.datetime <= horizon))
    return [...listed, open];
  return [trimList(open, horizon)];
}

/** Drops the changes up to a horizon from an open list, which must be the only list. */
export function trimList<T extends { readonly datetime: Date }>(
  open: ChangeSegment<T>,
  horizon: Date,
): ChangeSegment<T> {
  if (open.from >= horizon) return open;
  const recent = open.changes.filter(({ datetime }) => datetime > horizon);
  return { from: horizon, until: undefined, part: 1, changes: recent };
}

/** Cuts all known changes into lists; the closed ones will not change any more. */
export function closeLists<T extends DatedChange>(
  changes: readonly T[],
  { from, at, closed: before = [] }: ChangeSpan<T>,
  { period, linked }: Pick<ChangeRules, 'period' | 'linked'>,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): { readonly closed: readonly ClosedSegment<T>[]; readonly open: ChangeSegment<T> } {
  const closed = [...before];
  const last = before.at(-1);
  const cutter = new ChangeListCutter<T>(
    { from, part: last === undefined ? 1 : nextPart(last) },
    { period, limits, measure: ({ uri }) => estimateChange(uri, linked) },
    (segment) => closed.push(segment),
  );
  for (const change of changes) cutter.add(change);
  return { closed, open: cutter.end(at) };
}

/** Cuts changes into lists as they come, and keeps only the changes of one list in memory. */
export class ChangeListCutter<T extends { readonly datetime: Date }> {
  #changes: T[] = [];
  #bytes = 0;
  /** The index of the first change of the newest publication, and the bytes of the changes before it. */
  #border = { index: 0, bytes: 0 };
  #next: Pick<ChangeSegment<T>, 'from' | 'part'>;
  readonly #rules: CutRules<T>;
  readonly #close: (segment: ClosedSegment<T>) => void;

  /** @param first beginning and number of the first list @param close called with each list that is closed */
  constructor(
    first: Pick<ChangeSegment<T>, 'from' | 'part'>,
    rules: CutRules<T>,
    close: (segment: ClosedSegment<T>) => void,
  ) {
    this.#next = first;
    this.#rules = rules;
    this.#close = close;
  }

  /** Adds a change. @param change none that is older than one that was added before */
  add(change: T): void {
    const newest = this.#changes.at(-1);
    if (newest !== undefined && newest.datetime.getTime() !== change.datetime.getTime()) {
      this.#endPublication();
      const end = this.#endOfPeriod(newest);
      // A publication at the very beginning of a period belongs to it, so the list before ends a second earlier.
      if (end !== undefined && end <= change.datetime)
        this.#closeBefore(new Date(Math.min(end.getTime(), change.datetime.getTime() - SECOND)));
    }
    const size = this.#rules.measure(change);
    const ended = this.#changes[this.#border.index - 1];
    if (ended !== undefined && this.#isFull(size)) this.#closeBefore(ended.datetime);
    if (this.#changes.length > 0 && this.#isFull(size)) {
      this.#endPublication();
      this.#closeBefore(change.datetime);
    }
    this.#changes.push(change);
    this.#bytes += size;
  }

  /** Returns the open list. @param at the newest publication: if its period is over by then, the list is closed first */
  end(at: Date): ChangeSegment<T> {
    const newest = this.#changes.at(-1);
    const end = newest && this.#endOfPeriod(newest);
    if (end !== undefined && end <= at) {
      this.#endPublication();
      this.#closeBefore(end);
    }
    return { ...this.#next, until: undefined, changes: this.#changes };
  }

  #endOfPeriod({ datetime }: T): Date | undefined {
    const { period } = this.#rules;
    return period && endOfPeriod(datetime, period);
  }

  #endPublication(): void {
    this.#border = { index: this.#changes.length, bytes: this.#bytes };
  }

  #isFull(size: number): boolean {
    const { entries, bytes } = this.#rules.limits;
    return this.#changes.length >= entries || LIST_HEAD_BYTES + this.#bytes + size > bytes;
  }

  #closeBefore(until: Date): void {
    const { index, bytes } = this.#border;
    const segment = { ...this.#next, until, changes: this.#changes.slice(0, index) };
    this.#close(segment);
    this.#next = { from: until, part: nextPart(segment) };
    this.#changes = this.#changes.slice(index);
    this.#bytes -= bytes;
    this.#border = { index: 0, bytes: 0 };
  }
}

interface CutRules<T> {
  readonly period: ChangeRules['period'];
  readonly limits: DocumentLimits;
  /** Returns the bytes that the entry of a change takes at most. */
  readonly measure: (change: T) => number;
}

/** Returns the `part` number of the list that follows a closed one. */
function nextPart({ from, until, part }: ClosedSegment<unknown>): number {
  return until.getTime() === from.getTime() ? part + 1 : 1;
}

/** Returns the end of the period that a moment belongs to; a moment on the border belongs to the period that begins there. */
export function endOfPeriod(moment: Date, period: NonNullable<ChangeRules['period']>): Date {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  switch (period) {
    case 'day':
      return new Date(Date.UTC(year, month, day + 1));
    case 'week':
      return new Date(Date.UTC(year, month, day + 1 + ((7 - moment.getUTCDay()) % 7)));
    case 'month':
      return new Date(Date.UTC(year, month + 1, 1));
  }
}
