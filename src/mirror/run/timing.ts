/** Measures how long a mirror reads documents, fetches resources and moves files. */

import type { MirrorReport } from '../report.js';

export class Timing {
  readonly #begin = performance.now();
  #read: number | undefined;
  #fetched: number | undefined;

  /** Marks the end of the first reading of the documents. */
  markRead(): void {
    this.#read ??= performance.now();
  }

  markFetched(): void {
    this.#fetched = performance.now();
  }

  /** Returns the milliseconds of each phase; a phase whose end has no mark lasts until now. */
  measure(): MirrorReport['durations'] {
    const now = performance.now();
    const [read, fetched] = [this.#read ?? now, this.#fetched ?? now];
    return {
      documents: Math.round(read - this.#begin),
      resources: Math.round(fetched - read),
      moves: Math.round(now - fetched),
      total: Math.round(now - this.#begin),
    };
  }
}
