/** Decides whether Change Lists lead from a saved moment to now, and which of their changes are new (§12). Pure. */

import { CLOCK_SKEW } from '../../standard/limits.js';
import { strongestDigest } from '../../standard/model.js';
import { type ChangePart, type Event, newest, newestOf, oldestOf, sortEvents } from './entry.js';

/** The last change of a list, which shows whether the list was replaced. */
export interface LastChange {
  readonly change: Event['change'];
  readonly uri: string;
  readonly hash?: string | undefined;
  readonly time?: number | undefined;
}

/** The way to update a set: by its changes; or by comparing the whole list, for a reason. */
type ReadingWay =
  | Changes
  | { readonly kind: 'compare'; readonly reason: 'first' | 'no-changes' | 'replaced' | 'gap' };

export interface Changes {
  readonly kind: 'changes';
  /** The new changes of a set, in the order of their lists. */
  readonly events: readonly Event[];
  /** The last change of each other URL, which the copy should have already. */
  readonly earlier: readonly Event[];
}

export interface KnownPast {
  /** Moment before which all changes are known, in milliseconds since 1970. */
  readonly moment?: number | undefined;
  /** The newest moment in the Change Lists as they were last read. */
  readonly newest?: number | undefined;
  readonly last?: LastChange | undefined;
  /** The moment of the Resource List with which the copy was compared; that list includes all changes before it. */
  readonly since?: number | undefined;
}

export function decideWay(
  parts: readonly ChangePart[] | undefined,
  known: KnownPast | undefined,
): ReadingWay {
  if (known === undefined) return { kind: 'compare', reason: 'first' };
  const { moment } = known;
  if (moment === undefined || parts === undefined || parts.length === 0)
    return { kind: 'compare', reason: 'no-changes' };
  const sorted = sortParts(parts);
  if (isReplaced(sorted, known)) return { kind: 'compare', reason: 'replaced' };
  if (hasGap(sorted, moment)) return { kind: 'compare', reason: 'gap' };
  return { kind: 'changes', ...findNews(sorted, moment, known) };
}

export function rememberChanges(
  parts: readonly ChangePart[] | undefined,
): Pick<KnownPast, 'newest' | 'last'> {
  if (parts === undefined) return {};
  const event = eventsOf(sortParts(parts)).at(-1);
  return { newest: newestOf(parts), last: event && toLast(event) };
}

/** Returns the time of the newest change that is not in the future. @param now by our clock; the server's counts if it is behind */
export function newestChange(parts: readonly ChangePart[], now: number): number | undefined {
  const times = parts.flatMap(({ events = [], date = now }) => {
    const most = Math.min(now, date) + CLOCK_SKEW;
    return events.flatMap(({ time }) => (time !== undefined && time <= most ? time : []));
  });
  return newest(times);
}

/** Sorts parts of Change Lists, oldest first; those without a beginning keep their order, at the end. */
function sortParts(parts: readonly ChangePart[]): ChangePart[] {
  const beginOf = ({ from }: ChangePart) => from ?? Number.POSITIVE_INFINITY;
  return parts.toSorted((a, b) => (beginOf(a) === beginOf(b) ? 0 : beginOf(a) - beginOf(b)));
}

function eventsOf(parts: readonly ChangePart[]): Event[] {
  return parts.flatMap(({ events = [] }) => events);
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

function isReplaced(parts: readonly ChangePart[], { newest: former, last }: KnownPast): boolean {
  const now = newestOf(parts);
  if (former !== undefined && (now === undefined || now < former)) return true;
  if (last === undefined) return false;
  const [first] = parts;
  const isCovered = first?.from === undefined || last.time === undefined || first.from < last.time;
  return isCovered && findLast(eventsOf(parts), last) === -1;
}

/**
 * Finds changes since a moment, and those after the last known change. The moment may be of a clock that was ahead, so changes
 * from shortly before it count, too, but none from before the Resource List.
 */
function findNews(
  parts: readonly ChangePart[],
  moment: number,
  { last, since }: KnownPast,
): Omit<Changes, 'kind'> {
  const events = eventsOf(parts);
  const begin = since === undefined ? moment : moment - CLOCK_SKEW;
  const position = last === undefined ? -1 : findLast(events, last);
  const isNew = ({ time }: Event, index: number) =>
    time === undefined ||
    (time >= (since ?? time) && (time >= begin || (position !== -1 && index > position)));
  const news = new Set(events.filter(isNew));
  const final = new Map(sortEvents(events).map((event) => [event.entry.uri, event]));
  const isFinal = ({ entry: { uri } }: Event) => news.has(final.get(uri) as Event);
  return {
    events: [...news].filter(isFinal),
    earlier: [...final.values()].filter((event) => !news.has(event)),
  };
}

/** Returns the place of the last known change, or -1. Its datetime is not compared: it may have been corrected since. */
function findLast(events: readonly Event[], last: LastChange): number {
  return events.findLastIndex((event) => {
    const { change, uri, hash } = toLast(event);
    return uri === last.uri && (change === 'deleted') === (last.change === 'deleted') && hash === last.hash;
  });
}

function toLast({ change, time, entry: { uri, hash } }: Event): LastChange {
  return { change, uri, hash: change === 'deleted' ? undefined : strongestDigest(hash), time };
}

/** Joins archived and current changes, each once; undefined if an archived list contradicts itself: then no archive counts. */
export function joinArchived(
  archived: readonly ChangePart[],
  today: readonly ChangePart[],
): ChangePart[] | undefined {
  const begin = beginOf(today);
  if (begin === undefined || !archived.every(isSound)) return undefined;
  const older = archived.filter(({ from }) => from !== undefined && from < begin);
  return [...older.map((part) => cutOff(part, begin)), ...today];
}

/** Returns the moment when Change Lists begin; undefined if one of them does not say it. */
export function beginOf(parts: readonly ChangePart[]): number | undefined {
  return oldestOf(parts.map(({ from }) => from));
}

function cutOff(part: ChangePart, begin: number): ChangePart {
  return { ...part, events: part.events?.filter(({ time }) => time !== undefined && time <= begin) };
}

/** Checks that a closed list has a beginning and an end, and its changes in order between these. */
function isSound({ from, until, events = [] }: ChangePart): boolean {
  if (from === undefined || until === undefined || from > until) return false;
  const isInOrder = ({ time }: Event, index: number) => {
    const before = events[index - 1]?.time ?? from;
    return time !== undefined && time >= before && time <= until;
  };
  return events.every(isInOrder);
}
