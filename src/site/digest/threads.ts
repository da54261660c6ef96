/** The threads that digest files; each is told of every job. */

import { Worker } from 'node:worker_threads';
import { type DigestJob, type DigestShare, WORKERS } from './job.js';

/** Threads, one of which is there from the beginning. */
export interface DigestThreads {
  /** Every job so far. */
  readonly jobs: readonly DigestJob[];
  /** Hands a job to all threads, and to those that start later. */
  readonly post: (job: DigestJob) => void;
  readonly areAllStarted: () => boolean;
  readonly startOthers: () => void;
  /** Ends them, whether they are done or not. */
  readonly close: () => void;
}

/** Starts one thread. The callbacks are told what a thread has done, and what it failed with. */
export function startThreads(
  onShares: (shares: readonly DigestShare[]) => void,
  onCrash: (error: Error) => void,
): DigestThreads {
  const workers: Worker[] = [];
  const jobs: DigestJob[] = [];
  const startWorker = (): void => {
    const worker = new Worker(new URL('./digest-worker.js', import.meta.url), { execArgv: [] });
    worker.on('message', onShares);
    worker.on('error', onCrash);
    workers.push(worker);
    for (const job of jobs) worker.postMessage(job);
  };
  startWorker();
  return {
    jobs,
    post: (job) => {
      for (const worker of workers) worker.postMessage(job);
      jobs.push(job);
    },
    areAllStarted: () => workers.length === WORKERS,
    startOthers: () => {
      while (workers.length < WORKERS) startWorker();
    },
    close: () => {
      for (const worker of workers) void worker.terminate();
    },
  };
}
