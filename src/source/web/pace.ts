/** Paces requests as servers and the user ask for, and counts requests, bytes and free disk space. */

import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { getOrInsert } from '../../base/group.js';
import { BoundReached } from './bounds.js';

/** A clock that tells the time and waits, in milliseconds; tests pass their own. */
interface PaceClock {
  readonly now: () => number;
  readonly sleep: (
    milliseconds: number,
    value: undefined,
    options: { signal: AbortSignal },
  ) => Promise<unknown>;
}

/** A pause that an origin has asked for: the longest so far between two requests. */
export interface AskedPause {
  readonly origin: string;
  /** `crawl-delay` counts between two files that are requested one by one; `busy` follows an answer that the server is too busy. */
  readonly reason: 'crawl-delay' | 'busy';
  readonly milliseconds: number;
}

/** The queue of requests to one origin. All times are in milliseconds. */
interface RequestQueue {
  /** Pause between two requests. */
  gap: number;
  /** Gap after the first busy answer in a row: good answers halve the gap down to it, then shorten it by steps. */
  steady: number;
  /** The longest gap between two requests so far. */
  longest: number;
  /** True if there was a good answer after the server was last busy. */
  isGood: boolean;
  /** Pause between two files that are requested one by one, as `robots.txt` asks for it; 0 for none. */
  crawlDelay: number;
  isDelayKnown: boolean;
  /** The earliest moments of the next request, and of the next file that is requested by itself. */
  next: number;
  nextFile: number;
  /** Times at which recent requests began; the first may be that of the queue itself, or of the last slowdown. */
  begins: number[];
  /** Time when the server last asked for fewer requests. */
  slowed: number;
  /** Settles when the last request in the queue has begun. */
  turn: Promise<unknown>;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The longest pause between two requests, in milliseconds, however busy a server is and whatever its `robots.txt` asks for. */
const LONGEST_GAP = 60_000;
/** The number of recent requests from which the rate is measured. */
const RECENT = 16;
/**
 * Factor of the gap after a good answer. Eleven good answers make up for a busy one, so a server with a limit refuses less than
 * a tenth of the requests. Long gaps shrink by one request in 20 s instead, so that a server that is busy at random stops no run.
 */
const QUICKER = 15 / 16;
const MORE_OFTEN = 1 / 20_000;
/** The shortest gap between two requests, in milliseconds: timers are no finer. */
const SHORTEST_GAP = 1;

/** Counts requests and bytes, and holds requests back where there is a limit, for all connections to an origin together. */
export class Pacer {
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #nexts: Map<string, number>;
  readonly #clock: PaceClock;
  readonly #queues = new Map<string, RequestQueue>();
  #requests = 0;
  #bytes = 0;

  /**
   * @param limit milliseconds between two requests to one origin; 0 for no limit
   * @param nexts time when each origin may be asked again; is kept up to date, for the next run of the same process
   */
  constructor(
    limit: number,
    signal: AbortSignal,
    nexts: Map<string, number> = new Map(),
    clock: PaceClock = { now: () => performance.now(), sleep },
  ) {
    this.#limit = limit;
    this.#signal = signal;
    this.#nexts = nexts;
    this.#clock = clock;
  }

  requests(): number {
    return this.#requests;
  }

  bytes(): number {
    return this.#bytes;
  }

  countBytes(count: number): void {
    this.#bytes += count;
  }

