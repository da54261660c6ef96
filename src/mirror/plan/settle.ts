/** What a run may do now that it is known which resources could be had. Pure. */

import type { Line, Missing } from '../memory/format.js';
import { foldersAbove, foldPath } from '../names/path.js';
import type { Kept } from './model.js';
import { type Files, findBlocking, type MostDeletions, mayDelete, type Plan, type Want } from './plan.js';

/** What became of what was wanted; see `Outcome`. */
export type Result =
  | { readonly kind: 'ready'; readonly kept: Kept; readonly staged: string }
  | { readonly kind: 'right'; readonly kept: Kept }
  | { readonly kind: 'failed'; readonly reason: Reason; readonly found: string };

export type Reason = 'missing' | 'different' | 'in-the-way' | 'failed';

export interface Failure {
  readonly want: Want;
  readonly reason: Reason;
  readonly found: string;
}

export interface Settlement {
  readonly lines: readonly Line[];
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
}

/** A resource that was missing in so many runs no longer holds up the others. */
const RUNS_TO_WAIT = 2;

export function settle(
  files: Files,
  plan: Plan,
  results: ReadonlyMap<Want, Result>,
  rules: Rules,
): Settlement {
  const { deletions } = plan;
  const { failed, outstanding, missing } = sortFailures(results, rules.missing);
  const mayAll = mayDelete(deletions.size, files.size, rules.most);
  const isHeld = failed.length > 0 || rules.isWaiting || !rules.deletes || !mayAll;
  const blocked = isHeld ? findBlocked(results, deletions) : [];
  for (const want of blocked) {
    const found = `${want.path} is needed by a file that is to be deleted`;
    failed.push({ want, reason: 'in-the-way', found });
  }
  const lines = makeLines(plan, { results, blocked: new Set(blocked), isHeld });
  const isWaiting = failed.length > 0 || rules.isWaiting;
  const count = (change: 'created' | 'updated') =>
    lines.reduce((sum, line) => sum + Number(line.kind === 'file' && line.change === change), 0);
  return {
    lines: isHeld && !isWaiting ? [...lines, ...listHeld(deletions)] : lines,
    failed,
    outstanding,
    missing,
    created: count('created'),
    updated: count('updated'),
    deleted: isHeld ? 0 : deletions.size,
    held: isHeld ? deletions.size : 0,
    stopped: !isWaiting && rules.deletes && !mayAll,
  };
}

function sortFailures(results: ReadonlyMap<Want, Result>, former: readonly Missing[]) {
  const failed: Failure[] = [];
  const outstanding: Failure[] = [];
  const missing: Missing[] = [];
  const runsOf = new Map(former.map(({ entry, runs }) => [entry.uri, runs]));
  for (const [want, result] of results) {
    if (result.kind !== 'failed') continue;
    const { reason, found } = result;
    const { entry, sets } = want;
    const runs = 1 + (runsOf.get(entry.uri) ?? 0);
    if (reason === 'missing') missing.push({ entry, sets, runs });
    const isOutstanding = reason === 'missing' && runs >= RUNS_TO_WAIT;
    (isOutstanding ? outstanding : failed).push({ want, reason, found });
  }
  return { failed, outstanding, missing };
}

/** Files that stay where they were to go keep others from their place. */
function findBlocked(results: ReadonlyMap<Want, Result>, deletions: ReadonlyMap<string, Kept>): Want[] {
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
  return Array.from(results, ([want, { kind }]) =>
    kind === 'ready' && want.kept === undefined && isBlocked(want.path) ? want : [],
  ).flat();
}

interface Settled {
  readonly results: ReadonlyMap<Want, Result>;
  /** Those whose place is not free. */
  readonly blocked: ReadonlySet<Want>;
  readonly isHeld: boolean;
}

function makeLines(
  { wants, deletions, relisted, times }: Plan,
  { results, blocked, isHeld }: Settled,
): Line[] {
  const gone = isHeld ? new Map<string, Kept>() : deletions;
  const fresh: string[] = [];
  if (gone.size > 0)
    for (const [{ kept, path }, { kind }] of results)
      if (kept === undefined && kind !== 'failed') fresh.push(path);
  const taken = new Set(fresh);
  const blocking = findBlocking(gone, fresh);
  const timeOf = (uri: string) => {
    const time = times.get(uri);
    return time === undefined ? {} : { time };
  };
  const toGone = (uri: string, { path }: Kept): Line => ({
    kind: 'gone',
    uri,
    ...(!taken.has(path) && { path }),
    ...timeOf(uri),
  });
  const lines: Line[] = [];
  for (const [uri, kept] of gone) if (blocking.has(uri)) lines.push(toGone(uri, kept));
  // As they are planned, so by time where changes lead here, whichever came first.
  for (const want of wants) {
    const result = results.get(want);
    if (result === undefined || result.kind === 'failed' || blocked.has(want)) continue;
    const { uri } = want.entry;
    const { kept } = result;
    if (result.kind === 'ready') {
      const change = want.kept === undefined ? 'created' : 'updated';
      lines.push({ kind: 'file', uri, kept, staged: result.staged, change, ...timeOf(uri) });
    } else if (want.kept === undefined || !isSameFile(want.kept, kept))
      lines.push({ kind: 'file', uri, kept });
  }
  for (const [uri, kept] of relisted) lines.push({ kind: 'file', uri, kept });
  for (const [uri, kept] of gone) if (!blocking.has(uri)) lines.push(toGone(uri, kept));
  return lines;
}

function isSameFile(a: Kept, b: Kept): boolean {
  return (
    JSON.stringify([a.hash, a.length, a.sets, a.validators]) ===
    JSON.stringify([b.hash, b.length, b.sets, b.validators])
  );
}

/** They wait in the memory, listed by no set. */
function listHeld(deletions: ReadonlyMap<string, Kept>): Line[] {
  return Array.from(deletions, ([uri, kept]): Line[] =>
    kept.sets.length === 0 ? [] : [{ kind: 'file', uri, kept: { ...kept, sets: [] } }],
  ).flat();
}
