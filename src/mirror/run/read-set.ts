/** Reads one set of resources into a plan: its changes since the last run if they suffice, and otherwise all of its list. */

import {
  beginOf,
  decideWay,
  joinArchived,
  type KnownPast,
  newestChange,
  rememberChanges,
} from '../../source/sets/changes.js';
import {
  type ChangePart,
  type Entry,
  type Event,
  lastOfEach,
  newestOf,
  spellingOf,
} from '../../source/sets/entry.js';
import {
  readArchived,
  readChanges,
  readResources,
  type Sources,
  tellUnknown,
} from '../../source/sets/lists.js';
import { unreadable } from '../../source/sets/reader.js';
import type { Offer } from '../../source/sets/sets.js';
import type { Skipped } from '../../standard/xml/as-read.js';
import { isDue, mayTellMore, weighChanges } from '../plan/history.js';
import type { KnownList, SetState } from '../plan/model.js';
import type { Planner } from '../plan/plan.js';
import type { CompareReason } from '../plan/reason.js';
import type { MirroredSet } from '../report.js';
import { areAsRead, areSameLists, type Heads, type ListsNow, readHeads } from './resource-lists.js';

/** A set of resources to read, and its state after the last run. */
export interface SetWork {
  readonly offer: Offer;
  readonly former: SetState;
  /** True if an earlier run copied this set, and its memory can be read. */
  readonly isKnown: boolean;
  /** The reason to read the whole list, even if changes suffice. */
  readonly wholly: 'verify' | 'origins' | 'signed' | 'cloned' | undefined;
  /** True if archived changes may be used where the current changes begin too late. */
  readonly fromArchive: boolean;
  /** Resources that were missing in the last run. They are wanted again, as maybe no further change lists them. */
  readonly missing: readonly Entry[];
  /** The documents of the Resource Lists, as they were when the run began. */
  readonly listsNow: ListsNow;
  /** Time of the run: milliseconds since 1970. */
  readonly now: number;
}

interface SetReading extends Omit<MirroredSet, 'uri' | 'way'> {
  readonly state: SetState;
  readonly way: 'changes' | 'list';
}

export async function readSet(sources: Sources, work: SetWork, planner: Planner): Promise<SetReading> {
  const { offer, former, now } = work;
  const { id, uri } = former;
  const reading = await readKnown(sources, work, planner);
  if (typeof reading === 'object') return reading;
  const telling = offer.changeLists.length + offer.changeDumps.length === 0;
  const listOne = (entry: Entry) => {
    if (!planner.list(entry, id))
      throw unreadable(spellingOf(entry), 'it is listed twice, with different bytes');
  };
  const { at, documents, isWhole } = await readResources(sources, offer, listOne, telling);
  if (isWhole) planner.dropOthers(id);
  const parts = await readChanges(sources, offer, at ?? Number.NEGATIVE_INFINITY);
  if (parts === undefined && offer.unknown.length > 0 && at !== undefined && at < (former.moment ?? at)) {
    const found = `it leads to no Change List${tellUnknown(offer.unknown)}; its Resource List is older than the copy`;
    sources.reader.skip({ document: uri, found });
  }
  if (parts !== undefined) {
    // Resources with changes of unknown kinds may be gone or not.
    sources.reader.skip(...listUnknown(parts, at ?? Number.POSITIVE_INFINITY));
    const way = decideWay(parts, { moment: at });
    // Changes between the list and the first known change are lost; later ones still count.
    const events =
      way.kind === 'changes'
        ? way.events
        : parts
            .flatMap(({ events = [] }) => events)
            .filter(({ time }) => time === undefined || at === undefined || time >= at);
    apply(events, id, planner);
  }
  const list: KnownList = { at, read: now, documents };
  const known = { id, uri, listing: offer.listing, list: isComparable(offer) ? list : undefined };
  const state = advance(known, at, parts, now);
  return { state, way: 'list', reason: reading };
}

/** Reads the changes since a set was copied, or returns why the whole list is needed. */
async function readKnown(
  sources: Sources,
  work: SetWork,
  planner: Planner,
): Promise<SetReading | NonNullable<SetReading['reason']>> {
  const { offer, former, isKnown, wholly, now } = work;
  const { list } = former;
  if (wholly !== undefined) return wholly;
  if (!isKnown) return 'first';
  // Under other options, a Source lists other resources, although none has changed.
  if (offer.listing !== former.listing) return 'options';
  if (list === undefined && isComparable(offer)) return 'no-changes';
  if (list === undefined || !isDue(former, now)) return readNews(sources, work, planner);
  if (!(await areAsRead(sources.reader.origin, list))) return 'time';
  return readNews(sources, { ...work, former: { ...former, list: { ...list, read: now } } }, planner);
}

