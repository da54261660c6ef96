/** Ends what reads from strangers: one request that fails, or all the work after so many bytes, so much time, so much to remember. */

import { setMaxListeners } from 'node:events';
import { nodeErrorCode } from '../../base/errors.js';
import { LONGEST_TIMER } from '../../base/timer.js';

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

function wordMemory(most: number): string {
  return `more than ${most} bytes of entries were to be remembered`;
}

/** A limit on bytes of memory, for work that counts them apart from its `Bounds`. */
export class MemoryBudget {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Counts bytes that are kept; a negative number for those that were released. @throws BoundReached */
  keep(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new BoundReached('memory', wordMemory(this.#most));
  }
}

/** The limits of a piece of work. They count from when it is made; whoever makes it calls `stop` when the work is over. */
export class Bounds {
  /** Aborted, with the `BoundReached` as its reason, as soon as a limit is met. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #limits: Required<Omit<BoundLimits, 'signal'>>;
  readonly #outside: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #timer: NodeJS.Timeout;
  #bytesLeft: number;
  #memoryLeft: number;

  constructor({
    bytes = Number.POSITIVE_INFINITY,
    time = Number.POSITIVE_INFINITY,
    memory = Number.POSITIVE_INFINITY,
    signal: outside,
  }: BoundLimits) {
    this.signal = this.#controller.signal;
    // Every request under way listens.
    setMaxListeners(0, this.signal);
    this.#limits = { bytes, time, memory };
    this.#deadline = performance.now() + time;
    this.#bytesLeft = bytes;
    this.#memoryLeft = memory;
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

  /** Counts bytes of memory that are kept; a negative number for those that were released. @throws BoundReached */
  keep(bytes: number): void {
    this.#memoryLeft -= bytes;
    if (this.#memoryLeft < 0) this.#end('memory', wordMemory(this.#limits.memory));
    this.signal.throwIfAborted();
  }

  /** Looks at the clock, for work that gives timers no chance. @throws BoundReached */
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
