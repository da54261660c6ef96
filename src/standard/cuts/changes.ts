/** Which changes are listed, and where one Change List ends and the next begins (§12). Pure. */

import {
  type ChangeRules,
  type ChangeSegment,
  type ClosedSegment,
  type DatedChange,
  DOCUMENT_LIMITS,
  type DocumentLimits,
} from '../limits.js';
import { estimateChange, LIST_HEAD_BYTES } from './limits.js';

/** The time that changes are from. */
interface ChangeSpan<T> {
  /** Since when changes are known. */
  readonly from: Date;
  /** The moment of the newest publication. */
  readonly at: Date;
  /** Lists that are closed already, up to `from`. */
  readonly closed?: readonly ClosedSegment<T>[] | undefined;
  /** The lists reach back to this moment, whatever the window: where archives end. */
  readonly reach?: Date | undefined;
}

const SECOND = 1000;
const DAY = 86_400_000;

/**
 * The moment after which changes are listed.
 *
 * @param at of the newest publication; both in milliseconds since 1970
 */
export function horizonOf(at: number, { window }: Pick<ChangeRules, 'window'>): number {
  return at - window * DAY;
}

/**
 * Cuts changes into the lists to publish (§12).
 *
 * Borders follow from the changes alone. So a closed list keeps its bytes until the window has passed all of it, as does
 * the open list of a period; another open list loses what the window has passed. A publication is not divided unless no
 * list could hold it.
 *
 * @param changes in forward chronological order
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
  if (listed.length > 0 || open.from >= horizon) return [...listed, open];
  // A list that a period closes would else come back whole when it is closed.
  const [first] = open.changes;
  if (rules.period !== undefined && first !== undefined && first.datetime <= horizon) return [open];
  const recent = open.changes.filter(({ datetime }) => datetime > horizon);
  return [{ from: horizon, until: undefined, part: 1, changes: recent }];
}

/** Cuts all changes that are known into lists; all but the last one will not change any more. */
export function closeLists<T extends DatedChange>(
  changes: readonly T[],
  { from, at, closed: before = [] }: ChangeSpan<T>,
  { period, linked }: Pick<ChangeRules, 'period' | 'linked'>,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): { readonly closed: readonly ClosedSegment<T>[]; readonly open: ChangeSegment<T> } {
  const closed = [...before];
  let start = from;
  const last = before.at(-1);
  let part = last === undefined ? 1 : nextPart(last);
  let list: T[] = [];
  let bytes = LIST_HEAD_BYTES;
  const close = (until: Date) => {
    const segment = { from: start, until, part, changes: list };
    closed.push(segment);
    part = nextPart(segment);
    start = until;
    list = [];
    bytes = LIST_HEAD_BYTES;
  };
  const overflows = (entries: number, size: number) =>
    list.length + entries > limits.entries || bytes + size > limits.bytes;

  for (const group of groupByDatetime(changes)) {
    const last = list.at(-1);
    const next = group[0];
    if (last !== undefined && next !== undefined) {
      const end = endOfPeriod(last.datetime, period);
      // A publication at the beginning of a period belongs to it, and a closed list is complete up to its end.
      if (end !== undefined && end <= next.datetime)
        close(new Date(Math.min(end.getTime(), next.datetime.getTime() - SECOND)));
      else if (
        overflows(
          group.length,
          group.reduce((sum, { uri }) => sum + estimateChange(uri, linked), 0),
        )
      ) {
        close(last.datetime);
      }
    }
    for (const change of group) {
      const size = estimateChange(change.uri, linked);
      if (list.length > 0 && overflows(1, size)) close(change.datetime);
      list.push(change);
      bytes += size;
    }
  }
  const newest = list.at(-1);
  const end = newest && endOfPeriod(newest.datetime, period);
  if (end !== undefined && end <= at) close(end);
  return { closed, open: { from: start, until: undefined, part, changes: list } };
}

/** The number of the list that comes after a closed one. */
function nextPart({ from, until, part }: ClosedSegment<unknown>): number {
  return until.getTime() === from.getTime() ? part + 1 : 1;
}

function* groupByDatetime<T extends { readonly datetime: Date }>(
  changes: readonly T[],
): Generator<T[], void> {
  let group: T[] = [];
  for (const change of changes) {
    if (group[0] !== undefined && group[0].datetime.getTime() !== change.datetime.getTime()) {
      yield group;
      group = [];
    }
    group.push(change);
  }
  if (group.length > 0) yield group;
}

/** The end of the period that a moment belongs to; a moment on the border belongs to what begins there. */
export function endOfPeriod(moment: Date, period: NonNullable<ChangeRules['period']>): Date;
export function endOfPeriod(moment: Date, period: ChangeRules['period']): Date | undefined;
export function endOfPeriod(moment: Date, period: ChangeRules['period']): Date | undefined {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  switch (period) {
    case undefined:
      return undefined;
    case 'day':
      return new Date(Date.UTC(year, month, day + 1));
    case 'week':
      return new Date(Date.UTC(year, month, day + 1 + ((7 - moment.getUTCDay()) % 7)));
    case 'month':
      return new Date(Date.UTC(year, month + 1, 1));
  }
}
