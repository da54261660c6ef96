/** Fetches what others publish: politely, within bounds, and never from where the public web does not lead. */

import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeErrorCode } from '../../base/errors.js';
import type { HttpLimits } from '../../base/http.js';
import { checkTarget, type Home } from './addresses.js';
import { type Bounds, describeFailure, FetchError, isPassing } from './bounds.js';
import type { Pacer } from './pace.js';
import {
  type HttpAnswer,
  type RequestContent,
  type RequestHeaders,
  readBody,
  startRequester,
} from './request.js';

const MOST_REDIRECTS = 10;
/** Characters of an answer to what was sent. */
const MOST_ANSWER = 1000;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export type HttpClient = Readonly<ReturnType<typeof startClient>>;

export interface HttpManners extends Omit<Home, 'origin'> {
  /** What we say we are, such as `resync-static audit`. */
  readonly agent: string;
  /** All answers together stay within them; every request ends with them. */
  readonly bounds: Bounds;
  /** Headers for the origin that the user named, and for no other. @default none */
  readonly tokens?: RequestHeaders;
  /** Counts requests and bytes, and holds requests back. @default nobody does */
  readonly pace?: Pacer;
}

/**
 * Starts a client that keeps its connections.
 *
 * @param home what the user named. Its host may have any address; all others have to have public ones, or a Source on
 *   the web could have us ask around in the network that we are in.
 */
export function startClient(home: string, limits: HttpLimits, manners: HttpManners) {
  const { origin } = new URL(home);
  const { agent, tokens = {}, pace } = manners;
  const bounds = pace === undefined ? manners.bounds : countAll(manners.bounds, pace);
  const named = { pinned: new Set<string>(), ...manners, origin };
  const requester = startRequester(named, limits, { agent, tokens }, bounds.signal);
  const patience = startPatience(requester.ask, limits.attempts, bounds, pace);
  const { timeout } = limits;
  return {
    /**
     * @param most bytes of the body; what is longer is an error
     * @param asking what else to say, such as a condition
     * @param isFile as `Pacer.take` takes it
     * @returns an answer with status 200, its body still to be read to its end, or returned from; or with 304, where a condition
     *   was sent; with the URL where it came from in the end, and where redirects led, in their order
     * @throws FetchError, also while the body is read; BoundReached
     */
    async fetch(uri: string, most = Number.POSITIVE_INFINITY, asking?: RequestHeaders, isFile = false) {
      const redirects: string[] = [];
      for (let target = toUrl(uri); ; ) {
        const { href } = target;
        const asked = target;
        const answer = await patience.ask(target, asking, undefined, isFile);
        const { response } = answer;
        const { statusCode = 0, headers } = response;
        if (statusCode === 200 || (statusCode === 304 && isCondition(asking))) {
          const body = readBody(answer, { most, timeout, bounds }, () => patience.noteFailure(asked));
          return { uri: href, redirects, status: statusCode, headers, body };
        }
        response.destroy();
        target = followRedirect(response, target);
        if (redirects.includes(target.href) || redirects.length === MOST_REDIRECTS)
          throw new FetchError('refused', `redirects without end, to ${target.href}`);
        redirects.push(target.href);
        checkTarget(target, named, true);
      }
    },
    /**
     * Sends something, and again where the server is busy. Follows no redirect: what is sent goes nowhere else.
     *
     * @throws FetchError where there is no answer; BoundReached
     */
    async send(uri: string, content: RequestContent) {
      const target = toUrl(uri);
      const answer = await patience.ask(target, {}, content);
      const body = readBody(answer, { most: Number.POSITIVE_INFINITY, timeout, bounds }, () =>
        patience.noteFailure(target),
      );
      let text = '';
      for await (const chunk of body) {
        text += chunk.toString('latin1');
        if (text.length >= MOST_ANSWER) break;
      }
      // The beginning of what it said.
      return { status: answer.response.statusCode ?? 0, text: text.slice(0, MOST_ANSWER) };
    },
    close: requester.close,
  };
}

