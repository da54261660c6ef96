/** Plans the archive that continues the one of the live site. Pure. */

import type { Notice } from '../../../base/notices.js';
import type { ArchivesConfig } from '../../../config/config.js';
import type { ArchiveName } from '../../../paths/ours.js';
import { type ChangeEvent, formatDatetime, type Resource } from '../../../standard/model.js';
import { ARCHIVE_KINDS, type SetArchives } from '../../archives/kinds.js';
import type { KnownArchive } from '../../archives/known.js';
import { type ArchivePlan, horizonOfArchive, planArchive } from '../../archives/plan.js';
import type { LiveSet } from '../published.js';

/** The archive of a set, and what is to be told of it. */
export interface ContinuedArchive {
  /** The lists of today reach back to here. */
  readonly end: Date;
  readonly archive: KnownArchive;
  readonly notices: readonly Notice[];
}

/**
 * Continues the archive of a set of resources.
 *
 * @param former undefined for a set that is not live yet
 * @param changes all that are known, in order: those of the live lists, and those of this run
 * @param at the moment of the newest publication
 */
export function continueArchive(
  former: LiveSet | undefined,
  changes: readonly ChangeEvent[],
  at: Date,
  rules: ArchivesConfig,
): ContinuedArchive {
  const from = former?.lists[0]?.from ?? former?.at ?? at;
  const live = former?.archive?.entries ?? NOTHING;
  const last = live['changelist-archive'].at(-1)?.until;
  // Where the lists do not reach back to the end of the archive, nobody knows what happened in between.
  const isWhole = last === undefined || last >= from;
  const span = { from, newest: at, archivedUntil: isWhole ? last : undefined };
  const plan: ArchivePlan<ChangeEvent> = planArchive(changes, former ? [former.at] : [], span, rules);
  const kept = keepEntries(isWhole ? live : { ...live, ...NO_INTERVALS }, horizonOfArchive(at, rules.keep));
  const isNew = (moment: Date, archive: 'resourcelist-archive' | 'resourcedump-archive') =>
    moment.getTime() > (kept[archive].at(-1)?.at.getTime() ?? Number.NEGATIVE_INFINITY);
  const moments = plan.moments.filter((moment) => isNew(moment, 'resourcelist-archive'));
  const { resourceDump, packages = [] } = former ?? {};
  const isDue = plan.moments.some(
    (moment) => moment.getTime() === resourceDump?.at.getTime() && isNew(moment, 'resourcedump-archive'),
  );
  return {
    end: plan.end,
    archive: {
      bytes: undefined,
      live: {
        entries: kept,
        packages: rules.dumps ? { snapshot: isDue ? resourceDump : undefined, changes: packages } : undefined,
      },
      lists: plan.lists,
      *snapshots() {
        for (const moment of moments)
          if (former !== undefined) yield { at: moment, values: listState(former) };
      },
    },
    notices: [
      ...(former?.archive?.lost ?? []).map((archive) => noticeLost(archive, from)),
      ...(isWhole ? [] : [noticeLost('changelist-archive', from)]),
    ],
  };
}

const NO_INTERVALS = { 'changelist-archive': [], 'changedump-archive': [] };
const NOTHING: SetArchives = { 'resourcelist-archive': [], 'resourcedump-archive': [], ...NO_INTERVALS };

/** What is not too old. */
function keepEntries(entries: SetArchives, horizon: Date): SetArchives {
  return {
    'resourcelist-archive': entries['resourcelist-archive'].filter(({ at }) => at >= horizon),
    'resourcedump-archive': entries['resourcedump-archive'].filter(({ at }) => at >= horizon),
    'changelist-archive': entries['changelist-archive'].filter(({ until }) => until > horizon),
    'changedump-archive': entries['changedump-archive'].filter(({ until }) => until > horizon),
  };
}

function noticeLost(archive: ArchiveName, from: Date): Notice {
  return { code: 'archive-shortened', archive: ARCHIVE_KINDS[archive], until: formatDatetime(from) };
}

/** What is live, as the Resource List has it: in its order. */
function listState({ resources }: LiveSet): Resource[] {
  return [...resources].map(([uri, facts]) => ({ uri, path: '', ...facts }));
}