/** Returns whether a set has changes, and a list to compare them with. */
function isComparable({ resourceLists, changeLists, changeDumps }: Offer): boolean {
  return resourceLists.length > 0 && changeLists.length + changeDumps.length > 0;
}

/** Reads the changes of a set into a plan, or returns why they do not suffice. */
async function readNews(
  sources: Sources,
  work: SetWork,
  planner: Planner,
): Promise<SetReading | CompareReason> {
  const { offer, former, missing, listsNow, now } = work;
  const { id, list } = former;
  const isOther = list !== undefined && !(areSameLists(former, listsNow) && hasSameLists(offer, list));
  // If a new Resource List was not read, changes count from the moment of the copy on.
  const since = isOther ? former.moment : list && (list.at ?? former.moment);
  const { parts, way, archived } = await findChanges(sources, work, { ...former, since });
  if (way.kind === 'compare') return way.reason;
  const listed = list?.at ?? former.moment ?? Number.NEGATIVE_INFINITY;
  if (listUnknown(parts, listed).length > 0) return 'unknown-change';
  const waiting = new Set(missing.map(({ uri }) => uri));
  const weighed = weighChanges(way, { ...former, since }, (event) =>
    waiting.has(event.entry.uri) ? 'same' : planner.compare(event, id),
  );
  if (weighed.isContradiction) return 'contradiction';
  const heads = isOther ? await readHeads(sources.reader, offer, list, listsNow) : undefined;
  const moments = { moment: former.moment, newest: newestOf(parts), now };
  if (isOther && mayTellMore(list, heads, weighed.isSilent, moments)) return 'contradiction';
  for (const entry of missing) planner.list(entry, id);
  apply(weighed.events, id, planner);
  const known = isOther ? { ...former, list: trust(list, heads, listsNow) } : former;
  const state = advance(known, former.moment, parts, now);
  return { state, way: 'changes', ...(archived > 0 && { archived }) };
}

/** Lists changes of unknown kinds after the moment of a Resource List, which then lacks their effect. */
function listUnknown(parts: readonly ChangePart[], at: number): Skipped[] {
  return parts.flatMap(({ unknown = [] }) =>
    unknown.flatMap(({ time, ...place }) => (time === undefined || time > at ? [place] : [])),
  );
}

function hasSameLists({ resourceLists }: Offer, { documents }: KnownList): boolean {
  return (
    resourceLists.length === documents.length && documents.every(({ uri }) => resourceLists.includes(uri))
  );
}

/** Makes the state to save of a new Resource List that was not read, because changes explain it. */
function trust({ read, documents }: KnownList, heads: Heads | undefined, now: ListsNow): KnownList {
  const current = documents.map((document) => now.get(document) ?? document);
  return { at: heads?.at, read, documents: current, isBelieved: true };
}

/** Finds the changes since the last run: current changes and, if these begin too late, archived changes before them. */
async function findChanges(
  sources: Sources,
  { offer, former, fromArchive }: Pick<SetWork, 'offer' | 'former' | 'fromArchive'>,
  known: KnownPast,
) {
  const since = sinceOf(former);
  const parts = await readChanges(sources, offer, since);
  if (parts === undefined) return { parts: [], way: decideWay(undefined, known), archived: 0 };
  const found = { parts, way: decideWay(parts, known), archived: 0 };
  const begin = beginOf(parts);
  const isTooLate = found.way.kind === 'compare' && found.way.reason === 'gap' && begin !== undefined;
  if (!isTooLate || !fromArchive || offer.changeListArchives.length === 0) return found;
  const span = { since, before: begin };
  const archived = await readArchived(sources.reader.origin, offer.changeListArchives, span);
  if (archived === undefined) return found;
  const joined = joinArchived(archived, parts);
  if (joined === undefined) return found;
  const way = decideWay(joined, known);
  if (way.kind === 'changes') return { parts: joined, way, archived: archived.length };
  return { ...found, parts: joined };
}

function sinceOf({ moment, last }: SetState): number {
  return Math.min(moment ?? Number.POSITIVE_INFINITY, last?.time ?? Number.POSITIVE_INFINITY);
}

function apply(events: readonly Event[], set: number, planner: Pick<Planner, 'list' | 'drop'>): void {
  for (const { change, entry, time } of lastOfEach(events)) {
    if (change === 'deleted') planner.drop(entry.uri, set, time);
    else planner.list(entry, set, time);
  }
}

function advance(
  former: SetState,
  at: number | undefined,
  parts: readonly ChangePart[] | undefined,
  now: number,
): SetState {
  if (at === undefined) {
    const { id, uri, listing, list } = former;
    return { id, uri, listing, list };
  }
  const { newest, last } = rememberChanges(parts);
  return {
    ...former,
    moment: Math.max(at, (parts && newestChange(parts, now)) ?? at),
    newest: newest ?? former.newest,
    last: last ?? former.last,
  };
}
