/** The HTTP client: polite, within bounds, and only to public servers and the one that the user named. */

import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeErrorCode } from '../../base/errors.js';
import type { HttpLimits } from '../../base/http.js';
import { checkTarget, type Home } from './addresses.js';
import { type Body, type Bounds, describeFailure, FetchError, isPassing } from './bounds.js';
import type { Pacer } from './pace.js';
import { ConnectionPool, type RequestContent, type RequestHeaders, readBody } from './request.js';

const MOST_REDIRECTS = 10;
/** Limit of the answer to a POST request that is kept, in characters. */
const MOST_ANSWER = 1000;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export interface HttpManners extends Omit<Home, 'origin'> {
  /** The name for the `User-Agent` header, such as `resync-static audit`. */
  readonly agent: string;
  /** Limits of all answers together; every request ends with them. */
  readonly bounds: Bounds;
  /** Headers for the origin that the user named, and for no other. @default none */
  readonly tokens?: RequestHeaders;
  /** Pace of requests, which counts requests and bytes, and holds requests back. @default none */
  readonly pace?: Pacer;
}

/** An answer with status 200, or with 304 if a condition was sent. */
interface Fetched {
  /** The URL of the answer, after all redirects. */
  readonly uri: string;
  readonly redirects: readonly string[];
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Body;
}

/** The status of the last answer, and the targets of the redirects before it. */
export interface UrlAnswer {
  readonly status: number;
  readonly redirects: readonly string[];
}

export class HttpClient {
  readonly #home: Home;
  readonly #limits: HttpLimits;
  readonly #bounds: Bounds;
  readonly #pace: Pacer | undefined;
  readonly #connections: ConnectionPool;
  /** Numbers of failures in a row, by `failureKey`. If many files of an origin fail, its documents are still requested. */
  readonly #failures = new Map<string, number>();

  /** @param home URL that the user named. Only its host may have an internal address, which a Source could abuse otherwise. */
  constructor(home: string, limits: HttpLimits, manners: HttpManners) {
    const { agent, tokens = {}, pace, bounds } = manners;
    this.#home = { pinned: new Set<string>(), ...manners, origin: new URL(home).origin };
    this.#limits = limits;
    this.#bounds = bounds;
    this.#pace = pace;
    this.#connections = new ConnectionPool({
      home: this.#home,
      limits,
      agent,
      tokens,
      signal: bounds.signal,
    });
  }

  /**
   * Fetches a URL, and follows redirects. @throws FetchError, also while the body is read; BoundReached
   * @param most bytes of the body; a longer one is an error @param isFile as for `Pacer.take`
   */
  async fetch(
    uri: string,
    most = Number.POSITIVE_INFINITY,
    headers?: RequestHeaders,
    isFile = false,
  ): Promise<Fetched> {
    const redirects: string[] = [];
    for (let target = toUrl(uri); ; ) {
      const response = await this.#request(target, headers, undefined, isFile);
      const { statusCode = 0 } = response;
      if (statusCode === 200 || (statusCode === 304 && isCondition(headers))) {
        const body = this.#read(response, most, target, isFile);
        return { uri: target.href, redirects, status: statusCode, headers: response.headers, body };
      }
      response.destroy();
      target = followRedirect(response, target);
      if (redirects.includes(target.href) || redirects.length === MOST_REDIRECTS)
        throw new FetchError('failed', `redirects without end, to ${target.href}`);
      redirects.push(target.href);
      checkTarget(target, this.#home, true);
    }
  }

  /** Asks for the status of a URL, with HEAD, then GET if that finds no page. Follows redirects to the same server. */
  async ask(uri: string): Promise<UrlAnswer> {
    const redirects: string[] = [];
    for (let target = toUrl(uri); ; ) {
      const first = await this.#askOnce(target, 'HEAD');
      const isFound = first.statusCode === 200 || REDIRECTS.includes(first.statusCode ?? 0);
      const { statusCode: status = 0, headers } = isFound ? first : await this.#askOnce(target);
      if (!REDIRECTS.includes(status) || headers.location === undefined) return { status, redirects };
      const next = toUrl(escapeBytes(headers.location), target);
      const isEndless = redirects.includes(next.href) || redirects.length === MOST_REDIRECTS;
      redirects.push(next.href);
      if (isEndless || next.origin !== target.origin) return { status, redirects };
      target = next;
    }
  }

  async #askOnce(target: URL, method?: 'HEAD'): Promise<IncomingMessage> {
    const response = await this.#request(target, undefined, method, true);
    response.destroy();
    return response;
  }

  /** Sends a POST request, again if the server is busy. Follows no redirect, so that the content goes nowhere else. */
  async send(
    uri: string,
    content: RequestContent,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const target = toUrl(uri);
    const response = await this.#request(target, {}, content);
    let text = '';
    for await (const chunk of this.#read(response, Number.POSITIVE_INFINITY, target)) {
      text += chunk.toString('latin1');
      if (text.length >= MOST_ANSWER) break;
    }
    const { statusCode = 0 } = response;
    return { status: statusCode, text: text.slice(0, MOST_ANSWER) };
  }

  close(): void {
    this.#connections.close();
  }

  #read(response: IncomingMessage, most: number, target: URL, isFile = false): Body {
    const take = (bytes: number) => {
      this.#pace?.countBytes(bytes);
      this.#bounds.take(bytes);
    };
    const limits = { most, timeout: this.#limits.timeout, bounds: { take, signal: this.#bounds.signal } };
    return readBody(response, limits, () => this.#noteFailure(target, isFile));
  }

  /** Sends a request, and repeats it if that may help. @throws FetchError; BoundReached */
  async #request(
    target: URL,
    headers?: RequestHeaders,
    content?: RequestContent | 'HEAD',
    isFile = false,
  ): Promise<IncomingMessage> {
    const { signal } = this.#bounds;
    for (let count = 1; ; count++) {
      if ((this.#failures.get(failureKey(target, isFile)) ?? 0) >= MOST_FAILURES) {
        const found = `not asked: ${target.host} has failed ${MOST_FAILURES} times in a row`;
        throw new FetchError('failed', found);
      }
      const isLast = count >= this.#limits.attempts;
      let pause = FIRST_PAUSE * 2 ** (count - 1);
      try {
        const begun = await this.#pace?.take(target.origin, isFile);
        const answer = await this.#connections.request(target, headers, content);
        const isBusy = this.#noteAnswer(target, answer, isFile, begun);
        if (isLast || !isBusy) return answer;
        answer.destroy();
        pause = readWait(answer, pause);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FetchError && error.failure === 'refused') throw error;
        this.#noteFailure(target, isFile);
        if (isLast || !isPassing(error)) throw describeFailure(error);
      }
      await this.#bounds.race(sleep(pause, undefined, { signal }));
    }
  }

  #noteFailure(target: URL, isFile: boolean): void {
    const key = failureKey(target, isFile);
    this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
  }

  /** Adapts the pace to an answer. @param begun when its request began @returns true if a server, or its gateway, may answer soon */
  #noteAnswer(
    target: URL,
    { statusCode = 0, headers }: IncomingMessage,
    isFile: boolean,
    begun: number | undefined,
  ): boolean {
    // Status 500 and 501 are about one page; higher ones come from a gateway.
    const isBusy = statusCode === 408 || statusCode === 429 || statusCode > 501;
    const wait = isBusy ? readRetryAfter(headers) : undefined;
    if (begun !== undefined && (statusCode === 429 || wait !== undefined))
      this.#pace?.slow(target.origin, begun, wait);
    else if (begun !== undefined && statusCode < 500) this.#pace?.quicken(target.origin, begun);
    if (isBusy || statusCode >= 500) this.#noteFailure(target, isFile);
    else this.#failures.delete(failureKey(target, isFile));
    return isBusy;
  }
}

