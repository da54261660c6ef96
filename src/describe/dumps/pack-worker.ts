/** The thread that writes packages; see `pack.ts`. */

import { parentPort } from 'node:worker_threads';
import type { PackJob } from './job.js';
import { answerJob } from './pack.js';

parentPort?.on('message', async (job: PackJob) => parentPort?.postMessage(await answerJob(job)));
