/** What a Source's Change Lists tell, by publication; which of it has not been told yet, and the messages that tell it. Pure. */

import { OWNER_MARK } from '../../../paths/ours.js';
import { decideWay, type KnownPast, rememberChanges } from '../../../source/sets/changes.js';
import { type ChangePart, type Event, spellingOf } from '../../../source/sets/entry.js';
import type { DocumentChange, Message } from '../../../standard/document.js';
import { CLOCK_SKEW, DOCUMENT_LIMITS, MESSAGE_BYTES } from '../../../standard/limits.js';
import { checkDocument } from '../../../standard/make.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { serializeDocument } from '../../../standard/xml/serialize.js';

/** All changes of one datetime, in the order of their list. */
export interface ListedPublication {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly events: readonly Event[];
}

/** How far a set has been told of. */
export interface Told extends KnownPast {
  /** The newest moment of which something is known; what is before it is not told any more. */
  readonly moment: number;
  /** The changes of that moment. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Finds what has not been told yet.
 *
 * @param told undefined for a set that is new: all that there is counts as known
 * @returns the news, oldest first, and what to keep for who comes late, unless the news are added to that; undefined where
 *   the lists say less than they did: an old copy in some cache, or a Source that went back
 */
export function findTelling(parts: readonly ChangePart[], told: Told | undefined, now: number) {
  const publications = listPublications(parts, now + CLOCK_SKEW);
  const newest = Math.max(publications.at(-1)?.time ?? Number.NEGATIVE_INFINITY, ...beginsOf(parts, now));
  if (newest === Number.NEGATIVE_INFINITY || (told !== undefined && newest < told.moment)) return undefined;
  const moment = newest;
  const keys = new Set(publications.findLast(({ time }) => time === moment)?.events.map(keyOf));
  const next: Told = { ...rememberChanges(parts), moment, keys };
  if (told === undefined) return { told: next, news: [], kept: { from: beginOf(parts), publications } };
  const news = publications.flatMap((publication) => withoutTold(publication, told));
  const leadsHere = decideWay(parts, told).kind === 'changes';
  return { told: next, news, kept: leadsHere ? undefined : { from: beginOf(parts), publications } };
}

/** @param most later moments are left out */
function listPublications(parts: readonly ChangePart[], most: number): ListedPublication[] {
  const groups = new Map<number, Map<string, Event>>();
  for (const event of parts.flatMap(({ events = [] }) => events)) {
    const { time } = event;
    // What says no moment, or one before 1970, belongs to no publication; that its list has changed is told.
    if (time === undefined || time < 0 || time > most) continue;
    const group = groups.get(time) ?? new Map<string, Event>();
    groups.set(time, group);
    group.set(keyOf(event), event);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([time, events]) => ({ time, events: [...events.values()] }));
}

function keyOf({ change, entry: { uri, hash = '' } }: Event): string {
  return `${change} ${uri} ${hash}`;
}

function withoutTold({ time, events }: ListedPublication, { moment, keys }: Told): ListedPublication[] {
  if (time < moment) return [];
  const rest = time > moment ? events : events.filter((event) => !keys.has(keyOf(event)));
  return rest.length === 0 ? [] : [{ time, events: rest }];
}

function beginsOf(parts: readonly ChangePart[], now: number): number[] {
  return parts.flatMap(({ from }) => (from === undefined || from > now + CLOCK_SKEW ? [] : [from]));
}

/** Since when all changes are in parts that were read. */
function beginOf(parts: readonly ChangePart[]): number {
  const sorted = parts.toSorted((a, b) => (b.from ?? 0) - (a.from ?? 0));
  let begin = Number.POSITIVE_INFINITY;
  for (const { from, until, events } of sorted) {
    const meets = begin === Number.POSITIVE_INFINITY || until === undefined || until >= begin;
    if (events === undefined || from === undefined || !meets) break;
    begin = from;
  }
  return begin;
}

/** Since when Change Lists have to be read: what ended before is known. */
export function sinceOf(told: Told | undefined, now: number): number {
  return told === undefined ? now - REACH : Math.min(told.moment, told.last?.time ?? told.moment);
}

/** So far back a channel that has just begun looks, for who comes late: milliseconds. */
const REACH = 7 * 86_400_000;

/** @param up URI of the Capability List */
export function writeChanges({ time, events }: ListedPublication, up: string): Buffer[] {
  const datetime = new Date(time);
  return pack(
    events.map((event) => toChange(event, datetime)),
    (changes) => checkDocument({ kind: 'change-notification', up, changes }),
  );
}

/** @param up URI of the Capability List */
export function writeNews(news: readonly DocumentChange[], up: string): Buffer[] {
  return pack(news, (changes) => checkDocument({ kind: 'framework-notification', up, changes }));
}

function toChange({ change, entry }: Event, datetime: Date): ChangeEvent {
  const { hash, length, type } = entry;
  const uri = spellingOf(entry);
  if (change === 'deleted') return { change, uri, datetime };
  const isLength = length !== undefined && /^\d{1,15}$/.test(length);
  return {
    change,
    uri,
    datetime,
    representation: {
      ...(hash !== undefined && { hash }),
      ...(isLength && { length: Number(length) }),
      ...(type !== undefined && { type }),
    },
  };
}

/** Halves what is too large for one message; the same changes give the same messages everywhere. */
function pack<T>(changes: readonly T[], make: (some: readonly T[]) => Message): Buffer[] {
  if (changes.length === 0) return [];
  if (changes.length <= DOCUMENT_LIMITS.entries) {
    const message = Buffer.from([...serializeDocument(make(changes), OWNER_MARK)].join(''));
    if (message.length <= MESSAGE_BYTES) return [message];
    // One change that fills a message is none of ours; that its list has changed is told.
    if (changes.length === 1) return [];
  }
  const middle = Math.ceil(changes.length / 2);
  return [...pack(changes.slice(0, middle), make), ...pack(changes.slice(middle), make)];
}
