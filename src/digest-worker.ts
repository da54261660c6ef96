/** The thread that digests a share of the files; see `digest.ts`. */

import { parentPort } from 'node:worker_threads';
import { type DigestJob, digestShare } from './digest.js';

parentPort?.on('message', (job: DigestJob) => parentPort?.postMessage(digestShare(job)));
