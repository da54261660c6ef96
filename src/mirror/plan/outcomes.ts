/** What became of the resources that were wanted: of nearly all, one of two words. Pure. */

import { makeRows, type Rows } from '../../base/columns/rows.js';
import type { Failed, Outcome, Want } from './model.js';

/** Most say no more than one of these, by its number. */
const PLAIN: readonly (Outcome | undefined)[] = [undefined, { kind: 'ready' }, { kind: 'right' }];
const TOLD = 3;

/** Outcomes by what was wanted, in the order of the plan, as they become known. */
export class Outcomes {
  readonly #wants: Rows<Want>;
  /** By the number of a want: 0 for none yet, a place in `PLAIN`, or `TOLD`. */
  readonly #kinds: Uint8Array;
  /** Those that say more, by the number of their want. */
  readonly #told = new Map<number, Outcome>();
  #size = 0;
  #isUnverified = false;

  constructor(wants: Rows<Want>) {
    this.#wants = wants;
    this.#kinds = new Uint8Array(wants.length);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether bytes came of which no digest is listed. */
  get isUnverified(): boolean {
    return this.#isUnverified;
  }

  has({ number }: Want): boolean {
    return this.#kinds[number] !== 0;
  }

  failed(): Rows<[want: Want, outcome: Failed]> {
    const all = [...this.#told].sort(([a], [b]) => a - b);
    const failures = all.flatMap(([number, outcome]) =>
      outcome.kind === 'failed' ? [[number, outcome] as const] : [],
    );
    return makeRows(failures.length, (index) => {
      const [number, outcome] = failures[index] as (typeof failures)[number];
      return [this.#wants.at(number) as Want, outcome];
    });
  }

  /** Later outcomes of the same want win. */
  set({ number }: Want, outcome: Outcome): void {
    if (this.#kinds[number] === 0) this.#size++;
    const isPlain = outcome.kind !== 'failed' && outcome.kept === undefined;
    this.#kinds[number] = isPlain ? PLAIN.findIndex((one) => one?.kind === outcome.kind) : TOLD;
    if (isPlain) this.#told.delete(number);
    else this.#told.set(number, outcome);
    this.#isUnverified ||= outcome.kind !== 'failed' && outcome.kept?.validators !== undefined;
  }

  *[Symbol.iterator](): Generator<[want: Want, outcome: Outcome], void> {
    if (this.#size === 0) return;
    for (const want of this.#wants) {
      const outcome = this.#told.get(want.number) ?? PLAIN[this.#kinds[want.number] ?? 0];
      if (outcome !== undefined) yield [want, outcome];
    }
  }
}
