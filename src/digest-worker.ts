/** The thread that digests a share of the files; see `digest.ts`. */

import { parentPort, workerData } from 'node:worker_threads';
import { digestShare } from './digest.js';

parentPort?.postMessage(await digestShare(workerData));
