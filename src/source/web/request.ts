/** One request to a server, its answer and the body of that; or an error in time, whatever the server does. */

import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { nodeErrorCode } from '../../base/errors.js';
import type { HttpLimits } from '../../base/http.js';
import { checkTarget, type Home, makeLookup, notePeer } from './addresses.js';
import { type Body, type Bounds, describeFailure, FetchError, makeWhole, tellProxy } from './bounds.js';

/** A server that says so often that an answer is to come (status 1xx) is not waited for any more. */
const MOST_ANNOUNCEMENTS = 100;

/** Bytes of the head of an answer: pages of repositories name each of their files in a `Link`. Node reads 16 kB by default. */
export const MOST_HEAD_BYTES = 65_536;

/** What is said with a request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** What is sent to a server. */
export interface RequestContent {
  /** Media type. */
  readonly type: string;
  readonly text: string;
}

/**
 * Starts to ask over connections that are kept.
 *
 * @param tokens headers that only the origin of `home` gets
 */
export function startRequester(
  home: Home,
  { connections, timeout }: HttpLimits,
  { agent, tokens }: { readonly agent: string; readonly tokens: RequestHeaders },
  signal: AbortSignal,
) {
  const options = { keepAlive: true, maxSockets: connections };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  // One listener for all requests: one for each, as `signal` of a request has it, costs a tenth of a request.
  // An array, because a Set whose members come and go keeps old ones in memory.
  const underWay: (http.ClientRequest | undefined)[] = [];
  const endAll = () => {
    for (const request of underWay) request?.destroy(signal.reason);
  };
  signal.addEventListener('abort', endAll, { once: true });
  const introduction = { 'user-agent': agent, 'accept-encoding': 'identity', accept: '*/*' };
  return {
    /** @throws FetchError; what the system says; the reason of the signal */
    async ask(target: URL, headers: RequestHeaders = {}, content?: RequestContent): Promise<HttpAnswer> {
      signal.throwIfAborted();
      const protocol = checkTarget(target, home);
      // Node takes a URL as well, for a fifth of what a small request costs; and what is spread into these options
      // stays in memory for long.
      const request = (protocol === 'https:' ? https : http).request({
        hostname: target.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: target.port,
        path: target.pathname + target.search,
        auth: readAuth(target),
        method: content === undefined ? 'GET' : 'POST',
        agent: agents[protocol],
        lookup: makeLookup(target, home),
        maxHeaderSize: MOST_HEAD_BYTES,
        headers: {
          ...introduction,
          ...(content !== undefined && {
            'content-type': content.type,
            'content-length': String(Buffer.byteLength(content.text)),
          }),
          ...headers,
          ...(target.origin === home.origin && tokens),
        },
      });
      const free = underWay.indexOf(undefined);
      const place = free === -1 ? underWay.length : free;
      underWay[place] = request;
      request.end(content?.text);
      return waitForAnswer(request, timeout, {
        // Of a connection that is used again, it is known.
        meet: ({ socket }) => request.reusedSocket || notePeer(target, socket.remoteAddress, home),
        close: () => {
          underWay[place] = undefined;
        },
      });
    },
    close(): void {
      signal.removeEventListener('abort', endAll);
      for (const each of Object.values(agents)) each.destroy();
    },
  };
}

/** Of a URL that holds a name and a password. */
function readAuth(target: URL): string | null | undefined {
  return target.username + target.password === '' ? undefined : urlToHttpOptions(target).auth;
}

/** An answer. Its body is to be read, or the response destroyed. */
export interface HttpAnswer {
  readonly response: IncomingMessage;
  /** What has come of a small body. */
  readonly pieces?: Pieces;
}

/** Bodies of so many bytes are waited for before the answer is given: they come with its head, or soon after. */
const SMALL_BODY = 65_536;

/**
 * @param told `meet` is called with the head of the answer, `close` when nothing more can be heard of the request
 */
