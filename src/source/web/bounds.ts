/** Limits of work that reads what others publish, in bytes, time and memory; and the errors of single requests. */

import { setMaxListeners } from 'node:events';
import { nodeErrorCode } from '../../base/errors.js';
import { LONGEST_TIMER } from '../../base/timer.js';

export type Bound = 'bytes' | 'time' | 'memory' | 'disk';

/** Thrown if a piece of work has met one of its limits, and is over; the message names the limit. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached';
  readonly bound: Bound;

  constructor(bound: Bound, message: string) {
    super(message);
    this.bound = bound;
  }
}

interface BoundLimits {
  /** Limit of the bytes that are received and those that are unpacked, counted together. */
  readonly bytes?: number;
  /** Limit of time, in milliseconds from now. */
  readonly time?: number;
  /** Limit of the memory for what is kept of documents, in bytes, roughly. */
  readonly memory?: number;
  /** Signal that ends the work from outside, with its own reason. */
  readonly signal?: AbortSignal;
}

export class MemoryBudget {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Counts bytes that are kept in memory; a negative number for those that were released. @throws BoundReached */
  keep(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw new BoundReached('memory', `more than ${this.#most} bytes of entries were to be remembered`);
  }
}

/** The limits of a piece of work. Time counts from when the object is made; whoever makes it calls `stop` when the work is over. */
export class Bounds extends MemoryBudget {
  /** Aborted, with the `BoundReached` as its reason, as soon as the limit of bytes or time is met. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #limits: { readonly bytes: number; readonly time: number };
  readonly #outside: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #timer: NodeJS.Timeout;
  #bytesLeft: number;

  constructor({
    bytes = Number.POSITIVE_INFINITY,
    time = Number.POSITIVE_INFINITY,
    memory = Number.POSITIVE_INFINITY,
    signal: outside,
  }: BoundLimits) {
    super(memory);
    this.signal = this.#controller.signal;
    // The number of listeners has no limit: every request under way listens to the signal.
    setMaxListeners(0, this.signal);
    this.#limits = { bytes, time };
    this.#deadline = performance.now() + time;
    this.#bytesLeft = bytes;
    this.#outside = outside;
    outside?.addEventListener('abort', this.#endFromOutside);
    if (outside?.aborted === true) this.#endFromOutside();
    this.#timer = setTimeout(() => this.#endByTime(), Math.min(time, LONGEST_TIMER));
  }

  /** Counts bytes that were read. @throws BoundReached */
  take(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#end('bytes', `more than ${this.#limits.bytes} bytes were to be read`);
    this.signal.throwIfAborted();
  }

  /** Checks the limit of time, in work that gives timers no chance. @throws BoundReached */
  check(): void {
    if (performance.now() > this.#deadline) this.#endByTime();
    this.signal.throwIfAborted();
  }

  /** Waits for work until a limit is met. The work itself must end soon after that. @throws BoundReached */
  async race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
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
  }

  /** Releases the timer and the listener; to be called however the work ended. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#outside?.removeEventListener('abort', this.#endFromOutside);
  }

  readonly #endFromOutside = (): void => this.#controller.abort(this.#outside?.reason);

  #endByTime(): void {
    this.#end('time', `the time is over, after ${Math.ceil(this.#limits.time / 1000)} s`);
  }

  #end(bound: Bound, message: string): void {
    if (!this.signal.aborted) this.#controller.abort(new BoundReached(bound, message));
  }
}

/** The bytes of a file or an answer. Must be read to the end, or returned from. @throws FetchError while it is read */
export type Body = AsyncIterable<Buffer>;

/** Makes a body that can be read again and again. */
export function makeBody(bytes: Buffer): Body {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}

export type FetchFailure =
  /** The answer has status 404 or 410. */
  | 'missing'
  /** The answer has another status, or there is none. */
  | 'failed'
  /** There is no answer in time, or it comes too slowly. */
  | 'slow'
  /** The URL was not requested: its protocol is not http(s), or its address is not public. */
  | 'refused';

/** Thrown if a URL cannot be fetched; the message is what was found. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** Returns whether a request that failed with this error may succeed if it is repeated. */
export function isPassing(error: unknown): boolean {
  const code = nodeErrorCode(error);
  return (
    code !== undefined && ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(code)
  );
}

const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];
const NOT_REACHED = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;

/** Names the proxy of the environment, which is not used, for the message about a server that cannot be reached. */
export function tellProxy(): string {
  const name = PROXIES.find((one) => process.env[one]);
  return name === undefined ? '' : `; ${name} is set, but proxies are not used`;
}

/** Words an error of the system or the network; returns a bug of ours, which has no code, unchanged. */
export function describeFailure(error: unknown): unknown {
  const code = nodeErrorCode(error);
  if (error instanceof FetchError || code === undefined) return error;
  const { message, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  // Several addresses that all failed come as one error without a message.
  const said = message === '' ? code : message;
  const what = code === 'ENOTFOUND' ? `the host ${hostname} was not found` : said;
  const proxy = NOT_REACHED.test(code) ? tellProxy() : '';
  return new FetchError('failed', what + proxy, { cause: error });
}
