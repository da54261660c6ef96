/** The thread that writes packages; see `pack.ts`. */

import { parentPort } from 'node:worker_threads';
import { answerJob, type PackJob } from './pack.js';

parentPort?.on('message', async (job: PackJob) => parentPort?.postMessage(await answerJob(job)));
