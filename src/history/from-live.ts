/** Continues the history of a site from the documents on the live site. Pure. */

import type { Rows } from '../base/columns/rows.js';
import { formatDatetime } from '../base/datetime.js';
import type { Notice } from '../base/notices.js';
import type { Config } from '../config/config.js';
import { pathOfDocument, SOURCE_DESCRIPTION } from '../paths/ours.js';
import { decodePath } from '../paths/urls.js';
import { cutChanges, horizonOf } from '../standard/cuts/changes.js';
import type { ChangeSegment, ClosedSegment } from '../standard/limits.js';
import type { ChangeEvent, Resource } from '../standard/model.js';
import type { SetTimeline, Timeline } from './history.js';
import { compareResources, hasSameBytes, type LiveChange, makeEvent } from './live/compare.js';
import type { LiveSet, PublishedHistory } from './live/published.js';
import { noticeChangeDump, type PlannedChangeDump, planChangePackages } from './plan/change-packages.js';

/**
 * Derives the timeline of a site from its live documents. If a listed URL or digest differs, this run adds a publication.
 * A set that is not live begins with this run. A set without a Change List begins with its live Resource List.
 *
 * @throws ResyncError `live-foreign` if the live site lists a resource without any digest of a configured kind
 */
export function derivePublished(
  config: Config,
  sets: readonly { readonly name: string | undefined; readonly resources: Rows<Resource> }[],
  live: PublishedHistory,
  now: Date,
): Timeline {
  // A file that is a document of ours by now, such as a sitemap that gets dates, is no change, before or in this run.
  const isLeft = ({ uri }: { readonly uri: string }) =>
    uri.startsWith(config.url) &&
    config.selection(decodePath(uri.slice(config.url.length))) === 'own-document';
  const compared = sets.map(({ name, resources }): ComparedSet => {
    const previous = leaveOut(live.sets.get(name), isLeft);
    const changes =
      previous &&
      compareResources(previous.resources, resources).filter(
        (change) => change.change !== 'deleted' || !isLeft(change),
      );
    return { name, previous, changes };
  });
  const pending = compared.some(({ changes }) => changes?.length !== 0);
  const newest = Math.max(...[...live.sets.values()].map(({ at }) => at.getTime()));
  const at = new Date(pending ? Math.max(now.getTime(), newest + 1000) : newest);

  const timelines = compared.map((set) => continueSet(config, live, set, at));
  const from = new Date(Math.min(...timelines.map(({ lists }) => Number(lists[0]?.from ?? at))));
  return {
    from,
    at,
    newest: live.sets.size === 0 ? undefined : new Date(newest),
    pending,
    sets: timelines,
    notices: [
      ...noticeBeginning(config, live, compared, { from, at }),
      ...timelines.flatMap(({ changeDump }) => noticeChangeDump(changeDump)),
    ],
  };
}

function leaveOut(
  previous: LiveSet | undefined,
  isLeft: (change: ChangeEvent) => boolean,
): LiveSet | undefined {
  const lists = previous?.lists.map((list) => ({
    ...list,
    changes: list.changes.filter((change) => !isLeft(change)),
  }));
  return previous && lists && { ...previous, lists };
}

interface ComparedSet {
  readonly name: string | undefined;
  /** The set as it is live; undefined if it is not live yet. */
  readonly previous: LiveSet | undefined;
  readonly changes: readonly LiveChange[] | undefined;
}

/** Continues the history of one set. @param at the moment of the newest publication, which may be this run */
function continueSet(
  config: Config,
  live: PublishedHistory,
  { name, previous, changes = [] }: ComparedSet,
  at: Date,
): SetTimeline {
  // A set that begins with this run may hold resources that other sets have already.
  const published = previous === undefined ? [...live.sets.values()] : [previous];
  const events = changes.map((change) => makeEvent(change, at));
  const closed = previous?.lists.filter(
    (list): list is ClosedSegment<ChangeEvent> => list.until !== undefined,
  );
  const open = previous?.lists.find(({ until }) => until === undefined);
  const from = open?.from ?? closed?.at(-1)?.until ?? previous?.at ?? at;
  const all = [...(open?.changes ?? []), ...events];
  const lists = cutChanges(all, { from, at, closed }, config.changes);
  return {
    lists,
    lastmod: (resource) => findLastmod(resource, published, at),
    changeDump: config.dumps.changes
      ? planLiveDump(config, { name, previous, changes, lists }, at)
      : undefined,
    archive: undefined,
  };
}

