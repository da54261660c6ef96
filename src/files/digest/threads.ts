/** The threads that digest files: each of them takes some files of every job. */

import type { Worker } from 'node:worker_threads';
import type { DigestJob, DigestShare } from './job.js';

const SCRIPT = new URL('./digest-worker.js', import.meta.url);

interface Thread {
  readonly worker: Worker;
  given: number;
}

/** Empty at first, because a small site needs no threads. */
export class DigestThreads {
  readonly #jobs: readonly DigestJob[];
  readonly #take: (shares: readonly DigestShare[]) => void;
  readonly #threads: Thread[] = [];
  #crash: { readonly error: unknown } | undefined;
  #wake = (): void => undefined;

  /** @param jobs may grow before `ask` @param take receives the results of a thread */
  constructor(jobs: readonly DigestJob[], take: (shares: readonly DigestShare[]) => void) {
    this.#jobs = jobs;
    this.#take = take;
  }

  get count(): number {
    return this.#threads.length;
  }

  start(count: number): void {
    while (this.#threads.length < count) this.#threads.push({ worker: this.#startWorker(), given: 0 });
    this.ask();
  }

  #startWorker(): Worker {
    // Loaded late, as threads are.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(SCRIPT, { execArgv: [] });
    worker.on('message', (shares: readonly DigestShare[]) => {
      this.#take(shares);
      this.#wake();
    });
    worker.on('error', (error) => {
      this.#crash ??= { error };
      this.#wake();
    });
    return worker;
  }

  /** Sends the threads the jobs that they have not seen. */
  ask(): void {
    for (const thread of this.#threads) {
      for (const job of this.#jobs.slice(thread.given)) thread.worker.postMessage(job);
      thread.given = this.#jobs.length;
    }
  }

  /** Waits until a thread has done a job. @throws what one of them failed with */
  async wait(): Promise<void> {
    if (this.#crash === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#crash !== undefined) throw this.#crash.error;
  }

  /** Ends the threads, even if they are not done. */
  close(): void {
    for (const { worker } of this.#threads) void worker.terminate();
  }
}