function waitForAnswer(
  request: http.ClientRequest,
  timeout: number,
  told: { readonly meet: (response: IncomingMessage) => void; readonly close: () => void },
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let answer: HttpAnswer | undefined;
    const give = () => {
      clearTimeout(timer);
      if (answer !== undefined) resolve(answer);
    };
    const timer = setTimeout(() => {
      // What is too slow of the body, its reader judges.
      if (answer !== undefined) give();
      else request.destroy(new FetchError('slow', `no answer in ${timeout / 1000} s${tellProxy()}`));
    }, timeout);
    let announcements = 0;
    request.on('information', ({ statusCode }) => {
      if (++announcements > MOST_ANNOUNCEMENTS)
        request.destroy(new FetchError('failed', `status ${statusCode} over and over, and no answer`));
    });
    request.on('response', (response) => {
      told.meet(response);
      const isSmall = response.statusCode === 200 && Number(response.headers['content-length']) <= SMALL_BODY;
      answer = isSmall ? { response, pieces: startPieces(response, SMALL_BODY, give) } : { response };
      if (!isSmall) give();
    });
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new FetchError('failed', `status ${statusCode}, although no other protocol was asked for`));
    });
    request.on('error', reject);
    // Always comes, and last; where there was neither answer nor error, nothing else says so.
    request.on('close', () => {
      told.close();
      clearTimeout(timer);
      // An error takes long to make, and nearly always there is an answer.
      if (answer === undefined)
        reject(new FetchError('failed', 'the connection was closed without an answer'));
    });
  });
}

/** A server that is slower, in any stretch of time as long as the time-out, is given up. */
const SLOWEST_BYTES_PER_SECOND = 1000;

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
export function readBody(answer: HttpAnswer, limits: BodyLimits, noteFailure: () => void): Body {
  const whole = answer.pieces?.whole();
  if (whole === undefined || whole.length > limits.most) return readPieces(answer, limits, noteFailure);
  limits.bounds.take(whole.length);
  return makeWhole(whole);
}

async function* readPieces(
  { response, pieces = startPieces(response, MOST_WAITING) }: HttpAnswer,
  { most, timeout, bounds }: BodyLimits,
  noteFailure: () => void,
): AsyncGenerator<Buffer> {
  let begin = performance.now();
  let received = 0;
  let before = 0;
  // `setTimeout` of an answer costs an eighth of a small request.
  const timer = setTimeout(
    () =>
      response.destroy(
        new FetchError('slow', `nothing more for ${timeout / 1000} s after ${received} bytes`),
      ),
    timeout,
  );
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
    response.destroy();
  }
}

/** Pieces that wait to be taken, before the server has to wait. */
const MOST_WAITING = 4;

type Pieces = ReturnType<typeof startPieces>;

/**
 * Starts to take what a stream yields, without what its own iterator costs: a fourth of a small request.
 *
 * @param most pieces that wait
 * @param over is called when no more come
 */
function startPieces(response: IncomingMessage, most: number, over: () => void = () => undefined) {
  const waiting: Buffer[] = [];
  let isWhole = false;
  // It may have broken off before anybody looked.
  let isOver = response.destroyed;
  let failure: unknown = response.errored ?? undefined;
  let wake: () => void = () => undefined;
  const end = () => {
    isOver = true;
    wake();
    over();
  };
  response.on('data', (piece: Buffer) => {
    if (waiting.push(piece) === most) response.pause();
    wake();
  });
  response.on('end', () => {
    isWhole = true;
    end();
  });
  response.on('error', (error) => {
    failure = error;
    end();
  });
  response.on('close', end);
  return {
    /** All, where all has come and nothing was taken. */
    whole(): Buffer | undefined {
      const [first, ...others] = waiting;
      if (!isWhole || failure !== undefined) return undefined;
      return first !== undefined && others.length === 0 ? first : Buffer.concat(waiting);
    },
    async *take(): AsyncGenerator<Buffer> {
      for (;;) {
        const piece = waiting.shift();
        if (piece !== undefined) yield piece;
        else if (isOver) break;
        else {
          if (response.isPaused()) response.resume();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      if (failure !== undefined) throw failure;
      if (!isWhole) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    },
  };
}
