/** Decides what a run may do once the outcomes are known, and lists it as the lines of a journal. Pure. */

import type { Address } from '../../paths/address.js';
import { strongestDigest } from '../../standard/model.js';
import { TakenPaths } from '../names/taken.js';
import { type Files, FileTable } from './columns.js';
import type { Line, Lines } from './lines.js';
import { type Failed, isDocument, type Kept, type Missing, type Outcome, type Want } from './model.js';
import type { Outcomes } from './outcomes.js';
import { type MirrorPlan, type MostDeletions, mayDelete } from './plan.js';

export interface Failure {
  readonly want: Want;
  readonly reason: Failed['reason'];
  readonly found: string;
}

/** Numbers of the files that the lines of a journal create, update and leave. */
interface LineTally {
  readonly created: number;
  readonly updated: number;
  /** Number of files after the run, and of those among them that no listed digest verifies. */
  readonly files: number;
  readonly unverified: number;
}

export interface Settlement extends LineTally {
  readonly lines: Lines;
  /** Failures that hold back the moment of the copy and the deletions. */
  readonly failed: readonly Failure[];
  /** Failures that hold back nothing: listed resources that were missing in two runs. */
  readonly outstanding: readonly Failure[];
  readonly missing: readonly Missing[];
  readonly deleted: number;
  readonly held: number;
  /** True if deletions wait because there are more than the user allows. */
  readonly stopped: boolean;
}

export interface SettlementRules {
  readonly most: MostDeletions;
  /** Resources that were missing in the last run. */
  readonly missing: readonly Missing[];
  /** True if the moment of the copy and the deletions wait anyway: the Source kept changing, or may list more than was read. */
  readonly isWaiting: boolean;
  /** Returns the name of a resource in the `ready` folder. */
  readonly nameReady: (want: Want) => string;
}

/** Number of runs in a row in which a resource has to be missing until it no longer holds back the others. */
const RUNS_TO_WAIT = 2;

/** Decides what a run does. Deletions and the moment of the copy wait while resources are missing or differ. */
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

function sortFailures(outcomes: Outcomes, before: readonly Missing[]) {
  const failed: Failure[] = [];
  const outstanding: Failure[] = [];
  const missing: Missing[] = [];
  const runsOf = new Map(before.map(({ entry, runs }) => [entry.uri, runs]));
  for (const [want, { reason, found }] of outcomes.failed()) {
    const { entry, sets } = want;
    const runs = (runsOf.get(entry.uri) ?? 0) + 1;
    if (reason === 'missing') missing.push({ entry, sets, runs });
    const isOutstanding = reason === 'missing' && runs >= RUNS_TO_WAIT;
    (isOutstanding ? outstanding : failed).push({ want, reason, found });
  }
  return { failed, outstanding, missing };
}

/** Finds new resources whose paths are held by files that were to be deleted, but stay for now. */
function findBlocked(outcomes: Outcomes, deletions: Files): Want[] {
  if (deletions.size === 0) return [];
  const staying = new TakenPaths(listFilePaths(deletions));
  const blocked: Want[] = [];
  for (const [want, { kind }] of outcomes)
    if (kind === 'ready' && want.kept === undefined && !staying.isFree(want.path)) blocked.push(want);
  return blocked;
}

/** Lists files whose deletion waits, with no sets, so that a later run deletes them; leaves out files that are saved so. */
function* listHeld(deletions: Files): Generator<[Address, Kept], void> {
  for (const [uri, kept] of deletions) if (kept.sets.length > 0) yield [uri, { ...kept, sets: [] }];
}

/** Decisions from which the lines of a journal follow. */
interface Settled {
  readonly files: Files;
  readonly outcomes: Outcomes;
  /** Numbers of the wanted resources whose paths other files hold. */
  readonly blocked: ReadonlySet<number>;
  readonly isHeld: boolean;
  /** Files whose deletion waits, as files of no set. */
  readonly held: Files;
  readonly nameReady: (want: Want) => string;
}

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

/** Lists files as lines of a journal that change no bytes. */
export function* listFiles(files: Files): Generator<Line, void> {
  for (const [uri, kept] of files) yield { kind: 'file', uri, kept };
}

/** Effect of a run on a wanted resource. `noted`: the bytes stay, and only the saved state changes. */
type Effect = 'created' | 'updated' | 'noted';

/** Lists effects in the order of the plan, which has changes by time, and not in the order of the downloads. */
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
  saved: Files,
  gone: Files,
  effects: Iterable<[Want, Kept, Effect]>,
): LineTally & { readonly noted: number } {
  const changes = { created: 0, updated: 0, noted: 0 };
  let files = saved.size - gone.size;
  const unverifiedBefore = saved.countUnverified();
  let unverified = unverifiedBefore - gone.countUnverified();
  for (const [{ entry, kept: before }, kept, effect] of effects) {
    changes[effect]++;
    if (before === undefined) files++;
    else if (unverifiedBefore > 0 && saved.get(entry.uri)?.validators !== undefined) unverified--;
    if (kept.validators !== undefined) unverified++;
  }
  return { ...changes, files, unverified };
}

function keptOf(want: Want, outcome: Outcome): Kept {
  return (outcome.kind === 'failed' ? undefined : outcome.kept) ?? keepAsListed(want);
}

/** Makes the saved state of a file that has the listed length and digest. */
function keepAsListed({ entry, path, sets }: Want): Kept {
  return { path, length: Number(entry.length), hash: strongestDigest(entry.hash) as string, sets };
}

/** Splits deletions into those that make room for new files, which come first, and all others. */
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

/** Lists the paths of new files that have the path of a deleted file, or one below or above it. */
function listComing(gone: Files, outcomes: Outcomes): string[] {
  const coming: string[] = [];
  if (gone.size === 0) return coming;
  const leaving = new TakenPaths(listFilePaths(gone));
  for (const [{ kept, path }, { kind }] of outcomes)
    if (kept === undefined && kind !== 'failed' && !leaving.isFree(path)) coming.push(path);
  return coming;
}

export function* listFilePaths(files: Files): Generator<string, void> {
  for (const number of files.numbers()) yield files.pathAt(number);
}

function isSameFile(a: Kept, b: Kept): boolean {
  return (
    JSON.stringify([a.hash, a.length, a.sets, a.validators]) ===
    JSON.stringify([b.hash, b.length, b.sets, b.validators])
  );
}
