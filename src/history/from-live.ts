/** What the documents of the live site make of the site: its history, continued. Pure. */

import type { Rows } from '../base/columns/rows.js';
import { startShared } from '../base/columns/shared.js';
import type { Notice } from '../base/notices.js';
import type { Config, ResolvedSet } from '../config/config.js';
import { pathOfDocument, SOURCE_DESCRIPTION } from '../paths/ours.js';
import { type ClosedSegment, cutChanges, horizonOf } from '../standard/cuts/changes.js';
import { type ChangeEvent, formatDatetime, type Resource } from '../standard/model.js';
import type { KnownHistory, KnownSet } from './known.js';
import { continueArchive } from './live/archive/plan.js';
import { compareResources, hasSameBytes, type LiveChange, makeEvent } from './live/compare.js';
import { planLiveDump } from './live/dump/plan.js';
import type { LiveSet, PublishedHistory } from './live/published.js';
import { noticeChangeDump } from './plan/change-packages.js';

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
  config: LiveConfig & Pick<Config, 'hash'>,
  sets: readonly (Pick<ResolvedSet, 'name'> & { readonly resources: Rows<Resource> })[],
  live: PublishedHistory,
  now: Date,
): KnownHistory {
  const compared = sets.map(({ name, resources }): ComparedSet => {
    const former = live.sets.get(name);
    const moments = startShared<number | typeof NOW | undefined>();
    const changes =
      former &&
      compareResources(former.resources, resources, (same) =>
        moments.push(same === undefined ? NOW : same.lastmod?.getTime()),
      );
    return { name, former, changes, momentOf: moments.at };
  });
  const pending = compared.some(({ changes }) => changes?.length !== 0);
  const newest = Math.max(...[...live.sets.values()].map(({ at }) => at.getTime()));
  const at = new Date(pending ? Math.max(now.getTime(), newest + 1000) : newest);

  const known = compared.map((set) => continueSet(config, live, set, at));
  const from = new Date(Math.min(...known.map(({ lists }) => Number(lists[0]?.from ?? at))));
  return {
    from,
    at,
    pending,
    sets: known,
    notices: [
      ...noticeBeginning(config, live, compared, { from, at }),
      ...known.flatMap(({ changeDump }) => noticeChangeDump(changeDump)),
      ...known.flatMap(({ notices }) => notices),
    ],
  };
}

/** A set of resources, beside what is live of it. */
interface ComparedSet {
  readonly name: string | undefined;
  /** Undefined for a set that is not live yet. */
  readonly former: LiveSet | undefined;
  readonly changes: readonly LiveChange[] | undefined;
  /** When the bytes of a resource were published, by its place, in milliseconds since 1970. */
  readonly momentOf: (place: number) => number | typeof NOW | undefined;
}

/** By this run, whose moment is known when all sets were compared. */
const NOW = 'now';

type LiveConfig = Pick<Config, 'url' | 'changes' | 'dumps' | 'withdrawn'> &
  Partial<Pick<Config, 'isJoined' | 'archives'>>;

/** @param at the moment of the newest publication */
function continueSet(
  config: LiveConfig,
  live: PublishedHistory,
  { name, former, changes = [], momentOf }: ComparedSet,
  at: Date,
): KnownSet & { readonly notices: readonly Notice[] } {
  const events = changes.map((change) => makeEvent(change, at));
  const closed = former?.lists.filter((list): list is ClosedSegment<ChangeEvent> => list.until !== undefined);
  const open = former?.lists.find(({ until }) => until === undefined);
  const from = open?.from ?? closed?.at(-1)?.until ?? former?.at ?? at;
  const all = [...(open?.changes ?? []), ...events];
  const told = [...(closed ?? []).flatMap((list) => list.changes), ...all];
  const past = config.archives && continueArchive(former, told, at, config.archives);
  const lists = cutChanges(all, { from, at, closed, reach: past?.end }, config.changes);
  const up = config.url + pathOfDocument(name, 'capabilitylist');
  const { withdrawn } = config;
  return {
    lists,
    lastmod(resource, place) {
      // What begins with this run may stand in other sets already.
      if (former === undefined) return findLastmod(resource, [...live.sets.values()], at);
      const moment = momentOf(place);
      return moment === NOW ? at : moment === undefined ? undefined : new Date(moment);
    },
    changeDump: config.dumps.changes
      ? planLiveDump({ former, changes, lists, up, withdrawn }, at)
      : undefined,
    archive: past?.archive,
    notices: past?.notices ?? [],
  };
}

function findLastmod(resource: Resource, sets: readonly LiveSet[], at: Date): Date | undefined {
  for (const set of sets) {
    const former = set.resources.get(resource.uri);
    if (former !== undefined && hasSameBytes(former, resource)) return former.lastmod;
  }
  return at;
}

/** Where this build begins: at its Source Description, or at its Capability List where another build writes that. */
function findTop({ url, isJoined }: LiveConfig, [first]: readonly ComparedSet[]): string {
  return url + (isJoined === true ? pathOfDocument(first?.name, 'capabilitylist') : SOURCE_DESCRIPTION);
}

function noticeBeginning(
  config: LiveConfig,
  live: PublishedHistory,
  compared: readonly ComparedSet[],
  { from, at }: { readonly from: Date; readonly at: Date },
): Notice[] {
  if (!live.begun) return [{ code: 'first-published', description: findTop(config, compared) }];
  const begun = compared.filter(({ former }) => former === undefined);
  const notices = begun.map(({ name }): Notice => ({ code: 'set-first-published', set: name }));
  if (begun.length === compared.length || from.getTime() <= horizonOf(at.getTime(), config.changes)) {
    return notices;
  }
  return [...notices, { code: 'changes-known-from', from: formatDatetime(from), truncated: false }];
}
