/** The thread that digests some of the files; see `digester.ts`. */

import { parentPort } from 'node:worker_threads';
import { type DigestJob, digestShares } from './job.js';

parentPort?.on('message', (job: DigestJob) => parentPort?.postMessage([...digestShares(job)]));
