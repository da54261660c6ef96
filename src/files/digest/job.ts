/** Jobs: each has some files to digest, from which threads take files until none is left, and shared memory for the results. */

import { availableParallelism } from 'node:os';
import { systemErrorCode } from '../../base/errors.js';
import type { PageReader } from '../page/facts/facts.js';
import { PAGE_FILE, type SeenFacts, seenContent, type WantedFacts } from '../page/facts/seen.js';
import type { DigestFailure } from './failures.js';
import { DIGESTS, type DigestName, findStrongest, widthOf } from './kinds.js';
import { beginsAsPrivateKey } from './private-key.js';
import { makeFileDigester } from './read-file.js';

/** Number of threads. More threads than cores keep a cold disk busy; more than four only cost memory. */
export const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** Number of files in a job: few enough that threads soon have something to do. */
export const BATCH_FILES = 256;

/** The settings of a digester, which are the same in all of its jobs. */
export interface DigestTask {
  readonly root: string;
  readonly names: readonly DigestName[];
  /** Facts to find in pages; undefined if none are wanted. */
  readonly wanted: WantedFacts | undefined;
  /** True if the files are to be published: then none may be a private key. */
  readonly refusesKeys: boolean;
}

/** Some of the files to digest, with room for the results in memory that threads share. */
export interface DigestJob extends DigestTask {
  readonly paths: readonly string[];
  /** Number of files in all earlier jobs. */
  readonly first: number;
  /** Contents of pages that earlier runs read, by index, see `seenContent`; empty if no facts are wanted. */
  readonly known: readonly (string | undefined)[];
  /** One number: the index of the next file that no thread has taken. */
  readonly next: Int32Array;
  readonly lengths: Float64Array;
  /** Place for the digests, binary: file by file, and for each file in the order of `names`. */
  readonly digests: Uint8Array;
}

/** Makes a job with its shared memory. @param known facts of these files from earlier runs, see `KnownPages` */
export function makeJob(
  task: DigestTask,
  paths: readonly string[],
  first: number,
  known: readonly SeenFacts[],
): DigestJob {
  return {
    ...task,
    paths,
    first,
    known: known.map((seen) => seen && seenContent(seen)),
    next: new Int32Array(new SharedArrayBuffer(4)),
    lengths: new Float64Array(new SharedArrayBuffer(8 * paths.length)),
    digests: new Uint8Array(new SharedArrayBuffer(widthOf(task.names) * paths.length)),
  };
}

/** A reader of pages that is loaded when the first page has to be read. */
export class LatePageReader {
  loaded: PageReader | undefined;

  async load(wanted: WantedFacts): Promise<PageReader> {
    this.loaded ??= (await import('../page/facts/facts.js')).makePageReader(wanted);
    return this.loaded;
  }
}

export interface DigestShare {
  readonly files: number;
  readonly bytes: number;
  readonly failures: readonly DigestFailure[];
  /** Facts of those pages that were parsed, by index among the files of all jobs. */
  readonly seen: readonly (readonly [index: number, seen: string])[];
}

/** Takes files from a job in small batches until none is left; several threads may do so at once. */
export async function* digestShares(
  job: DigestJob,
  pages: LatePageReader,
): AsyncGenerator<DigestShare, void> {
  const files = job.paths.length;
  const digest = makeJobDigester(job);
  // Takes so few files at a time that the threads finish together, however the bytes are spread.
  const batch = Math.max(1, Math.min(64, Math.floor(files / (WORKERS * 32))));
  for (;;) {
    const start = Atomics.add(job.next, 0, batch);
    if (start >= files) return;
    const end = Math.min(start + batch, files);
    const failures: DigestFailure[] = [];
    const seen: [number, string][] = [];
    let bytes = 0;
    for (let index = start; index < end; index++) {
      const path = job.paths[index] ?? '';
      try {
        let outcome = digest(path, index, pages.loaded);
        // Another job may use the buffer while the reader is loaded, so the file is read again.
        if (outcome === 'reader-missing' && job.wanted !== undefined)
          outcome = digest(path, index, await pages.load(job.wanted));
        if (outcome !== undefined) seen.push([job.first + index, outcome]);
        bytes += job.lengths[index] ?? 0;
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        failures.push({ path, code });
      }
    }
    yield { files: end - start, bytes, failures, seen };
  }
}

/** Makes a function that digests a file of a job, and returns its facts if it is a page that no earlier run has read. */
function makeJobDigester(
  job: DigestJob,
): (path: string, index: number, pages: PageReader | undefined) => SeenFacts | 'reader-missing' {
  const read = makeFileDigester(job.names, job.digests);
  const width = widthOf(job.names);
  const place = findStrongest(job.names);
  const strongest = job.names[place];
  const offset = widthOf(job.names.slice(0, Math.max(0, place)));
  const digests = Buffer.from(job.digests.buffer);
  const contentOf = (index: number): string | undefined => {
    if (strongest === undefined) return undefined;
    const start = index * width + offset;
    return digests.toString('hex', start, start + DIGESTS[strongest].bytes);
  };
  return (path, index, pages) => {
    const isPage = job.wanted !== undefined && PAGE_FILE.test(path);
    const { length, beginning } = read(`${job.root}/${path}`, index * width, isPage ? pages?.longest : 0);
    if (job.refusesKeys && beginsAsPrivateKey(beginning))
      throw Object.assign(new Error(`${path} is a private key`), { code: 'EKEY' });
    job.lengths[index] = length;
    if (!isPage) return undefined;
    const content = contentOf(index);
    const known = job.known[index];
    if (known !== undefined && content?.startsWith(known) === true) return undefined;
    return pages === undefined ? 'reader-missing' : pages.read(path, { bytes: beginning, length, content });
  };
}
