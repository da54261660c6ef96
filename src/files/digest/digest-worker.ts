/** Script of a thread that digests some of the files; see `digester.ts`. */

import { type DigestJob, type DigestShare, digestShares, LatePageReader } from './job.js';

const port = process.getBuiltinModule('node:worker_threads').parentPort;
/** Reader of pages for all jobs of this thread, since all jobs want the same facts. */
const pages = new LatePageReader();

port?.on('message', async (job: DigestJob) => {
  const shares: DigestShare[] = [];
  for await (const share of digestShares(job, pages)) shares.push(share);
  port.postMessage(shares);
});
