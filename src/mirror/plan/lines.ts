/** What the journal of a run says, in its order. Pure. */

import type { Line, Lines } from '../memory/format.js';
import { startTakingPaths } from '../names/book.js';
import { type Files, startFiles } from './columns.js';
import { strongestDigest } from './digests.js';
import type { Kept, Outcome, Want } from './model.js';
import type { Outcomes } from './outcomes.js';
import type { MirrorPlan } from './plan.js';

/** What a run may do. */
export interface Settled {
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

/** What the lines of a run do, in numbers. */
export interface LineTally {
  readonly created: number;
  readonly updated: number;
  /** How many files there will be, and how many with bytes that no list tells the digest of. */
  readonly files: number;
  readonly unverified: number;
}

/** The lines of a run; those that are many are made each time they are read. */
export function makeLines(
  { deletions, relisted, times }: MirrorPlan,
  settled: Settled,
): { readonly lines: Lines; readonly counts: LineTally } {
  const { files, isHeld, held, nameReady } = settled;
  const gone = isHeld ? startFiles() : deletions;
  const { before, after } = orderGone(gone, settled.outcomes, times);
  const { noted, ...counts } = count(files, gone, listEffects(settled));
  const { created, updated } = counts;
  const lines: Lines = {
    length: gone.size + created + updated + noted + relisted.size + held.size,
    *[Symbol.iterator]() {
      yield* before();
      for (const [want, kept, change] of listEffects(settled)) {
        const { uri } = want.entry;
        yield change === 'noted'
          ? { kind: 'file', uri, kept }
          : new ReadyLine(want, kept, { change, time: times.get(uri) }, nameReady);
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

/** Its name in the folder of what is ready takes a digest, and not all who read the lines want it. */
class ReadyLine {
  readonly kind = 'file';
  readonly uri: string;
  readonly kept: Kept;
  readonly change: 'created' | 'updated';
  readonly time: number | undefined;
  readonly #want: Want;
  readonly #nameReady: Settled['nameReady'];

  constructor(
    want: Want,
    kept: Kept,
    { change, time }: Pick<ReadyLine, 'change' | 'time'>,
    nameReady: Settled['nameReady'],
  ) {
    this.uri = want.entry.uri;
    this.kept = kept;
    this.change = change;
    this.time = time;
    this.#want = want;
    this.#nameReady = nameReady;
  }

  get staged(): string {
    return this.#nameReady(this.#want);
  }
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
  const [taken, arriving] = [new Set(coming), startTakingPaths(coming)];
  function* list(isBefore: boolean): Generator<Line, void> {
    if (isBefore && coming.length === 0) return;
    for (const [uri, { path }] of gone) {
      if (arriving.isFree(path) === isBefore) continue;
      const time = times.get(uri);
      yield { kind: 'gone', uri, path, isTaken: taken.has(path), ...(time !== undefined && { time }) };
    }
  }
  return { before: () => list(true), after: () => list(false) };
}

/** The paths of new files that cannot stand beside what is to be deleted: at its place, in it, or above it. */
function listComing(gone: Files, outcomes: Outcomes): string[] {
  const coming: string[] = [];
  if (gone.size === 0) return coming;
  const leaving = startTakingPaths(listFilePaths(gone));
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
