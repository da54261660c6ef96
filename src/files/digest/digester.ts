/** Digests many files, each read once, in threads if there is enough to do. Knows nothing of sites. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '../../base/time.js';
import type { KnownPages, SeenFacts, WantedFacts } from '../page/facts/seen.js';
import { type DigestFailure, makeDigestError } from './failures.js';
import {
  BATCH_FILES,
  type DigestJob,
  type DigestShare,
  type DigestTask,
  digestShares,
  LatePageReader,
  makeJob,
} from './job.js';
import type { DigestName } from './kinds.js';
import { type DigestTable, makeTable } from './table.js';
import { DigestThreads } from './threads.js';

/** Numbers of files and bytes from which threads save more time than they take to start. */
const MANY_FILES = 1536;
const LARGE_BYTES = 16 * 1024 * 1024;

/** Milliseconds of work between two turns of the event loop, for the output of git and the progress line. */
const TURN = 10;

/** Digests files while the caller still finds others to add. Cannot be used again after `finish`. */
export interface Digester {
  /** Adds a file, by its path relative to the root. It is read once for all digests, so they are of one moment. */
  add(path: string): void;
  /**
   * Waits until all files are digested; returns their digests by index, in the order of `add`.
   * @throws ResyncError `file-unreadable`, `file-changing` or `key-in-site`, which name the files
   */
  finish(): Promise<DigestTable>;
  /** Counts the files that a thread has taken (`done`), and the files that were added (`total`). */
  progress(): { done: number; total: number };
  close(): void;
}

/**
 * Creates a digester, which starts threads as soon as they have enough to do.
 * @param wanted facts to find in pages while these are in memory @param refusesKeys true to fail with `key-in-site` for a private key
 * @param known facts of pages from earlier runs, which are not parsed again
 */
export function createDigester(
  root: string,
  names: readonly DigestName[],
  wanted?: WantedFacts,
  refusesKeys = false,
  known: KnownPages = () => undefined,
): Digester {
  return new ThreadedDigester({ root, names, wanted, refusesKeys }, known);
}

class ThreadedDigester implements Digester {
  readonly #task: DigestTask;
  readonly #known: KnownPages;
  readonly #jobs: DigestJob[] = [];
  readonly #threads = new DigestThreads(this.#jobs, (shares) => {
    for (const share of shares) this.#takeShare(share);
  });
  readonly #failures: DigestFailure[] = [];
  /** Facts of pages by the index of the file; those of an earlier run until the page turns out to have changed. */
  readonly #seen: SeenFacts[] = [];
  #waiting: string[] = [];
  #unfinished = 0;

  constructor(task: DigestTask, known: KnownPages) {
    this.#task = task;
    this.#known = known;
  }

  add(path: string): void {
    if (this.#task.wanted !== undefined) this.#seen.push(this.#known(path));
    if (this.#waiting.push(path) === BATCH_FILES) this.#handOver();
  }

  async finish(): Promise<DigestTable> {
    if (this.#waiting.length > 0) this.#handOver();
    if (!this.#threads.areStarted) {
      const isDone = await digestHere(this.#jobs, (share) => this.#takeShare(share));
      if (!isDone) this.#threads.start();
    }
    while (this.#unfinished > 0) await this.#threads.wait();
    if (this.#failures.length > 0) throw makeDigestError(this.#failures);
    return makeTable(this.#jobs, this.#task.names, this.#seen);
  }

  progress(): { done: number; total: number } {
    return {
      done: this.#jobs.reduce((sum, job) => sum + countTaken(job), 0),
      total: this.#jobs.reduce((sum, { lengths }) => sum + lengths.length, this.#waiting.length),
    };
  }

  close(): void {
    this.#threads.close();
  }

  #handOver(): void {
    const first = this.#jobs.length * BATCH_FILES;
    const job = makeJob(this.#task, this.#waiting, first, this.#seen.slice(first));
    this.#jobs.push(job);
    this.#unfinished += this.#waiting.length;
    this.#waiting = [];
    if (this.#jobs.length * BATCH_FILES >= MANY_FILES) this.#threads.start();
    else this.#threads.ask();
  }

  #takeShare({ files, failures, seen }: DigestShare): void {
    this.#failures.push(...failures);
    for (const [index, outcome] of seen) this.#seen[index] = outcome;
    this.#unfinished -= files;
  }
}

function countTaken({ next, lengths }: DigestJob): number {
  return Math.min(Atomics.load(next, 0), lengths.length);
}

/**
 * Digests files in this thread: a small site is done before another thread would have started.
 * @returns false if it stopped after many bytes, so that more threads should help
 */
async function digestHere(
  jobs: readonly DigestJob[],
  takeShare: (share: DigestShare) => void,
): Promise<boolean> {
  let [bytes, begin] = [0, SYSTEM_CLOCK.now()];
  const pages = new LatePageReader();
  for (const job of jobs) {
    for await (const share of digestShares(job, pages)) {
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
