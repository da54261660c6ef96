/** Digests many files, each read once, in threads where there is enough to do. Knows nothing of sites. */

import { lstatSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Seen } from '../../page/seen.js';
import type { Wanted } from '../../page/wishes.js';
import { type DigestFailure, makeDigestError } from './failures.js';
import {
  BATCH_FILES,
  type DigestJob,
  type DigestShare,
  digestShares,
  loadPageReader,
  makeJob,
} from './job.js';
import type { DigestName } from './kinds.js';
import { type DigestTable, makeTable } from './table.js';
import { prepareThreads } from './threads.js';

/** For less, threads take longer to start than they save: a first one, and further ones. */
const MANY_FILES = 1024;
const LARGE_FILES = 2000;

const LARGE_BYTES = 16 * 1024 * 1024;

/** Threads that digest files while others are still being looked for. To be used once. */
export interface Digester {
  /**
   * Hands over a file. It is read once, for all the digests; length and digests are always of one moment.
   *
   * @param path relative to the root
   */
  add(path: string): void;
  /**
   * Waits until all files are digested.
   *
   * @returns the results by the order in which the files were added, from 0
   * @throws ResyncError `file-unreadable` naming the files that cannot be read; `file-changing` naming those that
   *   changed each time they were read
   */
  finish(): Promise<DigestTable>;
  /** How many files have been taken up, and how many have been added. */
  progress(): { done: number; total: number };
  /** Ends the threads, whether they are done or not. */
  close(): void;
}

/**
 * Threads start as soon as there is enough to do for them, which takes a while in which the caller can do something else.
 *
 * @param wanted what to look for in pages while they are in memory
 */
export function startDigester(root: string, names: readonly DigestName[], wanted?: Wanted): Digester {
  const failures: DigestFailure[] = [];
  const seen: Seen[] = [];
  let waiting: string[] = [];
  let unfinished = 0;
  let crash: Error | undefined;
  let wake = (): void => undefined;
  const threads = prepareThreads(
    (shares) => {
      shares.forEach(takeShare);
      wake();
    },
    (error) => {
      crash = error;
      wake();
    },
  );
  const { jobs } = threads;

  function takeShare(share: DigestShare): void {
    for (const failure of share.failures) failures.push(failure);
    for (const [place, outcome] of share.seen.entries()) seen[share.first + place] = outcome;
    unfinished -= share.files;
  }

  function handOver(): void {
    const job = makeJob({ root, names, wanted }, waiting, jobs.length * BATCH_FILES);
    threads.post(job);
    unfinished += waiting.length;
    if (jobs.length * BATCH_FILES >= LARGE_FILES) threads.startAll();
    waiting = [];
  }

  return {
    add(path) {
      if (waiting.push(path) < BATCH_FILES) return;
      handOver();
      if (jobs.length * BATCH_FILES >= MANY_FILES) threads.startFirst();
    },
    async finish() {
      if (jobs.length === 0 && areLarge(root, waiting)) threads.startAll();
      if (waiting.length > 0) handOver();
      if (!threads.areAllStarted() && !(await digestHere(jobs, wanted, takeShare))) threads.startAll();
      while (unfinished > 0 && crash === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (crash !== undefined) throw crash;
      if (failures.length > 0) throw makeDigestError(failures);
      return makeTable(jobs, names, seen);
    },
    progress: () => ({
      done: jobs.reduce((sum, { next, lengths }) => sum + Math.min(Atomics.load(next, 0), lengths.length), 0),
      total: jobs.reduce((sum, { lengths }) => sum + lengths.length, waiting.length),
    }),
    close: threads.close,
  };
}

/** Whether files that are few are worth threads. */
function areLarge(root: string, paths: readonly string[]): boolean {
  let bytes = 0;
  for (const path of paths) {
    try {
      bytes += lstatSync(`${root}/${path}`).size;
    } catch {
      // What cannot be read is told of when it is digested.
    }
  }
  return bytes >= LARGE_BYTES;
}

/**
 * Lends a hand: a small site is digested before a second thread would have started.
 *
 * @returns whether all is taken up; false when there is so much that further threads are of use
 */
async function digestHere(
  jobs: readonly DigestJob[],
  wanted: Wanted | undefined,
  takeShare: (share: DigestShare) => void,
): Promise<boolean> {
  let bytes = 0;
  const readPage = await loadPageReader(wanted);
  for (const job of jobs) {
    for (const share of digestShares(job, readPage)) {
      takeShare(share);
      bytes += share.bytes;
      if (bytes >= LARGE_BYTES) return false;
      await yieldToEventLoop();
    }
  }
  return true;
}
