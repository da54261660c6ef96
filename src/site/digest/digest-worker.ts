/** The thread that digests some of the files; see `digester.ts`. */

import { parentPort } from 'node:worker_threads';
import { type DigestJob, digestShares, loadPageReader } from './job.js';

parentPort?.on('message', async (job: DigestJob) => {
  const readPage = await loadPageReader(job.wanted);
  parentPort?.postMessage([...digestShares(job, readPage)]);
});
