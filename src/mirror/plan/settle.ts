/** What a run may do now that it is known which resources could be had. Pure. */

import type { Lines, Missing } from '../memory/format.js';
import { startTakingPaths } from '../names/book.js';
import { type Files, startFiles } from './columns.js';
import { type LineTally, listFilePaths, makeLines } from './lines.js';
import type { Failed, Kept, Want } from './model.js';
import type { Outcomes } from './outcomes.js';
import { type MirrorPlan, type MostDeletions, mayDelete } from './plan.js';

export interface Failure {
  readonly want: Want;
  readonly reason: Failed['reason'];
  readonly found: string;
}

export interface Settlement extends LineTally {
  readonly lines: Lines;
  /** These hold the moment and the deletions. */
  readonly failed: readonly Failure[];
  /** Listed, and not there in two runs: these do not. */
  readonly outstanding: readonly Failure[];
  readonly missing: readonly Missing[];
  readonly deleted: number;
  readonly held: number;
  /** Whether there was more to delete than is allowed. */
  readonly stopped: boolean;
}

export interface SettlementRules {
  readonly deletes: boolean;
  readonly most: MostDeletions;
  /** What was missing in the runs before. */
  readonly missing: readonly Missing[];
  /** Whether the moment and the deletions wait: the Source kept changing, or nothing that it lists may be copied. */
  readonly isWaiting: boolean;
  /** The name of a resource among those that are ready. */
  readonly nameReady: (want: Want) => string;
}

/** A resource that was missing in so many runs no longer holds up the others. */
const RUNS_TO_WAIT = 2;

export function settle(
  files: Files,
  plan: MirrorPlan,
  outcomes: Outcomes,
  rules: SettlementRules,
): Settlement {
  const { deletions } = plan;
  const { failed, outstanding, missing } = sortFailures(outcomes, rules.missing);
  const mayAll = mayDelete(deletions.size, files.size, rules.most);
  const isHeld = failed.length > 0 || rules.isWaiting || !rules.deletes || !mayAll;
  const blocked = isHeld ? findBlocked(outcomes, deletions) : [];
  for (const want of blocked) {
    const found = `${want.path} is needed by a file that is to be deleted`;
    failed.push({ want, reason: 'in-the-way', found });
  }
  const isWaiting = failed.length > 0 || rules.isWaiting;
  const { lines, counts } = makeLines(plan, {
    files,
    outcomes,
    blocked: new Set(blocked.map(({ number }) => number)),
    isHeld,
    held: startFiles(isHeld && !isWaiting ? listHeld(deletions) : []),
    nameReady: rules.nameReady,
  });
  return {
    ...counts,
    lines,
    failed,
    outstanding,
    missing,
    deleted: isHeld ? 0 : deletions.size,
    held: isHeld ? deletions.size : 0,
    stopped: !isWaiting && rules.deletes && !mayAll,
  };
}

function sortFailures(outcomes: Outcomes, former: readonly Missing[]) {
  const failed: Failure[] = [];
  const outstanding: Failure[] = [];
  const missing: Missing[] = [];
  const runsOf = new Map(former.map(({ entry, runs }) => [entry.uri, runs]));
  for (const [want, { reason, found }] of outcomes.failed()) {
    const { entry, sets } = want;
    const runs = 1 + (runsOf.get(entry.uri) ?? 0);
    if (reason === 'missing') missing.push({ entry, sets, runs });
    const isOutstanding = reason === 'missing' && runs >= RUNS_TO_WAIT;
    (isOutstanding ? outstanding : failed).push({ want, reason, found });
  }
  return { failed, outstanding, missing };
}

/** Files that stay where they were to go keep others from their place. */
function findBlocked(outcomes: Outcomes, deletions: Files): Want[] {
  if (deletions.size === 0) return [];
  const staying = startTakingPaths(listFilePaths(deletions));
  const blocked: Want[] = [];
  for (const [want, { kind }] of outcomes)
    if (kind === 'ready' && want.kept === undefined && !staying.isFree(want.path)) blocked.push(want);
  return blocked;
}

/** They wait in the memory, listed by no set. */
function* listHeld(deletions: Files): Generator<[string, Kept], void> {
  for (const [uri, kept] of deletions) if (kept.sets.length > 0) yield [uri, { ...kept, sets: [] }];
}
