/** What a run may do now that it is known which resources could be had, and the journal that says so. Pure. */

import { strongestDigest } from '../../source/listed.js';
import { TakenPaths } from '../names/taken.js';
import { type Files, FileTable } from './columns.js';
import type { Line, Lines, Missing } from './lines.js';
import { type Failed, isDocument, type Kept, type Outcome, type Want } from './model.js';
import type { Outcomes } from './outcomes.js';
import { type MirrorPlan, type MostDeletions, mayDelete } from './plan.js';

export interface Failure {
  readonly want: Want;
  readonly reason: Failed['reason'];
  readonly found: string;
}

/** What the lines of a run do, in numbers. */
interface LineTally {
  readonly created: number;
  readonly updated: number;
  /** How many files there will be, and how many with bytes that no list tells the digest of. */
  readonly files: number;
  readonly unverified: number;
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
  const mayAll = mayDelete(deletions, files, rules.most);
  const isHeld = failed.length > 0 || rules.isWaiting || !mayAll;
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
    held: new FileTable(isHeld && !isWaiting ? listHeld(deletions) : []),
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
    stopped: !isWaiting && !mayAll,
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
  const staying = new TakenPaths(listFilePaths(deletions));
  const blocked: Want[] = [];
  for (const [want, { kind }] of outcomes)
    if (kind === 'ready' && want.kept === undefined && !staying.isFree(want.path)) blocked.push(want);
  return blocked;
}

/** They wait in the memory, listed by no set. */
function* listHeld(deletions: Files): Generator<[string, Kept], void> {
  for (const [uri, kept] of deletions) if (kept.sets.length > 0) yield [uri, { ...kept, sets: [] }];
}

/** What a run may do. */
interface Settled {
  readonly files: Files;
  readonly outcomes: Outcomes;
  /** The numbers of those whose place is not free. */
  readonly blocked: ReadonlySet<number>;
  readonly isHeld: boolean;
  /** Deletions that wait. */
  readonly held: Files;
  /** The name of a resource among those that are ready. */
  readonly nameReady: (want: Want) => string;
}

/** The lines of a run; those that are many are made each time they are read. */
function makeLines(
  { deletions, relisted, times }: MirrorPlan,
  settled: Settled,
): { readonly lines: Lines; readonly counts: LineTally } {
  const { files, isHeld, held, nameReady } = settled;
  const gone = isHeld ? new FileTable() : deletions;
  const { before, after } = orderGone(gone, settled.outcomes, times);
  const { noted, ...counts } = count(files, gone, listEffects(settled));
  const { created, updated } = counts;
  const lines: Lines = {
    length: gone.size + created + updated + noted + relisted.size + held.size,
    *[Symbol.iterator]() {
      yield* before();
      for (const [want, kept, change] of listEffects(settled)) {
        const { uri, type } = want.entry;
        const line = { kind: 'file', uri, kept } as const;
        if (change === 'noted') yield line;
        else yield { ...line, staged: nameReady(want), change, time: times.get(uri), type };
      }
      yield* listFiles(relisted);
      yield* after();
      yield* listFiles(held);
    },
  };
  return { lines, counts };
}

/** Lines that say what files are. */
export function* listFiles(files: Files): Generator<Line, void> {
  for (const [uri, kept] of files) yield { kind: 'file', uri, kept };
}

/** `noted`: the bytes stay as they are, and more is known of them. */
type Effect = 'created' | 'updated' | 'noted';

/** As they are planned, so by time where changes lead here, whichever came first. */
function* listEffects({ outcomes, blocked }: Settled): Generator<[Want, Kept, Effect], void> {
  for (const [want, outcome] of outcomes) {
    const effect = blocked.has(want.number) ? undefined : findEffect(want, outcome);
    if (effect !== undefined) yield [want, keptOf(want, outcome), effect];
  }
}

function findEffect(want: Want, outcome: Outcome): Effect | undefined {
  if (outcome.kind === 'failed') return undefined;
  if (outcome.kind === 'ready') return want.kept === undefined ? 'created' : 'updated';
  return want.kept === undefined || !isSameFile(want.kept, keptOf(want, outcome)) ? 'noted' : undefined;
}

function count(
  known: Files,
  gone: Files,
  effects: Iterable<[Want, Kept, Effect]>,
): LineTally & { readonly noted: number } {
  const changes = { created: 0, updated: 0, noted: 0 };
  let files = known.size - gone.size;
  const before = known.countUnverified();
  let unverified = before - gone.countUnverified();
  for (const [{ entry, kept: former }, kept, effect] of effects) {
    changes[effect]++;
    if (former === undefined) files++;
    else if (before > 0 && known.get(entry.uri)?.validators !== undefined) unverified--;
    if (kept.validators !== undefined) unverified++;
  }
  return { ...changes, files, unverified };
}

function keptOf(want: Want, outcome: Outcome): Kept {
  return (outcome.kind === 'failed' ? undefined : outcome.kept) ?? keepAsListed(want);
}

/** What is remembered of a resource whose bytes are those that are listed, length and digest. */
function keepAsListed({ entry, path, sets }: Want): Kept {
  return { path, length: Number(entry.length), hash: strongestDigest(entry.hash) ?? '', sets };
}

/** The deletions that have to come before files are put into place, and all others. */
function orderGone(gone: Files, outcomes: Outcomes, times: MirrorPlan['times']) {
  const coming = listComing(gone, outcomes);
  const [taken, arriving] = [new Set(coming), new TakenPaths(coming)];
  function* list(isBefore: boolean): Generator<Line, void> {
    if (isBefore && coming.length === 0) return;
    for (const [uri, { path, sets }] of gone) {
      if (arriving.isFree(path) === isBefore) continue;
      const time = times.get(uri);
      yield {
        kind: 'gone',
        uri,
        path,
        isTaken: taken.has(path),
        ...(isDocument(sets) && { isDocument: true }),
        ...(time !== undefined && { time }),
      };
    }
  }
  return { before: () => list(true), after: () => list(false) };
}

/** The paths of new files that cannot stand beside what is to be deleted: at its place, in it, or above it. */
function listComing(gone: Files, outcomes: Outcomes): string[] {
  const coming: string[] = [];
  if (gone.size === 0) return coming;
  const leaving = new TakenPaths(listFilePaths(gone));
  for (const [{ kept, path }, { kind }] of outcomes)
    if (kept === undefined && kind !== 'failed' && !leaving.isFree(path)) coming.push(path);
  return coming;
}

/** The paths of files. */
export function* listFilePaths(files: Files): Generator<string, void> {
  for (const number of files.numbers()) yield files.pathAt(number);
}

function isSameFile(a: Kept, b: Kept): boolean {
  return (
    JSON.stringify([a.hash, a.length, a.sets, a.validators]) ===
    JSON.stringify([b.hash, b.length, b.sets, b.validators])
  );
}
