/** Reads what one set of resources lists now, by its changes where they lead here, and otherwise all of it. */

import { beginOf, joinArchived } from '../plan/archived.js';
import { decideWay, lastOfEach, newestChange, rememberChanges, type Way } from '../plan/history.js';
import type { ChangePart, Entry, Event, SetState } from '../plan/model.js';
import type { Planner } from '../plan/plan.js';
import type { CompareReason } from '../plan/reason.js';
import { readArchived } from './archive.js';
import { readChanges, readResources, type Sources } from './lists.js';
import type { Offer } from './sets.js';

/** One set, as it is and as it was. */
export interface SetWork {
  readonly offer: Offer;
  readonly former: SetState;
  /** Whether it was copied before. */
  readonly isKnown: boolean;
  /** Why to look at all that is listed, although the changes lead here. */
  readonly wholly: 'verify' | 'origins' | 'cloned' | undefined;
  /** Whether archived changes may lead here, where the lists of today begin too late. */
  readonly fromArchive: boolean;
  /** What was listed and not there, and may not be told of again. */
  readonly missing: readonly Entry[];
}

export interface SetReading {
  readonly state: SetState;
  readonly way: 'changes' | 'list';
  readonly reason?: CompareReason | 'verify' | 'origins';
  /** How many archived Change Lists led here. */
  readonly archived?: number;
}

/** Reads a set into a plan. */
export async function readSet(
  sources: Sources,
  work: SetWork,
  planner: Pick<Planner, 'list' | 'drop' | 'dropOthers'>,
): Promise<SetReading> {
  const { offer, former, isKnown, wholly, missing } = work;
  const { id } = former;
  let reason: SetReading['reason'] = wholly ?? 'first';
  if (isKnown && wholly === undefined) {
    const { parts, way, archived } = await findWay(sources, work);
    if (way.kind === 'changes') {
      for (const entry of missing) planner.list(entry, id);
      apply(way.events, id, planner);
      const state = advance(former, former.moment, parts);
      return { state, way: 'changes', ...(archived > 0 && { archived }) };
    }
    reason = way.reason;
  }
  const telling = offer.changeLists.length + offer.changeDumps.length === 0;
  const at = await readResources(sources, offer, (entry) => planner.list(entry, id), telling);
  planner.dropOthers(id);
  const parts = await readChanges(sources, offer, at ?? Number.POSITIVE_INFINITY);
  if (at !== undefined && parts !== undefined) {
    const way = decideWay(parts, { moment: at });
    // What is missing between the list and its changes cannot be had; what comes after is right all the same.
    const events =
      way.kind === 'changes'
        ? way.events
        : parts.flatMap((part) => part.events ?? []).filter(({ time }) => time === undefined || time >= at);
    apply(events, id, planner);
  }
  const { uri } = former;
  return { state: advance({ id, uri }, at, parts), way: 'list', reason };
}

/** The changes that lead here: those of today, or where they begin too late, with archived ones before them. */
async function findWay(sources: Sources, { offer, former, fromArchive }: SetWork): Promise<FoundWay> {
  const since = sinceOf(former);
  const parts = await readChanges(sources, offer, since);
  const found = { parts, way: decideWay(parts, former), archived: 0 };
  const begin = beginOf(parts ?? []);
  const isTooLate = found.way.kind === 'compare' && found.way.reason === 'gap' && begin !== undefined;
  if (!isTooLate || !fromArchive || offer.changeListArchives.length === 0) return found;
  const span = { since, before: begin };
  const archived = await readArchived(sources.reader.origin, offer.changeListArchives, span);
  const joined = archived && joinArchived(archived, parts ?? []);
  const way = joined && decideWay(joined, former);
  return way?.kind === 'changes' ? { parts: joined, way, archived: archived?.length ?? 0 } : found;
}

interface FoundWay {
  readonly parts: readonly ChangePart[] | undefined;
  readonly way: Way;
  readonly archived: number;
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
): SetState {
  if (at === undefined) return { id: former.id, uri: former.uri };
  const { newest, last } = rememberChanges(parts);
  return {
    ...former,
    moment: Math.max(at, newestChange(parts ?? []) ?? at),
    ...(newest !== undefined && { newest }),
    ...(last !== undefined && { last }),
  };
}
