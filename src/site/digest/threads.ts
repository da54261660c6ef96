/** The threads that digest files; each is told of every job. */

import type { Worker } from 'node:worker_threads';
import { type DigestJob, type DigestShare, WORKERS } from './job.js';

/** Threads, none of which is there from the beginning. */
export interface DigestThreads {
  /** Hands a job to all threads, and to those that start later. */
  readonly post: (job: DigestJob) => void;
  readonly areAllStarted: () => boolean;
  /** Starts one, if there is none. */
  readonly startFirst: () => void;
  readonly startAll: () => void;
  /** Ends them, whether they are done or not. */
  readonly close: () => void;
}

/** The callbacks are told what a thread has done, and what it failed with. */
export function prepareThreads(
  onShares: (shares: readonly DigestShare[]) => void,
  onCrash: (error: Error) => void,
): DigestThreads {
  const workers: Worker[] = [];
  /** Every job so far, for the threads that are still to start. */
  const jobs: DigestJob[] = [];
  const startWorker = (): void => {
    // Loaded late, because small sites need no threads.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(new URL('./digest-worker.js', import.meta.url), { execArgv: [] });
    worker.on('message', onShares);
    worker.on('error', onCrash);
    workers.push(worker);
    for (const job of jobs) worker.postMessage(job);
  };
  return {
    post: (job) => {
      for (const worker of workers) worker.postMessage(job);
      if (workers.length < WORKERS) jobs.push(job);
    },
    areAllStarted: () => workers.length === WORKERS,
    startFirst: () => {
      if (workers.length === 0) startWorker();
    },
    startAll: () => {
      while (workers.length < WORKERS) startWorker();
      jobs.length = 0;
    },
    close: () => {
      for (const worker of workers) void worker.terminate();
    },
  };
}
