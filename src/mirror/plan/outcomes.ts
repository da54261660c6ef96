/** Outcomes of wanted resources, most of them in one byte. Pure. */

import { makeRows, type Rows } from '../../base/columns/rows.js';
import type { Failed, Outcome, Want } from './model.js';

/** Outcomes without details, each by the number that stands for it. */
const PLAIN: readonly (Outcome | undefined)[] = [undefined, { kind: 'ready' }, { kind: 'right' }];
const DETAILED = 3;

/** Outcomes of wanted resources, in the order of the plan. */
export class Outcomes {
  readonly #wants: Rows<Want>;
  /** Kinds of outcomes, by the number of the want: 0 for no outcome yet, an index in `PLAIN`, or `DETAILED`. */
  readonly #kinds: Uint8Array;
  readonly #detailed = new Map<number, Outcome>();
  #size = 0;
  #isUnverified = false;

  constructor(wants: Rows<Want>) {
    this.#wants = wants;
    this.#kinds = new Uint8Array(wants.length);
  }

  get size(): number {
    return this.#size;
  }

  get isUnverified(): boolean {
    return this.#isUnverified;
  }

  has({ number }: Want): boolean {
    return this.#kinds[number] !== 0;
  }

  failed(): Rows<[want: Want, outcome: Failed]> {
    const all = [...this.#detailed].sort(([a], [b]) => a - b);
    const failures = all.flatMap(([number, outcome]) =>
      outcome.kind === 'failed' ? [[number, outcome] as const] : [],
    );
    return makeRows(failures.length, (index) => {
      const [number, outcome] = failures[index] as (typeof failures)[number];
      return [this.#wants.at(number) as Want, outcome];
    });
  }

  /** Sets the outcome of a want, in place of an earlier one. */
  set({ number }: Want, outcome: Outcome): void {
    if (this.#kinds[number] === 0) this.#size++;
    const isPlain = outcome.kind !== 'failed' && outcome.kept === undefined;
    this.#kinds[number] = isPlain ? PLAIN.findIndex((one) => one?.kind === outcome.kind) : DETAILED;
    if (isPlain) this.#detailed.delete(number);
    else this.#detailed.set(number, outcome);
    this.#isUnverified ||= outcome.kind !== 'failed' && outcome.kept?.validators !== undefined;
  }

  *[Symbol.iterator](): Generator<[want: Want, outcome: Outcome], void> {
    if (this.#size === 0) return;
    for (const want of this.#wants) {
      const kind = this.#kinds[want.number] as number;
      const outcome = kind === DETAILED ? this.#detailed.get(want.number) : PLAIN[kind];
      if (outcome !== undefined) yield [want, outcome];
    }
  }
}
