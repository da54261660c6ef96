/** What became of the resources that were wanted, in a few bytes each. Pure. */

import { makeRows, type Rows } from '../../base/columns/rows.js';
import { startKept } from './columns.js';
import type { Failed, Outcome, Want } from './model.js';

/** Outcomes by what was wanted, in the order of the plan, as they become known. */
export type OutcomeTable = ReturnType<typeof startOutcomes>;

/** Outcomes that do not change. */
export type Outcomes = Omit<OutcomeTable, 'set'>;

const KINDS = [undefined, 'ready', 'right', 'failed'] as const;

/** Starts without an outcome. */
export function startOutcomes(wants: Rows<Want>) {
  /** By the number of a want, that of its kind. */
  const kinds = new Uint8Array(wants.length);
  const failures = new Map<number, Failed>();
  const kept = startKept();
  /** By the number of a want, the row that tells what is to be remembered, and 1; 0 where that is as listed. */
  let rows: Uint32Array | undefined;
  let pushed = 0;
  let [size, isUnverified] = [0, false];

  function get({ number, entry }: Want): Outcome | undefined {
    const kind = KINDS[kinds[number] ?? 0];
    if (kind === undefined || kind === 'failed') return failures.get(number);
    const row = rows?.[number] ?? 0;
    return row === 0 ? { kind } : { kind, kept: kept.at(row - 1, entry.uri) };
  }

  return {
    get size() {
      return size;
    },
    /** Whether bytes came of which no digest is listed. */
    get isUnverified() {
      return isUnverified;
    },
    has: ({ number }: Want) => kinds[number] !== 0,
    failed(): Rows<[want: Want, outcome: Failed]> {
      const numbers = Uint32Array.from(failures.keys()).sort();
      return makeRows(numbers.length, (index) => {
        const number = numbers[index] ?? 0;
        return [wants.at(number) as Want, failures.get(number) as Failed];
      });
    },
    /** What is told later counts. */
    set({ number, entry }: Want, outcome: Outcome): void {
      if (kinds[number] === 0) size++;
      kinds[number] = KINDS.indexOf(outcome.kind);
      failures.delete(number);
      if (outcome.kind === 'failed') failures.set(number, outcome);
      else if (outcome.kept !== undefined) {
        kept.push(outcome.kept, entry.uri);
        rows ??= new Uint32Array(wants.length);
        rows[number] = ++pushed;
        isUnverified ||= outcome.kept.validators !== undefined;
      }
    },
    *[Symbol.iterator](): Generator<[want: Want, outcome: Outcome], void> {
      if (size === 0) return;
      for (const want of wants) {
        const outcome = get(want);
        if (outcome !== undefined) yield [want, outcome];
      }
    },
  };
}
