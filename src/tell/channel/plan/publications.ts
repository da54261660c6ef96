/** News in Change Lists, by publication, and the messages that report them. Pure. */

import { getOrInsert } from '../../../base/group.js';
import { OWNER_MARK } from '../../../paths/ours.js';
import { decideWay, type KnownPast, rememberChanges } from '../../../source/sets/changes.js';
import { type ChangePart, type Event, spellingOf } from '../../../source/sets/entry.js';
import type { DocumentChange, Message } from '../../../standard/document.js';
import { CLOCK_SKEW, DOCUMENT_LIMITS, MESSAGE_BYTES } from '../../../standard/limits.js';
import { checkDocument } from '../../../standard/make.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { serializeDocument } from '../../../standard/xml/serialize.js';

/** All changes of one datetime, in the order of their Change List. */
export interface ListedPublication {
  /** Datetime of the changes, in milliseconds since 1970. */
  readonly time: number;
  readonly events: readonly Event[];
}

/** The changes of a set of which Destinations were notified. */
export interface NotifiedChanges extends KnownPast {
  /** The newest time of a change; earlier changes that turn up later are not reported. */
  readonly moment: number;
  /** Keys of the changes of the newest time. */
  readonly keys: ReadonlySet<string>;
}

/** The outcome of comparing Change Lists with the changes of which Destinations were notified. */
interface FoundNews {
  readonly notified: NotifiedChanges;
  readonly news: readonly ListedPublication[];
  /** The publications that replace the backlog; undefined if the news are to be added to it. */
  readonly kept: { readonly from: number; readonly publications: readonly ListedPublication[] } | undefined;
}

/**
 * Finds changes of which Destinations were not notified yet.
 *
 * @param notified undefined for a new set: all of its changes count as known
 * @returns undefined if the lists say less than before: an old copy from a cache, or a Source that was reset
 */
export function findNews(
  parts: readonly ChangePart[],
  notified: NotifiedChanges | undefined,
  now: number,
): FoundNews | undefined {
  const publications = listPublications(parts, now + CLOCK_SKEW);
  const moment = Math.max(publications.at(-1)?.time ?? Number.NEGATIVE_INFINITY, ...beginsOf(parts, now));
  if (moment === Number.NEGATIVE_INFINITY || (notified !== undefined && moment < notified.moment))
    return undefined;
  const keys = new Set(publications.findLast(({ time }) => time === moment)?.events.map(keyOf));
  const next: NotifiedChanges = { ...rememberChanges(parts), moment, keys };
  if (notified === undefined)
    return { notified: next, news: [], kept: { from: beginOf(parts), publications } };
  const news = publications.flatMap((publication) => withoutNotified(publication, notified));
  const leadsHere = decideWay(parts, notified).kind === 'changes';
  return { notified: next, news, kept: leadsHere ? undefined : { from: beginOf(parts), publications } };
}

/** Groups changes of Change Lists by publication, the oldest first. @param most changes after this time are left out */
function listPublications(parts: readonly ChangePart[], most: number): ListedPublication[] {
  const groups = new Map<number, Map<string, Event>>();
  for (const event of parts.flatMap(({ events = [] }) => events)) {
    const { time } = event;
    // A change without a time, or before 1970, belongs to no publication; only the change of its list is reported.
    if (time === undefined || time < 0 || time > most) continue;
    getOrInsert(groups, time, () => new Map()).set(keyOf(event), event);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([time, events]) => ({ time, events: [...events.values()] }));
}

function keyOf({ change, entry: { uri, hash = '' } }: Event): string {
  return `${change} ${uri} ${hash}`;
}

function withoutNotified(
  { time, events }: ListedPublication,
  { moment, keys }: NotifiedChanges,
): ListedPublication[] {
  if (time < moment) return [];
  const rest = time > moment ? events : events.filter((event) => !keys.has(keyOf(event)));
  return rest.length === 0 ? [] : [{ time, events: rest }];
}

function beginsOf(parts: readonly ChangePart[], now: number): number[] {
  return parts.flatMap(({ from }) => (from === undefined || from > now + CLOCK_SKEW ? [] : [from]));
}

/** Returns the time since which all changes are in the parts of Change Lists that were read. */
function beginOf(parts: readonly ChangePart[]): number {
  const sorted = parts.toSorted(({ from: a = 0 }, { from: b = 0 }) => b - a);
  let begin = Number.POSITIVE_INFINITY;
  for (const { from, until, events } of sorted) {
    const meets = begin === Number.POSITIVE_INFINITY || until === undefined || until >= begin;
    if (events === undefined || from === undefined || !meets) break;
    begin = from;
  }
  return begin;
}

/** Returns the time since which Change Lists have to be read: lists that ended before it are known. */
export function sinceOf(notified: NotifiedChanges | undefined, now: number): number {
  return notified === undefined
    ? now - REACH
    : Math.min(notified.moment, notified.last?.time ?? notified.moment);
}

/** Reach of the backlog of a channel that has just started, in milliseconds. */
const REACH = 7 * 86_400_000;

/** Writes the messages about changed resources. @param up URI of the Capability List */
export function writeChanges({ time, events }: ListedPublication, up: string): Buffer[] {
  const datetime = new Date(time);
  return pack(
    events.map((event) => toChange(event, datetime)),
    (changes) => checkDocument({ kind: 'change-notification', up, changes }),
  );
}

/** Writes the messages about changed documents. @param up URI of the Capability List */
export function writeNews(news: readonly DocumentChange[], up: string): Buffer[] {
  return pack(news, (changes) => checkDocument({ kind: 'framework-notification', up, changes }));
}

function toChange({ change, entry }: Event, datetime: Date): ChangeEvent {
  const { hash, length, type } = entry;
  const uri = spellingOf(entry);
  if (change === 'deleted') return { change, uri, datetime };
  return {
    change,
    uri,
    datetime,
    representation: {
      ...(hash !== undefined && { hash }),
      ...(length !== undefined && { length: Number(length) }),
      ...(type !== undefined && { type }),
    },
  };
}

/** Splits changes into messages by halves, so that the same changes give the same messages everywhere. */
function pack<T>(changes: readonly T[], make: (some: readonly T[]) => Message): Buffer[] {
  if (changes.length === 0) return [];
  if (changes.length <= DOCUMENT_LIMITS.entries) {
    const message = Buffer.from([...serializeDocument(make(changes), OWNER_MARK)].join(''));
    if (message.length <= MESSAGE_BYTES) return [message];
    // A change that fills a message by itself, which we never list, is left out; the change of its Change List is reported.
    if (changes.length === 1) return [];
  }
  const middle = Math.ceil(changes.length / 2);
  return [...pack(changes.slice(0, middle), make), ...pack(changes.slice(middle), make)];
}
