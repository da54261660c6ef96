/** Keeps requests and bytes below what a server, or the user, allows; counts them; and leaves room on the disk for others. */

import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BoundReached } from './bounds.js';

/** How a pace knows the time, in milliseconds, and lets it pass. */
interface PaceClock {
  readonly now: () => number;
  readonly sleep: (
    milliseconds: number,
    value: undefined,
    options: { signal: AbortSignal },
  ) => Promise<unknown>;
}

/** What an origin has asked for: milliseconds between two requests, the most so far. */
export interface AskedPause {
  readonly origin: string;
  /** `Crawl-delay` is between two files that are asked for one by one; `busy` is after it answered that it is too busy. */
  readonly reason: 'crawl-delay' | 'busy';
  readonly milliseconds: number;
}

/** Requests to one origin wait in a line. All times are in milliseconds. */
interface Line {
  /** Between two requests, and between two files that are asked for one by one. */
  gap: number;
  /** The gap to which good answers lead back fast; below it, step by step. */
  steady: number;
  /** The longest gap so far. */
  longest: number;
  /** Whether an answer was good since the server was busy. */
  isGood: boolean;
  delay: number | undefined;
  /** When the next request, and the next such file, may be asked for. */
  next: number;
  nextFile: number;
  /** When the last requests began, and before them when the line did. */
  begins: number[];
  /** When the server last had us ask less often. */
  slowed: number | undefined;
  /** Is over when the last of the line has begun. */
  turn: Promise<unknown>;
}

export type Pacer = Readonly<ReturnType<typeof startPace>>;

/** However often a server is busy, and whatever its `robots.txt` asks for. */
const LONGEST_GAP = 60_000;
/** Requests by which it is known how often a server has been asked of late. */
const RECENT = 16;
/**
 * A good answer makes the gap so much shorter: eleven make up for a server that was busy once, so that one with a limit of its
 * own refuses less than a tenth. Where the gap is long, it is one request in 20 seconds more: a server that is busy by chance,
 * however often it is asked, does not bring a run to a stop.
 */
const QUICKER = 15 / 16;
const MORE_OFTEN = 1 / 20_000;
/** Timers are no more exact. */
const SHORTEST_GAP = 1;

/**
 * Starts to count requests, and to hold them back where there is a limit. It holds for all connections to an origin.
 *
 * @param limit milliseconds between two requests to one origin; 0 for no limit
 * @param signal ends all waiting
 * @param nexts when each origin may be asked again; is kept up to date, for the next run of the same process
 */
