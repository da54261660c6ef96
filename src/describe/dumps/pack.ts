/** Writes packages, in threads where there is much to pack: compressing would keep the main one from all else. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { Words } from '../../base/text/say.js';
import type { PackedFile, PackJob } from './job.js';
import { packPackage } from './package.js';

/** More threads than cores are of no use, and each takes some 100 MB. */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** Fewer bytes are packed before threads have started. */
const WORTH_THREADS = 2 * 1024 * 1024;

/**
 * Writes packages, in threads if there is much to pack.
 *
 * @param onProgress called with the number of packages that are done
 * @throws ResyncError `file-changing` when a file is no longer what was described, `git-failed`; a system error when
 *   a package cannot be written
 */
export async function packPackages(
  jobs: readonly PackJob[],
  onProgress: (done: number) => void,
): Promise<PackedFile[]> {
  const bytes = jobs.flatMap(({ bitstreams }) => bitstreams).reduce((sum, { length }) => sum + length, 0);
  if (bytes >= WORTH_THREADS) return packInThreads(jobs, onProgress);
  const packed: PackedFile[] = [];
  for (const job of jobs) onProgress(packed.push(await packPackage(job)));
  return packed;
}

async function packInThreads(
  jobs: readonly PackJob[],
  onProgress: (done: number) => void,
): Promise<PackedFile[]> {
  const packed: PackedFile[] = [];
  let next = 0;
  let done = 0;
  const workers = Array.from({ length: Math.min(WORKERS, jobs.length) }, () => {
    return new Worker(new URL('./pack-worker.js', import.meta.url), { execArgv: [] });
  });
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let index = next++; index < jobs.length; index = next++) {
          packed[index] = await askWorker(worker, jobs[index] as PackJob);
          onProgress(++done);
        }
      }),
    );
  } finally {
    // Until they are gone, they might write into a folder that is being removed.
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return packed;
}

/** What a thread answers: an error loses its fields on the way. */
export type PackAnswer =
  | PackedFile
  | { readonly error: { readonly ours: boolean; readonly code: string; readonly message: string } };

function askWorker(worker: Worker, job: PackJob): Promise<PackedFile> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (answer: PackAnswer) => {
      worker.off('error', reject);
      if (!('error' in answer)) return resolve(answer);
      const { ours, code, message } = answer.error;
      if (ours) reject(new ResyncError(code as ResyncError['code'], Words.asWritten(message)));
      else reject(Object.assign(new Error(message), { code, path: job.target }));
    });
    worker.postMessage(job);
  });
}

/** Does a job in a thread. */
export async function answerJob(job: PackJob): Promise<PackAnswer> {
  try {
    return await packPackage(job);
  } catch (error) {
    if (error instanceof ResyncError)
      return { error: { ours: true, code: error.code, message: error.message } };
    const code = systemErrorCode(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    return { error: { ours: false, code, message: error.message } };
  }
}
