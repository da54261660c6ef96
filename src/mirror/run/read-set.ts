/** Reads what one set of resources lists now, by its changes where they lead here, and otherwise all of it. */

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
import type { SetPlanner } from '../plan/plan.js';
import type { CompareReason } from '../plan/reason.js';
import type { MirroredSet } from '../report.js';
import { areAsRead, areSameLists, areSure, type Heads, type ListsNow, readHeads } from './resource-lists.js';

/** One set, as it is and as it was. */
export interface SetWork {
  readonly offer: Offer;
  readonly former: SetState;
  /** Whether it was copied before. */
  readonly isKnown: boolean;
  /** Why to look at all that is listed, although the changes lead here. */
  readonly wholly: 'verify' | 'origins' | 'signed' | 'cloned' | undefined;
  /** Whether archived changes may lead here, where the lists of today begin too late. */
  readonly fromArchive: boolean;
  /** What was listed and not there, and may not be told of again. */
  readonly missing: readonly Entry[];
  /** The Resource Lists, as they answered when the run began. */
  readonly listsNow: ListsNow;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface SetReading extends Omit<MirroredSet, 'uri' | 'way'> {
  readonly state: SetState;
  readonly way: 'changes' | 'list';
}

/** Reads a set into a plan. */
export async function readSet(sources: Sources, work: SetWork, planner: SetPlanner): Promise<SetReading> {
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
  // What became of the resources since, nobody knows.
  sources.reader.skip(...listUnknown(parts, at ?? Number.POSITIVE_INFINITY));
  if (parts !== undefined) {
    const way = decideWay(parts, { moment: at });
    // What is missing between the list and its changes cannot be had; what comes after is right all the same.
    const events =
      way.kind === 'changes'
        ? way.events
        : parts
            .flatMap((part) => part.events ?? [])
            .filter(({ time }) => time === undefined || at === undefined || time >= at);
    apply(events, id, planner);
  }
  const list: KnownList = { at, read: now, documents };
  const { listing } = offer;
  const known = { id, uri, ...(listing !== undefined && { listing }), ...(isComparable(offer) && { list }) };
  const state = advance(known, at, parts, now);
  return { state, way: 'list', reason: reading };
}

/** Reads what has changed since a set was copied; where that is not known, says why. */
async function readKnown(
  sources: Sources,
  work: SetWork,
  planner: SetPlanner,
): Promise<SetReading | NonNullable<SetReading['reason']>> {
  const { offer, former, isKnown, wholly, now } = work;
  const { list } = former;
  if (wholly !== undefined) return wholly;
  if (!isKnown) return 'first';
  // What they add and drop is no change of a resource, so no change has to tell of it.
  if (offer.listing !== former.listing) return 'options';
  if (list === undefined && isComparable(offer)) return 'no-changes';
  if (list === undefined || !isDue(former, now)) return readNews(sources, work, planner);
  if (!(await areAsRead(sources.reader.origin, list))) return 'time';
  return readNews(sources, { ...work, former: { ...former, list: { ...list, read: now } } }, planner);
}

/** Whether there are changes, and a list that they can be held against. */
function isComparable({ resourceLists, changeLists, changeDumps }: Offer): boolean {
  return resourceLists.length > 0 && changeLists.length + changeDumps.length > 0;
}

/** Reads the changes of a set into a plan; where they do not lead here, says why. */
async function readNews(
  sources: Sources,
  work: SetWork,
  planner: SetPlanner,
): Promise<SetReading | CompareReason> {
  const { offer, former, missing, listsNow, now } = work;
  const { id, list } = former;
  const isOther = list !== undefined && !(areSameLists(former, listsNow) && hasSameLists(offer, list));
  // Of another Resource List than the one that is known, no more is known than that it is not of after the folder.
  const since = isOther ? former.moment : list && (list.at ?? former.moment);
  const { parts, way, archived } = await findChanges(sources, work, { ...former, since });
  if (way.kind === 'compare') return way.reason;
  const listed = list?.at ?? former.moment ?? Number.NEGATIVE_INFINITY;
  if (listUnknown(parts, listed).length > 0) return 'unknown-change';
  const waiting = new Set(missing.map(({ uri }) => uri));
  const weighed = weighChanges(way, { ...former, since }, (event) =>
    waiting.has(event.entry.uri) ? 'same' : planner.compare(event, id),
  );
  const isSure = list !== undefined && !isOther && areSure(list, listsNow);
  if (weighed.isContradiction && !isSure) return 'contradiction';
  const heads = isOther ? await readHeads(sources.reader, offer, list, listsNow) : undefined;
  const told = { moment: former.moment, newest: newestOf(parts ?? []), now };
  if (isOther && mayTellMore(list, heads, weighed.isSilent, told)) return 'contradiction';
  for (const entry of missing) planner.list(entry, id);
  apply(weighed.events, id, planner);
  const known = isOther ? { ...former, list: believe(list, heads, listsNow) } : former;
  const state = advance(known, former.moment, parts, now);
  return { state, way: 'changes', ...(archived > 0 && { archived }) };
}

/** Changes of no kind that is known, after the moment of a Resource List: it does not tell what became of their resources. */
function listUnknown(parts: readonly ChangePart[] | undefined, at: number): Skipped[] {
  return (parts ?? []).flatMap(({ unknown = [] }) =>
    unknown.flatMap(({ time, ...place }) => (time === undefined || time > at ? [place] : [])),
  );
}

function hasSameLists({ resourceLists }: Offer, { documents }: KnownList): boolean {
  return (
    resourceLists.length === documents.length && documents.every(({ uri }) => resourceLists.includes(uri))
  );
}

/** The Resource List as it is now; what it was when it was read is known no more. */
function believe({ read, documents }: KnownList, heads: Heads | undefined, now: ListsNow): KnownList {
  const current = documents.map((document) => now.get(document) ?? document);
  return { ...(heads && { at: heads.at }), read, documents: current, isBelieved: true };
}

/** The changes that lead here: those of today, or where they begin too late, with archived ones before them. */
async function findChanges(
  sources: Sources,
  { offer, former, fromArchive }: Pick<SetWork, 'offer' | 'former' | 'fromArchive'>,
  known: KnownPast,
) {
  const since = sinceOf(former);
  const parts = await readChanges(sources, offer, since);
  const found = { parts, way: decideWay(parts, known), archived: 0 };
  const begin = beginOf(parts ?? []);
  const isTooLate = found.way.kind === 'compare' && found.way.reason === 'gap' && begin !== undefined;
  if (!isTooLate || !fromArchive || offer.changeListArchives.length === 0) return found;
  const span = { since, before: begin };
  const archived = await readArchived(sources.reader.origin, offer.changeListArchives, span);
  const joined = archived && joinArchived(archived, parts ?? []);
  const way = joined && decideWay(joined, known);
  if (way?.kind === 'changes') return { parts: joined, way, archived: archived?.length ?? 0 };
  return { ...found, parts: joined ?? parts };
}

function sinceOf({ moment, last }: SetState): number {
  return Math.min(moment ?? Number.POSITIVE_INFINITY, last?.time ?? Number.POSITIVE_INFINITY);
}

function apply(events: readonly Event[], set: number, planner: Pick<SetPlanner, 'list' | 'drop'>): void {
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
    return { id, uri, ...(listing !== undefined && { listing }), ...(list && { list }) };
  }
  const { newest, last } = rememberChanges(parts);
  return {
    ...former,
    moment: Math.max(at, newestChange(parts ?? [], now) ?? at),
    ...(newest !== undefined && { newest }),
    ...(last !== undefined && { last }),
  };
}