export function startPace(
  limit: number,
  signal: AbortSignal,
  nexts: Map<string, number> = new Map(),
  { now, sleep: pause }: PaceClock = { now: () => performance.now(), sleep },
) {
  const lines = new Map<string, Line>();
  let [requests, bytes] = [0, 0];
  const lineOf = (origin: string): Line => {
    const known = lines.get(origin);
    if (known !== undefined) return known;
    const line: Line = {
      gap: limit,
      steady: limit,
      longest: limit,
      isGood: true,
      delay: undefined,
      next: nexts.get(origin) ?? 0,
      nextFile: 0,
      begins: [now()],
      slowed: undefined,
      turn: Promise.resolve(),
    };
    lines.set(origin, line);
    return line;
  };
  const begin = (origin: string, line: Line, isFile: boolean): number => {
    const moment = now();
    requests++;
    if (line.begins.push(moment) > RECENT + 1) line.begins.shift();
    if (line.gap > 0) {
      line.next = Math.max(line.next, moment + line.gap);
      nexts.set(origin, line.next);
    }
    if (isFile) line.nextFile = moment + (line.delay ?? 0);
    return moment;
  };
  const waitInLine = async (origin: string, line: Line, isFile: boolean): Promise<number> => {
    // A server may say meanwhile that it is busy.
    for (;;) {
      const rest = Math.max(line.next, isFile ? line.nextFile : 0) - now();
      if (rest <= 0) return begin(origin, line, isFile);
      await pause(Math.ceil(rest), undefined, { signal });
    }
  };
  return {
    requests: () => requests,
    /** Of all bodies. */
    bytes: () => bytes,
    countBytes(count: number): void {
      bytes += count;
    },
    /**
     * Waits until a request to an origin may begin.
     *
     * @param isFile whether it is for a file, of which each is asked for by itself
     * @returns when it begins; a promise where it has to wait
     */
    take(origin: string, isFile: boolean): number | Promise<number> {
      const line = lineOf(origin);
      if (line.next === 0 && line.gap === 0 && (line.delay ?? 0) === 0) return begin(origin, line, isFile);
      const turn = line.turn.then(() => waitInLine(origin, line, isFile));
      line.turn = turn.catch(() => undefined);
      return turn;
    },
    /**
     * Asks half as often as of late; good answers make up for that.
     *
     * @param begun when the request began that was refused; those that were under way together count once
     * @param wait milliseconds in which nothing is asked for
     */
    slow(origin: string, begun: number, wait: number): void {
      const line = lineOf(origin);
      const moment = now();
      line.next = Math.max(line.next, moment + Math.min(wait, LONGEST_GAP));
      if (begun < (line.slowed ?? 0)) return;
      line.slowed = moment;
      const count = line.begins.length - 1;
      const average = (moment - (line.begins[0] ?? moment)) / Math.max(1, count);
      // Only where requests are rarer for other reasons, the gap is not what the server has seen.
      const isKnown = line.gap === 0 || (count >= RECENT / 2 && average > 2 * line.gap);
      line.gap = Math.min(LONGEST_GAP, 2 * (isKnown ? average : line.gap));
      // The time that it is left alone counts for nothing.
      line.begins = [line.next];
      // How long it stays busy says nothing about how often it can be asked later.
      if (line.isGood) line.steady = line.gap;
      line.isGood = false;
      line.longest = Math.max(line.longest, line.gap);
    },
    /** Asks a step more often after a good answer, and never more often than the limit. @param begun as `slow` takes it */
    quicken(origin: string, begun: number): void {
      const line = lineOf(origin);
      if (line.gap === limit || begun < (line.slowed ?? 0)) return;
      line.isGood = true;
      const step = Math.min(line.gap * QUICKER, 1 / (1 / line.gap + MORE_OFTEN));
      const shorter = line.gap > line.steady ? Math.max(line.steady, line.gap / 2) : step;
      line.gap = shorter < Math.max(limit, SHORTEST_GAP) ? limit : shorter;
    },
    /** Whether it is known what an origin's `robots.txt` asks for. */
    knowsDelay: (origin: string) => lineOf(origin).delay !== undefined,
    delay(origin: string, milliseconds: number): void {
      lineOf(origin).delay = Math.min(milliseconds, LONGEST_GAP);
    },
    /** Milliseconds between two requests, or two files; 0 where nothing limits them. */
    gapOf(origin: string, isFile: boolean): number {
      const { gap, delay = 0 } = lineOf(origin);
      return isFile ? Math.max(gap, delay) : gap;
    },
    asked: (): readonly AskedPause[] =>
      [...lines].flatMap(([origin, { delay = 0, slowed, longest }]) => [
        ...(delay > 0 ? [{ origin, reason: 'crawl-delay', milliseconds: delay } as const] : []),
        ...(slowed === undefined
          ? []
          : [{ origin, reason: 'busy', milliseconds: Math.round(longest) } as const]),
      ]),
  };
}

/** What was received in a run. */
export type Received = Readonly<ReturnType<typeof startReceiving>>;

/** Bytes after which the disk is looked at, and from one look to the next. */
const FIRST_LOOK = 16_000_000;
const STEPS = { least: 1_000_000, most: 64_000_000 };
/** What stays free on it: at most so many bytes, and so much of it. */
const MOST_SPARED = 1_000_000_000;
const SHARE_SPARED = 0.05;

/** @param folder on the disk that is written to */
export function startReceiving(folder: string) {
  let [bytes, files] = [0, 0];
  let nextLook = FIRST_LOOK;
  return {
    bytes: () => bytes,
    /** Those that came by a request of their own. */
    files: () => files,
    countFile(): void {
      files++;
    },
    take(count: number): void {
      bytes += count;
      if (bytes >= nextLook)
        nextLook = bytes + Math.min(STEPS.most, Math.max(STEPS.least, findRoom(folder) / 2));
    },
  };
}

/** How many bytes may still be written. @throws BoundReached */
function findRoom(folder: string): number {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const spared = Math.min(MOST_SPARED, Math.floor(SHARE_SPARED * blocks * bsize));
  const room = bavail * bsize - spared;
  if (room < 0) throw new BoundReached('disk', `less than ${spared} bytes are free on the disk`);
  return room;
}
