/** A thread that reads blobs, from a process of git of its own. */

import { type BlobFact, type BlobFailure, type BlobWish, unpackFacts } from './facts.js';
import type { BlobJob, BlobReading } from './read.js';

/** What the thread is asked. */
export interface BlobQuestion {
  readonly wishes: readonly BlobWish[];
  readonly last: boolean;
}

/** What it answers, any number of times; with `done` for the last time. */
export interface BlobAnswer {
  /** Packed. */
  readonly facts: string;
  readonly done: boolean;
  readonly failure?: BlobFailure | undefined;
}

/** @param take is told of each blob, in their order */
export function startThread(job: BlobJob, take: (fact: BlobFact) => void): BlobReading {
  // Loaded late, because most histories need no threads.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const worker = new Worker(new URL('./blob-worker.js', import.meta.url), { execArgv: [], workerData: job });
  const done = new Promise<BlobFailure | undefined>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', ({ facts, done, failure }: BlobAnswer) => {
      for (const fact of unpackFacts(facts)) take(fact);
      if (done) resolve(failure);
    });
  });
  return {
    ask: (wishes, last) => worker.postMessage({ wishes, last } satisfies BlobQuestion),
    done,
  };
}
