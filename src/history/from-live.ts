/** What the documents of the live site make of the site: its history, continued. Pure. */

import type { Config, ResolvedSet } from '../config/config.js';
import { type Notice, ResyncError } from '../errors.js';
import { pathOfDocument, SOURCE_DESCRIPTION } from '../paths/ours.js';
import { noticeChangeDump, type PlannedChangeDump, planChangePackages } from '../plan/change-packages.js';
import { type ChangeSegment, type ClosedSegment, cutChanges, horizonOf } from '../plan/changes.js';
import { type ChangeEvent, formatDatetime, parseDigests, type Resource } from '../resourcesync/model.js';
import { say } from '../text/say.js';
import type { KnownHistory, KnownSet } from './known.js';
import type { LiveResource, LiveSet, PublishedHistory } from './live/published.js';

type Change = { readonly uri: string } & (
  | { readonly change: 'created' | 'updated'; readonly resource: Resource }
  | { readonly change: 'deleted' }
);

/**
 * Derives what is known of a site from what is live: the same documents if nothing differs, and one publication more,
 * that of this run, if something does. Compared are the URLs that were listed, and their bytes by digests.
 *
 * A set that is not live yet begins with this run. One that has no Change List began with its Resource List.
 *
 * @param sets what the configured sets hold now
 * @param now the moment of this run
 * @throws ResyncError `live-foreign` when the live site lists no digest of a kind that is configured
 */
export function derivePublished(
  config: Pick<Config, 'url' | 'changes' | 'dumps' | 'hash'>,
  sets: readonly (Pick<ResolvedSet, 'name'> & { readonly resources: readonly Resource[] })[],
  live: PublishedHistory,
  now: Date,
): KnownHistory {
  const compared = sets.map(({ name, resources }) => {
    const former = live.sets.get(name);
    return { name, former, changes: former && compareResources(former.resources, resources) };
  });
  const pending = compared.some(({ changes }) => changes?.length !== 0);
  const newest = Math.max(...[...live.sets.values()].map(({ at }) => at.getTime()));
  const at = new Date(pending ? Math.max(now.getTime(), newest + 1000) : newest);

  const known = compared.map(({ name, former, changes = [] }) => continueSet(name, former, changes));
  const from = new Date(Math.min(...known.map(({ lists }) => Number(lists[0]?.from ?? at))));
  return {
    from,
    at,
    pending,
    sets: known,
    notices: [...noticeBeginning(), ...known.flatMap(({ changeDump }) => noticeChangeDump(changeDump))],
  };

  function continueSet(
    name: string | undefined,
    former: LiveSet | undefined,
    changes: readonly Change[],
  ): KnownSet {
    const events = changes.map((change) => makeEvent(change, at));
    const closed = former?.lists.filter(
      (list): list is ClosedSegment<ChangeEvent> => list.until !== undefined,
    );
    const open = former?.lists.find(({ until }) => until === undefined);
    const begin = open?.from ?? closed?.at(-1)?.until ?? former?.at ?? at;
    const all = [...(open?.changes ?? []), ...events];
    const lists = cutChanges(all, { from: begin, at }, config.changes, undefined, closed);
    return {
      lists,
      lastmod: (resource) => findLastmod(resource, former),
      changeDump: config.dumps.changes ? planDump(name, former, changes, lists) : undefined,
    };
  }

  /** What begins with this run may stand in other sets already. */
  function findLastmod(resource: Resource, own: LiveSet | undefined): Date | undefined {
    for (const set of own === undefined ? live.sets.values() : [own]) {
      const former = set.resources.get(resource.uri);
      if (former !== undefined && hasSameBytes(former, resource)) return former.lastmod;
    }
    return at;
  }

  function planDump(
    name: string | undefined,
    former: LiveSet | undefined,
    changes: readonly Change[],
    lists: readonly ChangeSegment<ChangeEvent>[],
  ): PlannedChangeDump {
    const before = former?.lists.findLast((list) => list.changes.length > 0)?.changes.at(-1)?.datetime;
    const since = before ?? lists[0]?.from ?? at;
    const own = planOwnPackage(name, changes, since);
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
    const carried = takeLast(former?.packages ?? [], before).filter(({ until }) => until >= first);
    const from = carried[0]?.from ?? before;
    const complete = carried[0]?.until.getTime() === first.getTime();
    return { from, carried, packages, shortened: complete ? undefined : 'not-live' };
  }

  function planOwnPackage(
    name: string | undefined,
    changes: readonly Change[],
    since: Date,
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
      since,
      config.url + pathOfDocument(name, 'capabilitylist'),
      (change) => events.get(change.uri) as ChangeEvent,
      (path) => path,
    );
  }

  function noticeBeginning(): Notice[] {
    if (!live.begun) return [{ code: 'first-published', description: config.url + SOURCE_DESCRIPTION }];
    const begun = compared.filter(({ former }) => former === undefined);
    const notices = begun.map(({ name }): Notice => ({ code: 'set-first-published', set: name }));
    if (begun.length === compared.length || from.getTime() <= horizonOf(at.getTime(), config.changes)) {
      return notices;
    }
    return [...notices, { code: 'changes-known-from', from: formatDatetime(from), truncated: false }];
  }
}

/** The packages that lead, without a gap, to one that ends at a moment. */
function takeLast(packages: LiveSet['packages'], end: Date): LiveSet['packages'] {
  let start = packages.length;
  for (let next = end; packages[start - 1]?.until.getTime() === next.getTime(); start--) {
    next = packages[start - 1]?.from ?? next;
  }
  return packages.slice(start);
}

function compareResources(
  former: ReadonlyMap<string, LiveResource>,
  resources: readonly Resource[],
): Change[] {
  const changes: Change[] = [];
  let kept = 0;
  for (const resource of resources) {
    const { uri } = resource;
    const before = former.get(uri);
    if (before !== undefined) kept++;
    if (before === undefined) changes.push({ change: 'created', uri, resource });
    else if (!hasSameBytes(before, resource)) changes.push({ change: 'updated', uri, resource });
  }
  if (kept < former.size) {
    const present = new Set(resources.map(({ uri }) => uri));
    for (const uri of former.keys()) if (!present.has(uri)) changes.push({ change: 'deleted', uri });
  }
  return changes.sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Compares bytes by the digests that both have. */
function hasSameBytes(former: LiveResource, { uri, length, hash }: Resource): boolean {
  if (former.hash === hash) return former.length === length;
  const mine = new Map(parseDigests(hash));
  const common = parseDigests(former.hash).filter(([name]) => mine.has(name));
  if (common.length === 0) {
    throw new ResyncError(
      'live-foreign',
      say`Cannot compare the site with the live one: that lists ${uri} with ${former.hash}, and this one with ${hash}.\nName a digest with --hash that the live site has, too; it may be left out in the run after this one. Nothing has been written.`,
    );
  }
  return former.length === length && common.every(([name, hex]) => mine.get(name) === hex);
}

function makeEvent(change: Change, datetime: Date): ChangeEvent {
  const { uri } = change;
  if (change.change === 'deleted') return { change: change.change, uri, datetime };
  const { length, hash, type } = change.resource;
  const representation = { hash, length, ...(type !== undefined && { type }) };
  return { change: change.change, uri, datetime, representation };
}