  /**
   * Waits until a request to an origin may begin; returns a promise if it has to wait.
   * @param isFile true for one of many files that are each requested by themselves @returns the time when the request begins
   */
  take(origin: string, isFile: boolean): number | Promise<number> {
    const queue = this.#queueOf(origin);
    if (queue.next === 0 && queue.gap === 0 && queue.crawlDelay === 0)
      return this.#begin(origin, queue, isFile);
    const turn = queue.turn.then(() => this.#wait(origin, queue, isFile));
    queue.turn = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Halves the rate of requests to an origin, because it is busy; good answers raise it again.
   * @param begun when the refused request began; concurrent ones count once @param wait milliseconds without any request
   */
  slow(origin: string, begun: number, wait = 0): void {
    const queue = this.#queueOf(origin);
    const moment = this.#clock.now();
    queue.next = Math.max(queue.next, moment + Math.min(wait, LONGEST_GAP));
    if (begun < queue.slowed) return;
    queue.slowed = moment;
    const [first = moment, ...others] = queue.begins;
    const average = (moment - first) / Math.max(1, others.length);
    // If requests are rarer than the gap allows, the server was busy at their actual rate, which is then halved.
    const isKnown = queue.gap === 0 || (others.length >= RECENT / 2 && average > 2 * queue.gap);
    queue.gap = Math.min(LONGEST_GAP, 2 * (isKnown ? average : queue.gap));
    // The pause that the server asked for is not part of the average.
    queue.begins = [queue.next];
    // The length of a busy period does not limit the rate after it.
    if (queue.isGood) queue.steady = queue.gap;
    queue.isGood = false;
    queue.longest = Math.max(queue.longest, queue.gap);
  }

  /** Raises the rate by a step after a good answer, up to the limit. @param begun when its request began */
  quicken(origin: string, begun: number): void {
    const queue = this.#queueOf(origin);
    if (queue.gap === this.#limit || begun < queue.slowed) return;
    queue.isGood = true;
    const step = Math.min(queue.gap * QUICKER, 1 / (1 / queue.gap + MORE_OFTEN));
    const shorter = queue.gap > queue.steady ? Math.max(queue.steady, queue.gap / 2) : step;
    queue.gap = shorter < Math.max(this.#limit, SHORTEST_GAP) ? this.#limit : shorter;
  }

  knowsDelay(origin: string): boolean {
    return this.#queueOf(origin).isDelayKnown;
  }

  /** Sets the `Crawl-delay` of an origin, in milliseconds. */
  delay(origin: string, milliseconds: number): void {
    const queue = this.#queueOf(origin);
    queue.isDelayKnown = true;
    queue.crawlDelay = Math.min(milliseconds, LONGEST_GAP);
  }

  /** Returns the milliseconds between two requests to an origin, or between two files from it; 0 for no limit. */
  gapOf(origin: string, isFile: boolean): number {
    const { gap, crawlDelay } = this.#queueOf(origin);
    return isFile ? Math.max(gap, crawlDelay) : gap;
  }

  asked(): readonly AskedPause[] {
    return [...this.#queues].flatMap(([origin, { crawlDelay, slowed, longest }]) => [
      ...(crawlDelay > 0 ? [{ origin, reason: 'crawl-delay', milliseconds: crawlDelay } as const] : []),
      ...(slowed === NEVER ? [] : [{ origin, reason: 'busy', milliseconds: Math.round(longest) } as const]),
    ]);
  }

  #queueOf(origin: string): RequestQueue {
    return getOrInsert(this.#queues, origin, () => ({
      gap: this.#limit,
      steady: this.#limit,
      longest: this.#limit,
      isGood: true,
      crawlDelay: 0,
      isDelayKnown: false,
      next: this.#nexts.get(origin) ?? 0,
      nextFile: 0,
      begins: [this.#clock.now()],
      slowed: NEVER,
      turn: Promise.resolve(),
    }));
  }

  #begin(origin: string, queue: RequestQueue, isFile: boolean): number {
    const moment = this.#clock.now();
    this.#requests++;
    if (queue.begins.push(moment) > RECENT + 1) queue.begins.shift();
    if (queue.gap > 0) {
      queue.next = Math.max(queue.next, moment + queue.gap);
      this.#nexts.set(origin, queue.next);
    }
    if (isFile) queue.nextFile = moment + queue.crawlDelay;
    return moment;
  }

  async #wait(origin: string, queue: RequestQueue, isFile: boolean): Promise<number> {
    // The server may become busy while a request waits.
    for (;;) {
      const rest = Math.max(queue.next, isFile ? queue.nextFile : 0) - this.#clock.now();
      if (rest <= 0) return this.#begin(origin, queue, isFile);
      await this.#clock.sleep(Math.ceil(rest), undefined, { signal: this.#signal });
    }
  }
}

/** Bytes that are downloaded before the free space of the disk is first checked, and between two checks. */
const FIRST_CHECK = 16_000_000;
const CHECK_STEPS = { least: 1_000_000, most: 64_000_000 };
/** Free space that is left to others: this share of the disk, at most so many bytes. */
const MOST_SPARED = 1_000_000_000;
const SHARE_SPARED = 0.05;

/** Counts the files and bytes that a run downloads, and keeps space free on the disk. */
export class DownloadCounter {
  readonly #folder: string;
  #bytes = 0;
  #files = 0;
  #nextCheck = FIRST_CHECK;

  /** @param folder any folder on the disk that downloads are written to */
  constructor(folder: string) {
    this.#folder = folder;
  }

  bytes(): number {
    return this.#bytes;
  }

  /** Returns the number of files that were downloaded with a request of their own. */
  files(): number {
    return this.#files;
  }

  countFile(): void {
    this.#files++;
  }

  /** Counts bytes that were downloaded, and checks the free space now and then. @throws BoundReached */
  take(count: number): void {
    this.#bytes += count;
    if (this.#bytes < this.#nextCheck) return;
    const step = Math.max(CHECK_STEPS.least, measureRoom(this.#folder) / 2);
    this.#nextCheck = this.#bytes + Math.min(CHECK_STEPS.most, step);
  }
}

/** Measures how many bytes may still be written. @throws BoundReached */
function measureRoom(folder: string): number {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const spared = Math.min(MOST_SPARED, Math.floor(SHARE_SPARED * blocks * bsize));
  const room = bavail * bsize - spared;
  if (room < 0) throw new BoundReached('disk', `less than ${spared} bytes are free on the disk`);
  return room;
}
