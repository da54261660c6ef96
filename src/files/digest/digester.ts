/** Digests many files, each read once, in threads where there is enough to do. Knows nothing of sites. */

import { lstatSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '../../base/time.js';
import type { PageReader } from '../page/facts/facts.js';
import { KEY_LENGTH, type KnownPages, type SeenFacts, type WantedFacts } from '../page/facts/seen.js';
import { type DigestFailure, makeDigestError } from './failures.js';
import {
  BATCH_FILES,
  type DigestJob,
  type DigestShare,
  digestShares,
  loadPageReader,
  makeJob,
  WORKERS,
} from './job.js';
import type { DigestName } from './kinds.js';
import { type DigestTable, makeTable } from './table.js';
import { DigestThreads } from './threads.js';

/** For less, threads take longer to start than they save: a first one, and further ones. */
const MANY_FILES = 1024;
const LARGE_FILES = 2000;

const LARGE_BYTES = 16 * 1024 * 1024;

/** So long, in milliseconds, others wait: git, whose output has to be taken, and the progress line. */
const TURN = 10;

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
 * @param refusesKeys whether a file that is a private key is a failure, `key-in-site`
 * @param known pages that need not be looked at
 */
export function startDigester(
  root: string,
  names: readonly DigestName[],
  wanted?: WantedFacts,
  refusesKeys = false,
  known: KnownPages = { keys: new Uint8Array(), find: () => undefined },
): Digester {
  const jobs: DigestJob[] = [];
  const failures: DigestFailure[] = [];
  const seen: SeenFacts[] = [];
  let waiting: string[] = [];
  let unfinished = 0;
  const threads = new DigestThreads(jobs, (shares) => shares.forEach(takeShare));

  function takeShare(share: DigestShare): void {
    for (const failure of share.failures) failures.push(failure);
    for (const [place, outcome] of share.seen.entries())
      seen[share.first + place] = outcome?.length === KEY_LENGTH ? known.find(outcome) : outcome;
    unfinished -= share.files;
  }

  function handOver(): void {
    const job = makeJob(
      { root, names, wanted, known: known.keys, refusesKeys },
      waiting,
      jobs.length * BATCH_FILES,
    );
    jobs.push(job);
    unfinished += waiting.length;
    waiting = [];
    if (jobs.length * BATCH_FILES >= LARGE_FILES) threads.start(WORKERS);
    else threads.ask();
  }

  return {
    add(path) {
      if (waiting.push(path) < BATCH_FILES) return;
      handOver();
      if (jobs.length * BATCH_FILES >= MANY_FILES) threads.start(1);
    },
    async finish() {
      if (jobs.length === 0 && areLarge(root, waiting)) threads.start(WORKERS);
      if (waiting.length > 0) handOver();
      if (
        threads.count < WORKERS &&
        !(await digestHere(jobs, await loadPageReader(wanted, known.keys), takeShare))
      )
        threads.start(WORKERS);
      while (unfinished > 0) await threads.wait();
      if (failures.length > 0) throw makeDigestError(failures);
      return makeTable(jobs, names, seen);
    },
    progress: () => ({
      done: jobs.reduce((sum, job) => sum + countTaken(job), 0),
      total: jobs.reduce((sum, { lengths }) => sum + lengths.length, waiting.length),
    }),
    close: () => threads.close(),
  };
}

function countTaken({ next, lengths }: DigestJob): number {
  return Math.min(Atomics.load(next, 0), lengths.length);
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
  pages: PageReader | undefined,
  takeShare: (share: DigestShare) => void,
): Promise<boolean> {
  let [bytes, begin] = [0, SYSTEM_CLOCK.now()];
  for (const job of jobs) {
    for (const share of digestShares(job, pages)) {
      takeShare(share);
      bytes += share.bytes;
      if (bytes >= LARGE_BYTES) return false;
      if (SYSTEM_CLOCK.now() - begin < TURN) continue;
      await yieldToEventLoop();
      begin = SYSTEM_CLOCK.now();
    }
  }
  return true;
}
