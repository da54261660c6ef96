/** The threads that digest files: each of them takes some files of every job. */

import type { Worker } from 'node:worker_threads';
import type { DigestJob, DigestShare } from './job.js';

const SCRIPT = new URL('./digest-worker.js', import.meta.url);

interface Thread {
  readonly worker: Worker;
  /** Number of jobs that it has been given. */
  given: number;
}

/** None is there from the beginning, because a small site needs none. */
export class DigestThreads {
  readonly #jobs: readonly DigestJob[];
  readonly #take: (shares: readonly DigestShare[]) => void;
  readonly #threads: Thread[] = [];
  #crash: { readonly error: unknown } | undefined;
  #wake = (): void => undefined;

  /**
   * @param jobs more may be added to them before `ask`
   * @param take is given what a thread made of a job
   */
  constructor(jobs: readonly DigestJob[], take: (shares: readonly DigestShare[]) => void) {
    this.#jobs = jobs;
    this.#take = take;
  }

  get count(): number {
    return this.#threads.length;
  }

  /** Starts threads until there are so many. */
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

  /** Gives the threads what they have not been given yet. */
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

  /** Ends the threads, whether they are done or not. */
  close(): void {
    for (const { worker } of this.#threads) void worker.terminate();
  }
}
