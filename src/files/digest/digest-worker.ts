/** The thread that digests some of the files; see `digester.ts`. */

import type { PageReader } from '../page/facts/facts.js';
import { type DigestJob, digestShares, loadPageReader } from './job.js';

const port = process.getBuiltinModule('node:worker_threads').parentPort;
/** Every job wants the same. */
let reader: Promise<PageReader | undefined> | undefined;

port?.on('message', async (job: DigestJob) => {
  reader ??= loadPageReader(job.wanted, job.known);
  port.postMessage([...digestShares(job, await reader)]);
});
