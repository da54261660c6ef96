/** What became of each resource that a mirror wanted to fetch. Pure. */

import type { Rows } from '../../base/columns/rows.js';
import type { Failed, Outcome, Want } from './model.js';

export class Outcomes {
  readonly #wants: Rows<Want>;
  /** Outcomes by the number of the wanted resource; undefined for no outcome yet. */
  readonly #outcomes: (Outcome | undefined)[];
  #size = 0;
  #isUnverified = false;

  constructor(wants: Rows<Want>) {
    this.#wants = wants;
    this.#outcomes = new Array<undefined>(wants.length);
  }

  get size(): number {
    return this.#size;
  }

  get isUnverified(): boolean {
    return this.#isUnverified;
  }

  has({ number }: Want): boolean {
    return this.#outcomes[number] !== undefined;
  }

  failed(): [want: Want, outcome: Failed][] {
    return this.#outcomes.flatMap((outcome, number) =>
      outcome?.kind === 'failed' ? [[this.#wants.at(number) as Want, outcome]] : [],
    );
  }

  /** Sets the outcome of a wanted resource, in place of an earlier one. */
  set(want: Want, outcome: Outcome): void {
    if (!this.has(want)) this.#size++;
    this.#outcomes[want.number] = outcome;
    this.#isUnverified ||= outcome.kind !== 'failed' && outcome.kept?.validators !== undefined;
  }

  *[Symbol.iterator](): Generator<[want: Want, outcome: Outcome], void> {
    if (this.#size === 0) return;
    for (const want of this.#wants) {
      const outcome = this.#outcomes[want.number];
      if (outcome !== undefined) yield [want, outcome];
    }
  }
}
