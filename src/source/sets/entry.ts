/** Types and functions for entries and changes in the lists of a Source. */

import type { Address } from '../../paths/address.js';
import type { ListedFacts, Skipped } from '../../standard/xml/as-read.js';

/** A resource as a list, a change or a manifest describes it. */
export interface Entry extends ListedFacts {
  /** URL of the resource, normalized by `addressOf` for comparison. */
  readonly uri: Address;
  /** The URL as listed, if it is spelled otherwise; requests use this spelling. */
  readonly spelled?: string | undefined;
  /** Other addresses of the same bytes: duplicates by priority, and the version that the entry is about (§14.2, §14.6). */
  readonly copies?: readonly Copy[] | undefined;
}

export function spellingOf({ uri, spelled }: Pick<Entry, 'uri' | 'spelled'>): string {
  return spelled ?? uri;
}

export interface Copy {
  readonly rel: 'duplicate' | 'memento';
  readonly uri: string;
}

/** A change, in the order of its list (§12.1). */
export interface Event {
  readonly change: 'created' | 'updated' | 'deleted';
  /** Time of the change, in milliseconds since 1970, or undefined if the entry has none. */
  readonly time: number | undefined;
  readonly entry: Entry;
}

export interface UnknownChange extends Skipped {
  readonly time: number | undefined;
}

export interface ChangePart {
  readonly uri: string;
  /** Beginning and end of the part, in milliseconds since 1970. */
  readonly from: number | undefined;
  readonly until: number | undefined;
  /** The changes in the part; undefined if it was not read, because it ended before the wanted moment. */
  readonly events: readonly Event[] | undefined;
  /** Changes of unknown kinds: the state of their resources is known only from the Resource List. */
  readonly unknown?: readonly UnknownChange[];
  /** `Date` of the answer, in milliseconds since 1970, if it had one. */
  readonly date?: number | undefined;
}

/** Estimated bytes of memory that an entry, and each of its `copies`, takes in a run beside its texts. */
const ROW_BYTES = 60;
const LINK_BYTES = 100;

/** Estimates the bytes that an entry takes in memory during a run. */
export function bytesOf({ uri, hash = '', type = '', encoding = '', copies = [] }: Entry): number {
  const own = ROW_BYTES + uri.length + hash.length + type.length + encoding.length;
  return copies.reduce((sum, link) => sum + LINK_BYTES + link.uri.length, own);
}

/** The state of a document when it was last read: another state means that it has changed since. */
export interface KnownDocument {
  readonly uri: string;
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
  /** SHA-256 of the document, in hexadecimal. */
  readonly digest: string;
  /** Length of the document in bytes. */
  readonly length?: number | undefined;
}

/** Returns the oldest moment; undefined if there is none, or any of them is unknown. */
export function oldestOf(times: readonly (number | undefined)[]): number | undefined {
  return times.length === 0 || times.includes(undefined) ? undefined : Math.min(...times.map(Number));
}

export function newest(times: Iterable<number | undefined>): number | undefined {
  let found: number | undefined;
  for (const time of times) if (time !== undefined) found = Math.max(time, found ?? time);
  return found;
}

export function newestOf(parts: readonly ChangePart[]): number | undefined {
  const times = parts.flatMap(({ from, until, events = [] }) => [
    from,
    until,
    ...events.map(({ time }) => time),
  ]);
  return newest(times);
}

/** Returns the last change of each URL, oldest first. */
export function lastOfEach(events: readonly Event[]): Event[] {
  const last = new Map<string, Event>();
  for (const event of sortEvents(events)) {
    const { uri } = event.entry;
    last.delete(uri);
    last.set(uri, event);
  }
  return [...last.values()];
}

/** Sorts changes, oldest first (§12.1); a change without a time stays behind the one before it. */
export function sortEvents(events: readonly Event[]): Event[] {
  let before = Number.NEGATIVE_INFINITY;
  const dated = events.map((event) => {
    before = event.time ?? before;
    return { event, time: before };
  });
  // Equal times are not subtracted, because Infinity minus itself is NaN.
  return dated.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ event }) => event);
}
