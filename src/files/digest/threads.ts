/** Starts and ends the threads that digest files. Each thread takes some files of every job. */

import type { Worker } from 'node:worker_threads';
import { type DigestJob, type DigestShare, WORKERS } from './job.js';

const SCRIPT = new URL('./digest-worker.js', import.meta.url);

interface Thread {
  readonly worker: Worker;
  given: number;
}

/** Threads that digest files; none at first, because a small site needs none. */
export class DigestThreads {
  readonly #jobs: readonly DigestJob[];
  readonly #take: (shares: readonly DigestShare[]) => void;
  readonly #threads: Thread[] = [];
  #crash: { readonly error: unknown } | undefined;
  #wake = (): void => undefined;

  /** @param jobs a list to which the caller adds before `ask` @param take receives the results of a thread */
  constructor(jobs: readonly DigestJob[], take: (shares: readonly DigestShare[]) => void) {
    this.#jobs = jobs;
    this.#take = take;
  }

  get areStarted(): boolean {
    return this.#threads.length > 0;
  }

  start(): void {
    while (this.#threads.length < WORKERS) this.#threads.push({ worker: this.#startWorker(), given: 0 });
    this.ask();
  }

  #startWorker(): Worker {
    // Loaded only here, because most runs need no thread.
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

  ask(): void {
    for (const thread of this.#threads) {
      for (const job of this.#jobs.slice(thread.given)) thread.worker.postMessage(job);
      thread.given = this.#jobs.length;
    }
  }

  /** Waits until a thread has done a job. @throws the error with which a thread failed */
  async wait(): Promise<void> {
    if (this.#crash === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#crash !== undefined) throw this.#crash.error;
  }

  close(): void {
    for (const { worker } of this.#threads) void worker.terminate();
  }
}