/** Bounds that count what they let through. */
function countAll(bounds: Bounds, { countBytes }: Pacer): Bounds {
  const take = (bytes: number) => {
    countBytes(bytes);
    bounds.take(bytes);
  };
  return { ...bounds, take };
}

function isCondition(headers: RequestHeaders = {}): boolean {
  return 'if-none-match' in headers || 'if-modified-since' in headers;
}

/** @throws FetchError where an answer leads nowhere */
function followRedirect({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL {
  if (REDIRECTS.includes(statusCode) && location !== undefined) return toUrl(escapeBytes(location), from);
  const missing = statusCode === 404 || statusCode === 410;
  throw new FetchError(missing ? 'missing' : 'failed', `status ${statusCode}`);
}

/** Node reads each byte of a header as a character; browsers escape those that are not ASCII, whatever they encode. */
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
    throw new FetchError('refused', `${uri} is no URL`);
  }
}

/** Milliseconds: before the first repetition, doubled for each one more; and the most that `Retry-After` may ask for. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
/** A host that fails so many times in a row is not asked any more. */
const MOST_FAILURES = 20;
/** The server is busy, or something between it and us. */
const BUSY: readonly number[] = [429, 502, 503, 504];

type AskOnce = ReturnType<typeof startRequester>['ask'];

/** @param attempts how often to ask for one target */
function startPatience(askOnce: AskOnce, attempts: number, { race, signal }: Bounds, pace?: Pacer) {
  /** How many requests to an origin have failed since one did not. */
  const failures = new Map<string, number>();
  const noteOutcome = (origin: string, failed: boolean) =>
    failures.set(origin, failed ? (failures.get(origin) ?? 0) + 1 : 0);

  return {
    /** @throws FetchError; BoundReached */
    async ask(
      target: URL,
      headers?: RequestHeaders,
      content?: RequestContent,
      isFile = false,
    ): Promise<HttpAnswer> {
      const { origin } = target;
      for (let count = 1; ; count++) {
        if ((failures.get(origin) ?? 0) >= MOST_FAILURES) {
          const found = `not asked: ${target.host} has failed ${MOST_FAILURES} times in a row`;
          throw new FetchError('failed', found);
        }
        const isLast = count >= attempts;
        let pause = FIRST_PAUSE * 2 ** (count - 1);
        try {
          const turn = pace?.take(origin, isFile);
          const begun = typeof turn === 'object' ? await turn : turn;
          const answer = await askOnce(target, headers, content);
          const { statusCode = 0 } = answer.response;
          const isBusy = BUSY.includes(statusCode);
          const told = isBusy ? readRetryAfter(answer.response.headers) : undefined;
          if (begun !== undefined && (statusCode === 429 || told !== undefined))
            pace?.slow(origin, begun, told ?? 0);
          else if (begun !== undefined && statusCode < 500) pace?.quicken(origin, begun);
          noteOutcome(origin, statusCode === 429 || statusCode >= 500);
          if (isLast || !isBusy) return answer;
          answer.response.destroy();
          pause = readWait(answer.response, pause);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof FetchError && error.failure === 'refused') throw error;
          noteOutcome(origin, true);
          if (isLast || !isPassing(error)) throw describeFailure(error);
        }
        await race(sleep(pause, undefined, { signal }));
      }
    },
    /** Takes note that a target failed after it had answered. */
    noteFailure: ({ origin }: URL) => noteOutcome(origin, true),
  };
}

/** @param pause how long to wait where the server does not say */
function readWait({ statusCode, headers }: IncomingMessage, pause: number): number {
  const wait = readRetryAfter(headers) ?? pause;
  if (wait <= LONGEST_PAUSE) return wait;
  throw new FetchError('failed', `status ${statusCode}, and to be asked again in ${wait / 1000} s only`);
}

/** The three forms of a date (RFC 9110 §5.6.7); what else `Date.parse` takes for one, such as `+5` or `1.5`, is none. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Milliseconds; a date is compared with the server's own clock. */
function readRetryAfter(headers: IncomingMessage['headers']): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  const time = Date.parse(/ GMT$/i.test(text) ? text : `${text} GMT`);
  const wait = time - Date.parse(headers.date ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
