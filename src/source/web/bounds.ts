/** Ends what reads from strangers: one request that fails, or all the work after so many bytes, so much time, so much to remember. */

import { setMaxListeners } from 'node:events';
import { LONGEST_TIMER } from '../../base/bell.js';
import { nodeErrorCode } from '../../base/errors.js';

export type Bound = 'bytes' | 'time' | 'memory' | 'disk';

/** The work has met one of its bounds and is over; the message says which. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached';
  readonly bound: Bound;

  constructor(bound: Bound, message: string) {
    super(message);
    this.bound = bound;
  }
}

/** Absent ones end nothing. */
interface BoundLimits {
  /** Bytes that come over the network, and those that come out of compressed ones. */
  readonly bytes?: number;
  /** Milliseconds from now. */
  readonly time?: number;
  /** Bytes of what is kept of documents, about as many as they take in memory. */
  readonly memory?: number;
  /** Ends the work from outside, with its own reason. */
  readonly signal?: AbortSignal;
}

export type Bounds = Readonly<ReturnType<typeof startBounds>>;

/** Starts to count bytes of memory, also those that are let go again: a number below 0. It throws BoundReached. */
export function startRoom(most: number): (bytes: number) => void {
  let room = most;
  return (bytes) => {
    room -= bytes;
    if (room < 0) throw new BoundReached('memory', wordMemory(most));
  };
}

function wordMemory(most: number): string {
  return `more than ${most} bytes of entries were to be remembered`;
}

/** Starts to count. */
export function startBounds({
  bytes: mostBytes = Number.POSITIVE_INFINITY,
  time = Number.POSITIVE_INFINITY,
  memory = Number.POSITIVE_INFINITY,
  signal: outside,
}: BoundLimits) {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  // Every request under way listens.
  setMaxListeners(0, signal);
  const deadline = performance.now() + time;
  let rest = mostBytes;
  let room = memory;

  const end = (bound: Bound, message: string) => {
    if (!signal.aborted) controller.abort(new BoundReached(bound, message));
  };
  const endByTime = () => end('time', `the time is over, after ${Math.ceil(time / 1000)} s`);
  const endFromOutside = () => controller.abort(outside?.reason);
  outside?.addEventListener('abort', endFromOutside);
  if (outside?.aborted === true) endFromOutside();
  const timer = setTimeout(endByTime, Math.min(time, LONGEST_TIMER));

  return {
    /** Is aborted, with the BoundReached as its reason, as soon as a bound is met. */
    signal,
    /** Counts bytes that were read. @throws BoundReached */
    take(bytes: number): void {
      rest -= bytes;
      if (rest < 0) end('bytes', `more than ${mostBytes} bytes were to be read`);
      signal.throwIfAborted();
    },
    /** Counts bytes of memory that something kept takes. @throws BoundReached */
    keep(bytes: number): void {
      room -= bytes;
      if (room < 0) end('memory', wordMemory(memory));
      signal.throwIfAborted();
    },
    /** Looks at the clock, for work that gives timers no chance. @throws BoundReached */
    check(): void {
      if (performance.now() > deadline) endByTime();
      signal.throwIfAborted();
    },
    /** Does something for as long as no bound is met. What the promise stands for is to end by itself soon after. */
    async race<T>(work: Promise<T>): Promise<T> {
      signal.throwIfAborted();
      let stop = (): void => undefined;
      const over = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
      });
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await Promise.race([work, over]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    /** To be called once the work is over, whatever became of it. */
    stop(): void {
      clearTimeout(timer);
      outside?.removeEventListener('abort', endFromOutside);
    },
  };
}

/** To be read to its end, or returned from; a FetchError when that fails. */
export interface Body extends AsyncIterable<Buffer> {
  /** All of it, where it is small and was there at once: who takes this need not iterate, which takes longer. */
  readonly whole?: Buffer;
}

/** Makes a body of bytes that are there. */
export function makeWhole(whole: Buffer): Body {
  return {
    whole,
    async *[Symbol.asyncIterator]() {
      yield whole;
    },
  };
}

export type FetchFailure =
  /** 404 or 410. */
  | 'missing'
  /** Any other status, or no answer at all. */
  | 'failed'
  /** No answer in time, or one that comes too slowly. */
  | 'slow'
  /** We did not ask: another protocol than http(s), an address that is not public, redirects without end. */
  | 'refused';

/** Why something could not be fetched; the message is what was found. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** What may be over when we ask once more. */
export function isPassing(error: unknown): boolean {
  const code = nodeErrorCode(error);
  return (
    code !== undefined && ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(code)
  );
}

const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];
const NOT_REACHED = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;

/** Names the proxy that somebody may expect us to use, where a server could not be reached. */
export function tellProxy(): string {
  const name = PROXIES.find((one) => (process.env[one] ?? '') !== '');
  return name === undefined ? '' : `; ${name} is set, but proxies are not used`;
}

/** What the system or the network says, in words; a bug of ours as it is. */
export function describeFailure(error: unknown): unknown {
  // What has no code is a bug of ours.
  if (error instanceof FetchError || nodeErrorCode(error) === undefined) return error;
  const { message, code, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  // Several addresses that all failed come as one error without a message.
  const said = message === '' ? String(code) : message;
  const what = code === 'ENOTFOUND' ? `the host ${hostname} was not found` : said;
  const proxy = NOT_REACHED.test(code ?? '') ? tellProxy() : '';
  return new FetchError('failed', what + proxy, { cause: error });
}
