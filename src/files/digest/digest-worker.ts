/** The thread that digests some of the files; see `digester.ts`. */

import { type DigestJob, type DigestShare, digestShares, LatePageReader } from './job.js';

const port = process.getBuiltinModule('node:worker_threads').parentPort;
/** Every job wants the same. */
const pages = new LatePageReader();

port?.on('message', async (job: DigestJob) => {
  const shares: DigestShare[] = [];
  for await (const share of digestShares(job, pages)) shares.push(share);
  port.postMessage(shares);
});
