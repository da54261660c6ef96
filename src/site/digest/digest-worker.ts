/** The thread that digests some of the files; see `digester.ts`. */

import { parentPort } from 'node:worker_threads';
import { type DigestJob, digestShares, loadLook } from './job.js';

parentPort?.on('message', async (job: DigestJob) => {
  const look = await loadLook(job.wanted);
  parentPort?.postMessage([...digestShares(job, look)]);
});
