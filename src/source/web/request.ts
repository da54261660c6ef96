/** Sends single requests and reads the answers; whatever the server does, each ends in time. */

import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { nodeErrorCode } from '../../base/errors.js';
import type { HttpLimits } from '../../base/http.js';
import { checkTarget, type Home, makeLookup, notePeer } from './addresses.js';
import { type Bounds, describeFailure, FetchError, tellProxy } from './bounds.js';

/** Limit of interim answers (status 1xx), after which a server is given up. */
const MOST_ANNOUNCEMENTS = 100;

/** Limit of the head of an answer, in bytes. Node allows 16 kB, but pages of repositories name each of their files in a `Link`. */
export const MOST_HEAD_BYTES = 65_536;

/** Headers of a request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

export interface RequestContent {
  readonly type: string;
  readonly text: string;
}

interface ConnectionOptions {
  readonly home: Home;
  readonly limits: HttpLimits;
  readonly agent: string;
  /** Headers that only the origin of `home` gets. */
  readonly tokens: RequestHeaders;
  /** Signal that ends all requests. */
  readonly signal: AbortSignal;
}

export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent };

  constructor(options: ConnectionOptions) {
    const pooling = { keepAlive: true, maxSockets: options.limits.connections };
    this.#options = options;
    this.#agents = { 'http:': new http.Agent(pooling), 'https:': new https.Agent(pooling) };
  }

  /** Sends a request, and waits for the answer. @throws FetchError; errors of the system; the reason of the signal */
  async request(
    target: URL,
    headers: RequestHeaders = {},
    content?: RequestContent | 'HEAD',
  ): Promise<IncomingMessage> {
    const { home, limits, agent, tokens, signal } = this.#options;
    signal.throwIfAborted();
    const protocol = checkTarget(target, home);
    // Options are written one by one: a URL costs a fifth of a small request, and options that were spread stay in memory for long.
    const request = (protocol === 'https:' ? https : http).request({
      hostname: target.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: target.port,
      path: target.pathname + target.search,
      auth: readAuth(target),
      method: content === undefined ? 'GET' : content === 'HEAD' ? content : 'POST',
      agent: this.#agents[protocol],
      signal,
      lookup: makeLookup(target, home),
      maxHeaderSize: MOST_HEAD_BYTES,
      headers: {
        'user-agent': agent,
        'accept-encoding': 'identity',
        accept: '*/*',
        ...(typeof content === 'object' && {
          'content-type': content.type,
          'content-length': String(Buffer.byteLength(content.text)),
        }),
        ...headers,
        ...(target.origin === home.origin && tokens),
      },
    });
    request.end(typeof content === 'object' ? content.text : undefined);
    return waitForAnswer(request, limits.timeout, ({ socket }) => {
      // The peer of a reused connection was noted before.
      if (!request.reusedSocket) notePeer(target, socket.remoteAddress, home);
    });
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function readAuth(target: URL): string | null | undefined {
  return target.username + target.password === '' ? undefined : urlToHttpOptions(target).auth;
}

/** Waits for an answer, and calls `onHead` with it. Its body must be read, or the response destroyed. */
function waitForAnswer(
  request: http.ClientRequest,
  timeout: number,
  onHead: (response: IncomingMessage) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const timer = setTimeout(() => {
      request.destroy(new FetchError('slow', `no answer in ${timeout / 1000} s${tellProxy()}`));
    }, timeout);
    let announcements = 0;
    request.on('information', ({ statusCode }) => {
      if (++announcements > MOST_ANNOUNCEMENTS)
        request.destroy(new FetchError('failed', `status ${statusCode} over and over, and no answer`));
    });
    request.on('response', (response) => {
      answer = response;
      clearTimeout(timer);
      onHead(response);
      resolve(response);
    });
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new FetchError('failed', `status ${statusCode}, although no other protocol was asked for`));
    });
    request.on('error', (error) => {
      reject(error);
      // Node takes the error for the end of a body that has no length.
      if (answer?.complete === false) answer.destroy(error);
    });
    // `close` is always the last event, and the only one if there was neither an answer nor an error.
    request.on('close', () => {
      clearTimeout(timer);
      // The error is made only if it is needed: errors are expensive, and nearly always there is an answer.
      if (answer === undefined)
        reject(new FetchError('failed', 'the connection was closed without an answer'));
    });
  });
}

/** The slowest rate of a body, over any period as long as the time-out; a slower server is given up. */
const SLOWEST_BYTES_PER_SECOND = 1000;

interface BodyLimits {
  /** Limit of the body, in bytes. */
  readonly most: number;
  /** Limit of the wait for each piece, in milliseconds. */
  readonly timeout: number;
  readonly bounds: Pick<Bounds, 'take' | 'signal'>;
}

/** Reads the body of an answer. @param noteFailure called if it breaks off or is too slow @throws FetchError, BoundReached */
export async function* readBody(
  response: IncomingMessage,
  { most, timeout, bounds }: BodyLimits,
  noteFailure: () => void,
): AsyncGenerator<Buffer> {
  let begin = performance.now();
  let received = 0;
  let before = 0;
  // `response.setTimeout` costs an eighth of a small request.
  const timer = setTimeout(
    () =>
      response.destroy(
        new FetchError('slow', `nothing more for ${timeout / 1000} s after ${received} bytes`),
      ),
    timeout,
  );
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
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
    const code = nodeErrorCode(error);
    const isCut = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (error instanceof FetchError || !isCut) throw describeFailure(error);
    throw new FetchError('failed', `the connection ended after ${received} bytes`, { cause: error });
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
}
