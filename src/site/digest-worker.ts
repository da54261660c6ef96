/** The thread that digests some of the files; see `digest.ts`. */

import { parentPort } from 'node:worker_threads';
import { type DigestJob, digestShares } from './digest.js';

parentPort?.on('message', (job: DigestJob) => parentPort?.postMessage([...digestShares(job)]));