/** Returns when the bytes of a resource were published: now, unless one of the live sets has them already. */
function findLastmod(resource: Resource, sets: readonly LiveSet[], at: Date): Date | undefined {
  for (const set of sets) {
    const previous = set.resources.get(resource.uri);
    if (previous !== undefined && hasSameBytes(previous, resource)) return previous.lastmod;
  }
  return at;
}

function noticeBeginning(
  { url, changes, isJoined }: Config,
  live: PublishedHistory,
  compared: readonly ComparedSet[],
  { from, at }: { readonly from: Date; readonly at: Date },
): Notice[] {
  if (!live.begun) {
    // If another build writes the Source Description, a Destination begins at the Capability List of this build.
    const top = isJoined ? pathOfDocument(compared[0]?.name, 'capabilitylist') : SOURCE_DESCRIPTION;
    return [{ code: 'first-published', description: url + top }];
  }
  const begun = compared.filter(({ previous }) => previous === undefined);
  const notices = begun.map(({ name }): Notice => ({ code: 'set-first-published', set: name }));
  if (!live.isDescribed)
    notices.push({ code: 'description-not-live', description: url + SOURCE_DESCRIPTION });
  if (begun.length === compared.length || from.getTime() <= horizonOf(at.getTime(), changes)) {
    return notices;
  }
  return [...notices, { code: 'changes-known-from', from: formatDatetime(from), truncated: false }];
}

interface ContinuedSet extends Pick<ComparedSet, 'name' | 'previous'> {
  readonly changes: readonly LiveChange[];
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
}

/** Plans a Change Dump: the live packages whose changes are still listed, and one for this run if something has changed. */
function planLiveDump(config: Config, set: ContinuedSet, at: Date): PlannedChangeDump {
  const { previous, lists } = set;
  const before = previous?.lists.findLast((list) => list.changes.length > 0)?.changes.at(-1)?.datetime;
  const since = before ?? lists[0]?.from ?? at;
  const own = planOwnPackage(config, set, since, at);
  if (own.shortened !== undefined) return own;
  const first = lists.find((list) => list.changes.length > 0)?.changes[0]?.datetime;
  if (first === undefined || before === undefined || first > before) {
    return own.packages.length > 0 ? own : { ...own, from: lists[0]?.from ?? since };
  }
  // The moment of the newest change whose package would hold bytes that the option `withdraw` names.
  const barred = lists
    .flatMap((list) => list.changes)
    .findLast(({ change, uri }) => change !== 'deleted' && config.withdrawn(uri))?.datetime;
  const live = takeLast(previous?.packages ?? [], before).filter(({ until }) => until >= first);
  const carried = barred === undefined ? live : live.filter(({ until }) => until > barred);
  const from = carried[0]?.from ?? before;
  const complete = carried[0]?.until.getTime() === first.getTime();
  const shortened = carried.length < live.length ? 'withdrawn' : 'not-live';
  return { ...own, from, carried, shortened: complete ? undefined : shortened };
}

function planOwnPackage(
  { url, withdrawn }: Config,
  { name, changes }: ContinuedSet,
  since: Date,
  at: Date,
): PlannedChangeDump {
  const events = new Map(changes.map((change) => [change.uri, makeEvent(change, at)]));
  const named = changes.map((change) => {
    if (change.change === 'deleted') return { ...change, datetime: at };
    // Without git there are no blobs: the path in the site identifies the bytes.
    const { path } = change.resource;
    return { change: change.change, uri: change.uri, datetime: at, file: { path, blob: path } };
  });
  return planChangePackages(
    named.length === 0 ? [] : [{ from: since, until: at, changes: named }],
    { from: since, up: url + pathOfDocument(name, 'capabilitylist'), withdrawn },
    (change) => events.get(change.uri) as ChangeEvent,
    (file) => ({ file }),
  );
}

/** Returns the last packages that follow each other without a gap, if the last one ends at the moment `end`. */
function takeLast(packages: LiveSet['packages'], end: Date): LiveSet['packages'] {
  let start = packages.length;
  for (let next = end; packages[start - 1]?.until.getTime() === next.getTime(); start--) {
    next = packages[start - 1]?.from ?? next;
  }
  return packages.slice(start);
}
