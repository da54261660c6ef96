/** The thread that digests some of the files; see `digester.ts`. */

import { type DigestJob, digestShares, loadPageReader } from './job.js';

const port = process.getBuiltinModule('node:worker_threads').parentPort;
/** Every job wants the same. */
let reader: ReturnType<typeof loadPageReader> | undefined;

port?.on('message', async (job: DigestJob) => {
  reader ??= loadPageReader(job.wanted, job.known);
  port.postMessage([...digestShares(job, await reader)]);
});
