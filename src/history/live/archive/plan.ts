/** Plans the archive that continues the one of the live site. Pure. */

import type { KnownArchive } from '../../../archives/known.js';
import {
  type ArchivePlan,
  type ArchiveRules,
  horizonOfArchive,
  planArchive,
} from '../../../archives/plan.js';
import type { Notice } from '../../../notices.js';
import { type ChangeEvent, formatDatetime, type Resource } from '../../../resourcesync/model.js';
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
  rules: ArchiveRules,
): ContinuedArchive {
  const from = former?.lists[0]?.from ?? former?.at ?? at;
  const live = former?.archive;
  const last = live?.lists.at(-1)?.until;
  // Where the lists do not reach back to the end of the archive, nobody knows what happened in between.
  const isWhole = last === undefined || last >= from;
  const span = { from, newest: at, archivedUntil: isWhole ? last : undefined };
  const plan: ArchivePlan<ChangeEvent> = planArchive(changes, former ? [former.at] : [], span, rules);
  const horizon = horizonOfArchive(at, rules.keep);
  const snapshots = (live?.snapshots ?? []).filter((entry) => entry.at >= horizon);
  const newest = snapshots.at(-1)?.at;
  const moments = plan.moments.filter((moment) => newest === undefined || moment > newest);
  return {
    end: plan.end,
    archive: {
      bytes: undefined,
      carried: {
        lists: isWhole ? (live?.lists ?? []).filter(({ until }) => until > horizon) : [],
        snapshots,
      },
      lists: plan.lists,
      *snapshots() {
        for (const moment of moments)
          if (former !== undefined) yield { at: moment, values: listState(former) };
      },
    },
    notices: [
      ...(live?.lost ?? []).map((archive) => noticeLost(archive, from)),
      ...(isWhole ? [] : [noticeLost('change-list-archive', from)]),
    ],
  };
}

function noticeLost(archive: 'change-list-archive' | 'resource-list-archive', from: Date): Notice {
  return { code: 'archive-shortened', archive, until: formatDatetime(from) };
}

/** What is live, as the Resource List has it: in its order. */
function listState({ resources }: LiveSet): Resource[] {
  return [...resources].map(([uri, facts]) => ({ uri, path: '', ...facts }));
}
