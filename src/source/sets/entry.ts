/** What the lists of a Source say of one resource, and of one change. */

import { addressOf } from '../../paths/address.js';
import type { ListedFacts, Skipped } from '../../standard/xml/as-read.js';

/** A resource as a list, a change or a manifest describes it. */
export interface Entry extends ListedFacts {
  /** In the form in which addresses are compared (`addressOf`). */
  readonly uri: string;
  /** As it is listed, where that is spelled otherwise: so it is asked for. */
  readonly spelled?: string | undefined;
  /** Where the same bytes are to be had: duplicates by their priority, and the version that this entry is about (§14.2, §14.6). */
  readonly copies?: readonly Copy[] | undefined;
}

/** An address in the form in which addresses are compared, and as it is listed if that is spelled otherwise. */
export function spellAddress(listed: string): Pick<Entry, 'uri' | 'spelled'> {
  const uri = addressOf(listed);
  return { uri, spelled: uri === listed ? undefined : listed };
}

/** The address of an entry as it is listed. */
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
  /** Milliseconds since 1970; undefined where it is not said. */
  readonly time: number | undefined;
  readonly entry: Entry;
}

/** A change of which nobody knows what it did. */
export interface UnknownChange extends Skipped {
  /** As that of an event. */
  readonly time: number | undefined;
}

/** A Change List, or a part of one. */
export interface ChangePart {
  readonly uri: string;
  /** Milliseconds since 1970. */
  readonly from: number | undefined;
  readonly until: number | undefined;
  /** Undefined where all that it has is before the moment that was asked about. */
  readonly events: readonly Event[] | undefined;
  /** Changes of no kind that is known: only the Resource List tells what became of those resources. */
  readonly unknown?: readonly UnknownChange[];
  /** By the clock of its server, when that gave it: milliseconds since 1970; absent where it was not said. */
  readonly date?: number | undefined;
}

/** What numbers, sets, names and the outcome of a run take beside the texts. */
const ROW_BYTES = 60;
const LINK_BYTES = 100;

/** About so many bytes an entry takes in memory, from when it is listed until a run is over. */
export function bytesOf({ uri, hash = '', type = '', encoding = '', copies = [] }: Entry): number {
  const own = ROW_BYTES + uri.length + hash.length + type.length + encoding.length;
  return copies.reduce((sum, link) => sum + LINK_BYTES + link.uri.length, own);
}

/** What a document was when it was read last: any other answer than this one is news. */
export interface KnownDocument {
  readonly uri: string;
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
  /** SHA-256. */
  readonly digest: string;
  /** Bytes. */
  readonly length?: number | undefined;
}

/** The oldest of some moments; undefined where there are none, or one of them is not known. */
export function oldestOf(times: readonly (number | undefined)[]): number | undefined {
  return times.length === 0 || times.includes(undefined) ? undefined : Math.min(...times.map(Number));
}

/** The newest of some moments; undefined where none is known. */
export function newest(times: Iterable<number | undefined>): number | undefined {
  let found: number | undefined;
  for (const time of times) if (time !== undefined) found = Math.max(time, found ?? time);
  return found;
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

/** Of each URL, only its last change counts; in the order in which they came. */
export function lastOfEach(events: readonly Event[]): Event[] {
  const last = new Map<string, Event>();
  for (const event of sortEvents(events)) {
    const { uri } = event.entry;
    last.delete(uri);
    last.set(uri, event);
  }
  return [...last.values()];
}

/** Oldest first (§12.1), whatever the order in which they are listed; one that has no time comes after the one before it. */
export function sortEvents(events: readonly Event[]): Event[] {
  let before = Number.NEGATIVE_INFINITY;
  const dated = events.map((event) => {
    before = event.time ?? before;
    return { event, time: before };
  });
  // Infinity less itself is no number.
  return dated.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ event }) => event);
}
