/** The thread that reads some of the blobs; see `digest-blobs.ts`. */

import { parentPort, workerData } from 'node:worker_threads';
import { type BlobFact, type BlobFailure, packFacts } from './facts.js';
import { type BlobJob, startReadingBlobs } from './read.js';
import type { BlobAnswer, BlobQuestion } from './thread.js';

/** An answer costs as much as digesting a few kilobytes. */
const ANSWER_BYTES = 256 * 1024;

let facts: BlobFact[] = [];
let bytes = 0;
let unread = 0;

const reading = startReadingBlobs(workerData as BlobJob, (fact) => {
  facts.push(fact);
  bytes += fact.length;
  unread--;
  if (unread === 0 || bytes >= ANSWER_BYTES) answer(false);
});

parentPort?.on('message', ({ wishes, last }: BlobQuestion) => {
  unread += wishes.length;
  reading.ask(wishes, last);
});

void reading.done.then((failure) => {
  answer(true, failure);
  parentPort?.close();
});

function answer(done: boolean, failure?: BlobFailure): void {
  parentPort?.postMessage({ facts: packFacts(facts), done, failure } satisfies BlobAnswer);
  facts = [];
  bytes = 0;
}
