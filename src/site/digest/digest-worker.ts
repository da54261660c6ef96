/** The thread that digests some of the files; see `digester.ts`. */

import { parentPort } from 'node:worker_threads';
import { type DigestJob, digestShares, loadPageReader } from './job.js';

/** Every job wants the same. */
let reader: ReturnType<typeof loadPageReader> | undefined;

parentPort?.on('message', async (job: DigestJob) => {
  reader ??= loadPageReader(job.wanted);
  parentPort?.postMessage([...digestShares(job, await reader)]);
});
