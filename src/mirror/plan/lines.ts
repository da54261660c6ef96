/** What the journal of a run says, in its order. Pure. */

import type { Line, Lines } from '../memory/format.js';
import { strongestDigest } from './digests.js';
import type { Kept, Outcome } from './model.js';
import { findBlocking, type Plan, type Want } from './plan.js';

/** What a run may do. */
export interface Settled {
  readonly outcomes: ReadonlyMap<Want, Outcome>;
  /** Those whose place is not free. */
  readonly blocked: ReadonlySet<Want>;
  readonly isHeld: boolean;
  /** Deletions that wait. */
  readonly held: readonly Line[];
  /** The name of a resource among those that are ready. */
  readonly nameReady: (want: Want) => string;
}

/** The lines of a run, and how many files they create and update. */
export function makeLines({ wants, deletions, relisted, times }: Plan, settled: Settled) {
  const { outcomes, blocked, isHeld, held, nameReady } = settled;
  const gone = isHeld ? new Map<string, Kept>() : deletions;
  const { before, after } = orderGone(gone, outcomes, times);
  const counts = { created: 0, updated: 0, noted: 0 };
  // As they are planned, so by time where changes lead here, whichever came first.
  function* listEffects(): Generator<[Want, Kept, Effect]> {
    for (const want of wants) {
      const outcome = outcomes.get(want);
      const effect = outcome && !blocked.has(want) ? findEffect(want, outcome) : undefined;
      if (outcome !== undefined && effect !== undefined) yield [want, keptOf(want, outcome), effect];
    }
  }
  for (const [, , effect] of listEffects()) counts[effect]++;
  const { created, updated, noted } = counts;
  const lines: Lines = {
    length: gone.size + created + updated + noted + relisted.size + held.length,
    *[Symbol.iterator]() {
      yield* before;
      for (const [want, kept, change] of listEffects()) {
        const { uri } = want.entry;
        yield change === 'noted'
          ? { kind: 'file', uri, kept }
          : new ReadyLine(want, kept, { change, time: times.get(uri) }, nameReady);
      }
      for (const [uri, kept] of relisted) yield { kind: 'file', uri, kept };
      yield* after;
      yield* held;
    },
  };
  return { lines, created, updated };
}

/** `noted`: the bytes stay as they are, and more is known of them. */
type Effect = 'created' | 'updated' | 'noted';

function findEffect(want: Want, outcome: Outcome): Effect | undefined {
  if (outcome.kind === 'failed') return undefined;
  if (outcome.kind === 'ready') return want.kept === undefined ? 'created' : 'updated';
  return want.kept === undefined || !isSameFile(want.kept, keptOf(want, outcome)) ? 'noted' : undefined;
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
function orderGone(gone: ReadonlyMap<string, Kept>, outcomes: Settled['outcomes'], times: Plan['times']) {
  const fresh: string[] = [];
  if (gone.size > 0)
    for (const [{ kept, path }, { kind }] of outcomes)
      if (kept === undefined && kind !== 'failed') fresh.push(path);
  const taken = new Set(fresh);
  const blocking = findBlocking(gone, fresh);
  const before: Line[] = [];
  const after: Line[] = [];
  for (const [uri, { path }] of gone) {
    const time = times.get(uri);
    const line: Line = {
      kind: 'gone',
      uri,
      ...(!taken.has(path) && { path }),
      ...(time !== undefined && { time }),
    };
    (blocking.has(uri) ? before : after).push(line);
  }
  return { before, after };
}

function isSameFile(a: Kept, b: Kept): boolean {
  return (
    JSON.stringify([a.hash, a.length, a.sets, a.validators]) ===
    JSON.stringify([b.hash, b.length, b.sets, b.validators])
  );
}
