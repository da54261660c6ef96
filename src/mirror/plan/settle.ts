/** What a run may do now that it is known which resources could be had. Pure. */

import type { Line, Lines, Missing } from '../memory/format.js';
import { foldersAbove, foldPath } from '../names/path.js';
import { makeLines } from './lines.js';
import type { Failed, Kept, Outcome } from './model.js';
import { type Files, type MostDeletions, mayDelete, type Plan, type Want } from './plan.js';

export interface Failure {
  readonly want: Want;
  readonly reason: Failed['reason'];
  readonly found: string;
}

export interface Settlement {
  readonly lines: Lines;
  /** These hold the moment and the deletions. */
  readonly failed: readonly Failure[];
  /** Listed, and not there in two runs: these do not. */
  readonly outstanding: readonly Failure[];
  readonly missing: readonly Missing[];
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly held: number;
  /** Whether there was more to delete than is allowed. */
  readonly stopped: boolean;
}

export interface Rules {
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
  plan: Plan,
  outcomes: ReadonlyMap<Want, Outcome>,
  rules: Rules,
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
  const held = isHeld && !isWaiting ? listHeld(deletions) : [];
  const settled = { outcomes, blocked: new Set(blocked), isHeld, held, nameReady: rules.nameReady };
  const { lines, created, updated } = makeLines(plan, settled);
  return {
    lines,
    failed,
    outstanding,
    missing,
    created,
    updated,
    deleted: isHeld ? 0 : deletions.size,
    held: isHeld ? deletions.size : 0,
    stopped: !isWaiting && rules.deletes && !mayAll,
  };
}

function sortFailures(outcomes: ReadonlyMap<Want, Outcome>, former: readonly Missing[]) {
  const failed: Failure[] = [];
  const outstanding: Failure[] = [];
  const missing: Missing[] = [];
  const runsOf = new Map(former.map(({ entry, runs }) => [entry.uri, runs]));
  for (const [want, outcome] of outcomes) {
    if (outcome.kind !== 'failed') continue;
    const { reason, found } = outcome;
    const { entry, sets } = want;
    const runs = 1 + (runsOf.get(entry.uri) ?? 0);
    if (reason === 'missing') missing.push({ entry, sets, runs });
    const isOutstanding = reason === 'missing' && runs >= RUNS_TO_WAIT;
    (isOutstanding ? outstanding : failed).push({ want, reason, found });
  }
  return { failed, outstanding, missing };
}

/** Files that stay where they were to go keep others from their place. */
function findBlocked(outcomes: ReadonlyMap<Want, Outcome>, deletions: ReadonlyMap<string, Kept>): Want[] {
  if (deletions.size === 0) return [];
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { path } of deletions.values()) {
    const folded = foldPath(path);
    files.add(folded);
    for (const folder of foldersAbove(folded)) folders.add(folder);
  }
  const isBlocked = (path: string) => {
    const folded = foldPath(path);
    return files.has(folded) || folders.has(folded) || foldersAbove(folded).some((one) => files.has(one));
  };
  return Array.from(outcomes, ([want, { kind }]) =>
    kind === 'ready' && want.kept === undefined && isBlocked(want.path) ? want : [],
  ).flat();
}

/** They wait in the memory, listed by no set. */
function listHeld(deletions: ReadonlyMap<string, Kept>): Line[] {
  return Array.from(deletions, ([uri, kept]): Line[] =>
    kept.sets.length === 0 ? [] : [{ kind: 'file', uri, kept: { ...kept, sets: [] } }],
  ).flat();
}
