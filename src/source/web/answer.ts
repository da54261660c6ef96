/** What a server answers: a head as nearly all write it; and the body, all of it, or an error in time. */

import type { IncomingHttpHeaders } from 'node:http';
import { nodeErrorCode } from '../../base/errors.js';
import { type Body, type Bounds, describeFailure, FetchError, makeWhole } from './bounds.js';

/** What a header may say, as Node's client has it. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** As Node's client has it, in bytes. */
const MOST_HEAD = 16_384;

/** Whether it may be the beginning of a head that can be read here. */
export function couldBePlain(got: Buffer): boolean {
  const text = got.toString('latin1');
  return text.length < MOST_HEAD && 'HTTP/1.1 '.startsWith(text.slice(0, 9)) && !/(?:^|[^\r])\n/.test(text);
}

/**
 * Reads the head of an answer.
 *
 * @param text to the end of its last line
 * @returns what it says, and how many bytes of a body follow; undefined where anything is not as nearly all servers write it
 */
export function readPlainHead(text: string) {
  const [first = '', ...rows] = text.split('\r\n');
  const [, digits] = /^HTTP\/1\.1 ([2-5]\d\d)(?: |$)/.exec(first) ?? [];
  if (digits === undefined || text.length > MOST_HEAD) return undefined;
  const headers: IncomingHttpHeaders = Object.create(null);
  for (const row of rows.slice(0, -1)) {
    const colon = row.indexOf(':');
    const [name, value] = [row.slice(0, colon).toLowerCase(), row.slice(colon + 1).trim()];
    if (colon < 1 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !HEADER_VALUE.test(value)) return undefined;
    // Nobody reads cookies.
    if (name === 'set-cookie') continue;
    if (name in headers) return undefined;
    headers[name] = name === 'connection' ? value.toLowerCase() : value;
  }
  const { connection = 'keep-alive', 'content-length': length = '' } = headers;
  const isOdd = 'transfer-encoding' in headers || !/^(?:keep-alive|close)$/.test(connection);
  const status = Number(digits);
  if (isOdd) return undefined;
  if (status === 204 || status === 304) return { status, headers, length: 0 };
  return /^\d{1,15}$/.test(length) ? { status, headers, length: Number(length) } : undefined;
}

/** Where a body comes from. */
interface PieceSource {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Gives up what is left. */
  readonly destroy: () => void;
}

export type Pieces = ReturnType<typeof startBody>;

/** Pieces that wait to be taken, before the server has to wait. */
const MOST_WAITING = 4;

/** Starts to take the pieces of a body; without what a stream costs, which is a fourth of a small request. */
export function startBody(source: PieceSource) {
  const waiting: Buffer[] = [];
  let [isWhole, isOver] = [false, false];
  let failure: unknown;
  let wake: () => void = () => undefined;
  return {
    push(piece: Buffer): void {
      if (waiting.push(piece) >= MOST_WAITING) source.pause();
      wake();
    },
    /** @param error undefined where all has come */
    end(error?: unknown): void {
      if (isOver) return;
      [isWhole, isOver, failure] = [error === undefined, true, error];
      wake();
    },
    /** All, where all has come. */
    whole(): Buffer | undefined {
      const [first, ...others] = waiting;
      if (!isWhole) return undefined;
      return first !== undefined && others.length === 0 ? first : Buffer.concat(waiting);
    },
    async *take(): AsyncGenerator<Buffer> {
      for (;;) {
        const piece = waiting.shift();
        if (piece !== undefined) yield piece;
        else if (isOver) break;
        else {
          source.resume();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      if (failure !== undefined) throw failure;
    },
    destroy: source.destroy,
  };
}

/** What a body is read within. */
interface BodyLimits {
  /** Bytes. */
  readonly most: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly bounds: Bounds;
}

/**
 * Reads a body.
 *
 * @param noteFailure is called when it breaks off or is too slow
 * @throws FetchError and BoundReached, also while it is read
 */
export function readBody(pieces: Pieces, limits: BodyLimits, noteFailure: () => void): Body {
  const whole = pieces.whole();
  if (whole === undefined || whole.length > limits.most) return readPieces(pieces, limits, noteFailure);
  limits.bounds.take(whole.length);
  return makeWhole(whole);
}

/** A server that is slower, in any stretch of time as long as the time-out, is given up. */
const SLOWEST_BYTES_PER_SECOND = 1000;

async function* readPieces(
  pieces: Pieces,
  { most, timeout, bounds }: BodyLimits,
  noteFailure: () => void,
): AsyncGenerator<Buffer> {
  let begin = performance.now();
  let received = 0;
  let before = 0;
  const timer = setTimeout(() => {
    pieces.end(new FetchError('slow', `nothing more for ${timeout / 1000} s after ${received} bytes`));
  }, timeout);
  try {
    for await (const chunk of pieces.take()) {
      timer.refresh();
      received += chunk.length;
      bounds.take(chunk.length);
      if (received > most) throw new FetchError('failed', `more than ${most} bytes`);
      const elapsed = performance.now() - begin;
      if (elapsed > timeout) {
        const recent = received - before;
        if (recent < (elapsed / 1000) * SLOWEST_BYTES_PER_SECOND)
          throw new FetchError('slow', `only ${recent} bytes in ${Math.round(elapsed / 1000)} s`);
        [begin, before] = [performance.now(), received];
      }
      yield chunk;
    }
  } catch (error) {
    bounds.signal.throwIfAborted();
    noteFailure();
    if (error instanceof FetchError || nodeErrorCode(error) !== 'ECONNRESET') throw describeFailure(error);
    throw new FetchError('failed', `the connection ended after ${received} bytes`, { cause: error });
  } finally {
    clearTimeout(timer);
    pieces.destroy();
  }
}
