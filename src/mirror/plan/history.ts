/** Whether changes lead from the moment of a folder to now, and which of them are news (§12). Pure. */

import { strongestDigest } from './digests.js';
import type { ChangePart, Event, LastChange, SetState } from './model.js';
import type { CompareReason } from './reason.js';

export type Way =
  | { readonly kind: 'changes'; readonly events: readonly Event[] }
  | { readonly kind: 'compare'; readonly reason: CompareReason };

/** What was known of a set before. */
export type Known = Pick<SetState, 'moment' | 'newest' | 'last'>;

/** Decides how a set is brought up to date. */
export function decideWay(parts: readonly ChangePart[] | undefined, known: Known | undefined): Way {
  if (known === undefined) return { kind: 'compare', reason: 'first' };
  const { moment } = known;
  if (moment === undefined || parts === undefined || parts.length === 0)
    return { kind: 'compare', reason: 'no-changes' };
  const sorted = sortParts(parts);
  if (isReplaced(sorted, known)) return { kind: 'compare', reason: 'replaced' };
  if (hasGap(sorted, moment)) return { kind: 'compare', reason: 'gap' };
  return { kind: 'changes', events: newsOf(sorted, moment, known.last) };
}

/**
 * Of each URL, only its last change counts; in the order in which they came. Where there were others, the version before it is
 * not at hand, and a patch of it is of no use.
 */
export function lastOfEach(events: readonly Event[]): Event[] {
  const last = new Map<string, Event>();
  for (const event of events) {
    const { entry } = event;
    const isFirst = !last.delete(entry.uri);
    const isPlain = isFirst || entry.patch === undefined;
    last.set(entry.uri, isPlain ? event : { ...event, entry: { ...entry, patch: undefined } });
  }
  return [...last.values()];
}

/** What there is to remember of the changes that were read. */
export function rememberChanges(parts: readonly ChangePart[] | undefined): Pick<SetState, 'newest' | 'last'> {
  if (parts === undefined) return {};
  const event = eventsOf(sortParts(parts)).at(-1);
  return { newest: newestOf(parts), last: event && toLast(event) };
}

/** The newest moment that changes tell of. */
export function newestOf(parts: readonly ChangePart[]): number | undefined {
  const times = parts.flatMap(({ from, until, events = [] }) => [
    from,
    until,
    ...events.map(({ time }) => time),
  ]);
  return newest(times);
}

/** The newest change that has a time. */
export function newestChange(parts: readonly ChangePart[]): number | undefined {
  return newest(eventsOf(parts).map(({ time }) => time));
}

function newest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((one, other) => (other === undefined || (one ?? 0) > other ? one : other), undefined);
}

/** Oldest first; those that do not say when they begin stay in their order, at the end. */
function sortParts(parts: readonly ChangePart[]): ChangePart[] {
  const beginOf = ({ from }: ChangePart) => from ?? Number.POSITIVE_INFINITY;
  return parts.toSorted((a, b) => (beginOf(a) === beginOf(b) ? 0 : beginOf(a) - beginOf(b)));
}

function eventsOf(parts: readonly ChangePart[]): Event[] {
  return parts.flatMap(({ events }) => events ?? []);
}

function hasGap(parts: readonly ChangePart[], moment: number): boolean {
  const [first] = parts;
  if (first?.from === undefined || first.from > moment) return true;
  return parts.some(({ from }, index) => {
    const before = parts[index - 1];
    if (before?.until === undefined || from === undefined) return false;
    return from > before.until && from > moment;
  });
}

function isReplaced(parts: readonly ChangePart[], { newest: former, last }: Known): boolean {
  const now = newestOf(parts);
  if (former !== undefined && (now === undefined || now < former)) return true;
  if (last === undefined) return false;
  const [first] = parts;
  const isCovered = first?.from === undefined || last.time === undefined || first.from < last.time;
  return isCovered && findLast(eventsOf(parts), last) === -1;
}

/** Changes at the moment are looked at again, and whatever stands behind the last one that is known. */
function newsOf(parts: readonly ChangePart[], moment: number, last: LastChange | undefined): Event[] {
  const events = eventsOf(parts);
  const position = last === undefined ? -1 : findLast(events, last);
  return events.filter(
    ({ time }, index) =>
      time === undefined || time >= moment || (position !== -1 && index > position && last !== undefined),
  );
}

/** Its datetime may have moved. */
function findLast(events: readonly Event[], last: LastChange): number {
  return events.findLastIndex((event) => {
    const { change, uri, hash } = toLast(event);
    return uri === last.uri && (change === 'deleted') === (last.change === 'deleted') && hash === last.hash;
  });
}

function toLast({ change, time, entry: { uri, hash } }: Event): LastChange {
  return { change, uri, hash: change === 'deleted' ? undefined : strongestDigest(hash), time };
}
