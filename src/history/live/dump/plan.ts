/** Plans the Change Dump that continues the one of the live site. Pure. */

import { type PlannedChangeDump, planChangePackages } from '../../../plan/change-packages.js';
import type { ChangeSegment } from '../../../plan/changes.js';
import type { ChangeEvent } from '../../../resourcesync/model.js';
import { type LiveChange, makeEvent } from '../compare.js';
import type { LiveSet } from '../published.js';

/** A set of resources, and what happened to it since it was published. */
export interface ContinuedSet {
  /** Undefined for a set that is not live yet. */
  readonly former: LiveSet | undefined;
  /** Those of this run. */
  readonly changes: readonly LiveChange[];
  /** All lists that there will be. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** URI of the Capability List. */
  readonly up: string;
  /** Whose bytes no package may hold. */
  readonly withdrawn: (uri: string) => boolean;
}

/**
 * Plans a Change Dump: the packages that are live, as far as their changes are listed, and one for this run.
 *
 * @param at the moment of this run, if something has changed
 */
export function planLiveDump(set: ContinuedSet, at: Date): PlannedChangeDump {
  const { former, lists } = set;
  const before = former?.lists.findLast((list) => list.changes.length > 0)?.changes.at(-1)?.datetime;
  const since = before ?? findArchivedEnd(former) ?? lists[0]?.from ?? at;
  const own = planOwnPackage(set, since, at);
  if (own?.shortened !== undefined) return own;
  const packages = own?.packages ?? [];
  const first = lists.find((list) => list.changes.length > 0)?.changes[0]?.datetime;
  // Everything that is listed is of this run.
  if (first === undefined || before === undefined || first > before) {
    return {
      from: packages.length > 0 ? since : (lists[0]?.from ?? since),
      packages,
      shortened: undefined,
    };
  }
  const barred = findWithdrawn(set);
  const live = takeLast(former?.packages ?? [], before).filter(({ until }) => until >= first);
  const carried = barred === undefined ? live : live.filter(({ until }) => until > barred);
  const from = carried[0]?.from ?? before;
  const complete = carried[0]?.until.getTime() === first.getTime();
  const shortened = carried.length < live.length ? 'withdrawn' : 'not-live';
  return { from, carried, packages, shortened: complete ? undefined : shortened };
}

/** Where archived Change Dumps end, if they reach as far as archived Change Lists: all that came later is in lists of today. */
function findArchivedEnd(former: LiveSet | undefined): Date | undefined {
  const list = former?.archive?.entries['changelist-archive'].at(-1);
  const until = former?.archive?.entries['changedump-archive'].at(-1)?.until;
  return list !== undefined && until !== undefined && until > list.from && until <= list.until
    ? until
    : undefined;
}

/** The newest moment of a change of which a package would hold what is withdrawn. */
function findWithdrawn({ lists, withdrawn }: ContinuedSet): Date | undefined {
  const held = (list: ChangeSegment<ChangeEvent>) =>
    list.changes.findLast(({ change, uri }) => change !== 'deleted' && withdrawn(uri))?.datetime;
  return lists.flatMap((list) => held(list) ?? []).at(-1);
}

function planOwnPackage(
  { changes, up, withdrawn }: ContinuedSet,
  since: Date,
  at: Date,
): PlannedChangeDump | undefined {
  if (changes.length === 0) return undefined;
  const events = new Map(changes.map((change) => [change.uri, makeEvent(change, at)]));
  const named = changes.map((change) => {
    if (change.change === 'deleted') return { ...change, datetime: at };
    // Only the site has the bytes: they are known by their path.
    const { path } = change.resource;
    return { change: change.change, uri: change.uri, datetime: at, file: { path, blob: path } };
  });
  return planChangePackages(
    [{ from: since, until: at, changes: named }],
    { from: since, up, withdrawn },
    (change) => events.get(change.uri) as ChangeEvent,
    (path) => path,
  );
}

/** The packages that lead, without a gap, to one that ends at a moment. */
function takeLast(packages: LiveSet['packages'], end: Date): LiveSet['packages'] {
  let start = packages.length;
  for (let next = end; packages[start - 1]?.until.getTime() === next.getTime(); start--) {
    next = packages[start - 1]?.from ?? next;
  }
  return packages.slice(start);
}