/** Milliseconds before a request is first repeated, doubled each further time; and the longest `Retry-After` that is granted. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
/** Limit of failures of an origin in a row, after which it is not requested any more. */
const MOST_FAILURES = 20;

function failureKey({ origin }: URL, isFile: boolean): string {
  return `${isFile ? 'files' : 'documents'} ${origin}`;
}

function isCondition(headers: RequestHeaders = {}): boolean {
  return 'if-none-match' in headers || 'if-modified-since' in headers;
}

/** Returns the target of a redirect. @throws FetchError if the answer is no redirect */
function followRedirect({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL {
  if (REDIRECTS.includes(statusCode) && location !== undefined) return toUrl(escapeBytes(location), from);
  const missing = statusCode === 404 || statusCode === 410;
  throw new FetchError(missing ? 'missing' : 'failed', `status ${statusCode}`);
}

/** Escapes bytes that are not ASCII, as browsers do; Node reads each byte of a header as a character. */
function escapeBytes(header: string): string {
  return header.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function toUrl(uri: string, base?: URL): URL {
  try {
    const url = new URL(uri, base);
    if (url.hash !== '') url.hash = '';
    return url;
  } catch (error) {
    if (nodeErrorCode(error) !== 'ERR_INVALID_URL') throw error;
    throw new FetchError(base === undefined ? 'refused' : 'failed', `${uri} is no URL`);
  }
}

/** Returns the milliseconds to wait for a busy server. @param pause if it asks for none @throws FetchError for too long a wait */
function readWait({ statusCode, headers }: IncomingMessage, pause: number): number {
  const wait = readRetryAfter(headers) ?? pause;
  if (wait <= LONGEST_PAUSE) return wait;
  throw new FetchError('failed', `status ${statusCode}, and to be asked again in ${wait / 1000} s only`);
}

/** Matches the beginning of a date (RFC 9110 §5.6.7), to exclude texts such as `+5` that `Date.parse` takes for a date, too. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Returns the milliseconds that `Retry-After` asks for, if any. A date is compared with the clock of the server. */
function readRetryAfter(headers: IncomingMessage['headers']): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (headers.date === undefined || !HTTP_DATE.test(text)) return undefined;
  const time = Date.parse(/ GMT$/i.test(text) ? text : `${text} GMT`);
  const wait = time - Date.parse(headers.date);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
