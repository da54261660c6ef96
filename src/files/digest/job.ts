/** Some of the files to digest, in memory that threads share, and how threads divide them. */

import { availableParallelism } from 'node:os';
import { systemErrorCode } from '../../base/errors.js';
import type { PageReader } from '../page/facts/facts.js';
import { PAGE_FILE, type SeenFacts, type WantedFacts } from '../page/facts/seen.js';
import type { DigestFailure } from './failures.js';
import { DIGESTS, type DigestName, findStrongest, widthOf } from './kinds.js';
import { beginsAsPrivateKey } from './private-key.js';
import { makeFileDigester } from './read-file.js';

/** More threads than cores keep a cold disk busy; more than four only cost memory. */
export const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** Files in one job: few enough that threads soon have something to do. */
export const BATCH_FILES = 256;

/** The common part of all jobs of a digester. */
export interface DigestTask {
  readonly root: string;
  readonly names: readonly DigestName[];
  /** Facts to find in pages; undefined if none are wanted. */
  readonly wanted: WantedFacts | undefined;
  /** The keys of pages that were read before, see `KnownPages`. */
  readonly known: Uint8Array;
  /** True if the files are to be published: then none may be a private key. */
  readonly refusesKeys: boolean;
}

/** Some of the files: the input of a thread, and the place of its results. All of it is shared memory, nothing is copied. */
export interface DigestJob extends DigestTask {
  /** The paths in UTF-8, one after another. */
  readonly paths: Uint8Array;
  readonly pathEnds: Uint32Array;
  /** The number of files in the jobs before. */
  readonly first: number;
  /** Index of the next file that no thread has taken. */
  readonly next: Int32Array;
  readonly lengths: Float64Array;
  /** The digests of a file one after another, in the order of `names`, binary. */
  readonly digests: Uint8Array;
}

export function makeJob(task: DigestTask, paths: readonly string[], first: number): DigestJob {
  return {
    ...task,
    first,
    ...sharePaths(paths),
    next: new Int32Array(new SharedArrayBuffer(4)),
    lengths: new Float64Array(new SharedArrayBuffer(8 * paths.length)),
    digests: new Uint8Array(new SharedArrayBuffer(widthOf(task.names) * paths.length)),
  };
}

function sharePaths(paths: readonly string[]): Pick<DigestJob, 'paths' | 'pathEnds'> {
  const pathEnds = new Uint32Array(new SharedArrayBuffer(4 * paths.length));
  let end = 0;
  for (const [index, path] of paths.entries()) {
    end += Buffer.byteLength(path);
    pathEnds[index] = end;
  }
  const bytes = Buffer.from(new SharedArrayBuffer(end));
  let start = 0;
  for (const path of paths) start += bytes.write(path, start);
  return { paths: new Uint8Array(bytes.buffer), pathEnds };
}

export async function loadPageReader(
  wanted: WantedFacts | undefined,
  known: Uint8Array = new Uint8Array(),
): Promise<PageReader | undefined> {
  return wanted && (await import('../page/facts/facts.js')).makePageReader(wanted, known);
}

/** Some of the files of a job, digested. */
export interface DigestShare {
  /** The index of its first file among all files. */
  readonly first: number;
  readonly files: number;
  readonly bytes: number;
  readonly failures: readonly DigestFailure[];
  /** Facts of pages; empty if none are wanted. */
  readonly seen: readonly SeenFacts[];
}

/** Takes files from a job in small batches until none is left; several threads may do so at once. */
export function* digestShares(job: DigestJob, pages?: PageReader): Generator<DigestShare, void> {
  const paths = Buffer.from(job.paths.buffer);
  const files = job.pathEnds.length;
  const read = makeFileDigester(job.names, job.digests);
  const width = widthOf(job.names);
  const place = findStrongest(job.names);
  const strongest = job.names[place];
  const digests = Buffer.from(job.digests.buffer);
  const contentOf = (index: number): string | undefined => {
    if (strongest === undefined) return undefined;
    const start = index * width + widthOf(job.names.slice(0, place));
    return digests.toString('hex', start, start + DIGESTS[strongest].bytes);
  };
  // Few enough at a time that the threads finish together, however the bytes are spread.
  const batch = Math.max(1, Math.min(64, Math.floor(files / (WORKERS * 32))));
  for (;;) {
    const start = Atomics.add(job.next, 0, batch);
    if (start >= files) return;
    const end = Math.min(start + batch, files);
    const failures: DigestFailure[] = [];
    const seen: SeenFacts[] = [];
    let bytes = 0;
    for (let index = start; index < end; index++) {
      const path = paths.toString('utf8', job.pathEnds[index - 1] ?? 0, job.pathEnds[index]);
      let outcome: SeenFacts;
      try {
        const isPage = pages !== undefined && PAGE_FILE.test(path);
        const { length, beginning } = read(`${job.root}/${path}`, index * width, isPage ? pages.longest : 0);
        if (job.refusesKeys && beginsAsPrivateKey(beginning))
          throw Object.assign(new Error(`${path} is a private key`), { code: 'EKEY' });
        if (isPage) outcome = pages.read(path, { bytes: beginning, length, content: contentOf(index) });
        job.lengths[index] = length;
        bytes += length;
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        failures.push({ path, code });
      }
      if (pages !== undefined) seen.push(outcome);
    }
    yield { first: job.first + start, files: end - start, bytes, failures, seen };
  }
}
