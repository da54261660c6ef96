/** Fetches what others publish: politely, within bounds, and never from where the public web does not lead. */

import { type LookupAddress, lookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from '../errors.js';
import type { Bounds } from './bounds.js';

/** A server that is slower, in any stretch of time as long as the time-out, is given up. */
const SLOWEST_BYTES_PER_SECOND = 1000;
/** A server that says so often that an answer is to come (status 1xx) is not waited for any more. */
const MOST_ANNOUNCEMENTS = 100;
const MOST_REDIRECTS = 10;
/** Milliseconds: before the first repetition, doubled for each one more; and the most that `Retry-After` may ask for. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;

/** A host that fails so many times in a row is not asked any more. */
const MOST_FAILURES = 20;

/** How servers are treated. */
export interface HttpLimits {
  /** Milliseconds to wait for an answer, and then for each piece of it. @default 30,000 */
  readonly timeout: number;
  /** How often a request is made before it is given up. @default 3 */
  readonly attempts: number;
  /** Connections to one host at a time. @default 4 */
  readonly connections: number;
}

/** An answer with status 200, its body still to be read. */
export interface Fetched {
  /** Where it came from in the end. */
  readonly uri: string;
  /** Where redirects led, in their order; empty when there were none. */
  readonly redirects: readonly string[];
  readonly headers: IncomingMessage['headers'];
  /** Throws a FetchError when it breaks off or is too slow. To be read to its end, or returned from. */
  readonly body: AsyncIterable<Buffer>;
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

export interface HttpManners {
  /** What we say we are. @default 'resync-static audit' */
  readonly agent?: string;
  /** All answers together stay within them; every request ends with them. */
  readonly bounds: Bounds;
  /** Asks no other origin than the one that the user named, wherever redirects lead. @default false */
  readonly staysHome?: boolean;
}

export interface HttpClient {
  /**
   * @param most bytes of the body; what is longer is an error
   * @throws FetchError; BoundReached
   */
  fetch(uri: string, most?: number): Promise<Fetched>;
  close(): void;
}

/**
 * Starts a client that keeps its connections.
 *
 * @param home what the user named. Its host may have any address; all others have to have public ones, or a Source on
 *   the web could have us ask around in the network that we are in.
 */
export function startClient(
  home: string,
  limits: HttpLimits,
  { agent = 'resync-static audit', staysHome = false, bounds }: HttpManners,
): HttpClient {
  const { signal } = bounds;
  const { origin } = new URL(home);
  const options = { keepAlive: true, maxSockets: limits.connections };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  /** How many requests to an origin have failed since one did not. */
  const failures = new Map<string, number>();
  const noteOutcome = (target: URL, failed: boolean) =>
    failures.set(target.origin, failed ? (failures.get(target.origin) ?? 0) + 1 : 0);

  function checkTarget(target: URL): keyof typeof agents {
    const { protocol, hostname } = target;
    if (staysHome && target.origin !== origin)
      throw new FetchError('refused', `it redirects to ${target.href}, on another origin`);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new FetchError('refused', `${target.href} is not on the web`);
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    if (target.origin !== origin && isIP(address) !== 0 && !isPublic(address)) refuseAddress(target, address);
    return protocol;
  }

  /** Resolves a name as the connection will, and lets only public addresses through. */
  function makeLookup(target: URL): LookupFunction {
    if (target.origin === origin) return lookup as LookupFunction;
    return (hostname, wanted, callback) => {
      lookup(hostname, { ...wanted, all: true }, (error, addresses: LookupAddress[]) => {
        const hidden = addresses?.find(({ address }) => !isPublic(address));
        if (error !== null) return callback(error, '');
        if (hidden !== undefined) return callback(makeRefusal(target, hidden.address), '');
        if (wanted.all === true) return callback(null, addresses);
        return callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      });
    };
  }

  function ask(target: URL): Promise<IncomingMessage> {
    const protocol = checkTarget(target);
    return new Promise((resolve, reject) => {
      const request = (protocol === 'https:' ? https : http).get(target, {
        agent: agents[protocol],
        lookup: makeLookup(target),
        headers: { 'user-agent': agent, 'accept-encoding': 'identity', accept: '*/*' },
        signal,
      });
      const timer = setTimeout(
        () => request.destroy(new FetchError('slow', `no answer in ${limits.timeout / 1000} s`)),
        limits.timeout,
      );
      let announcements = 0;
      request.on('information', ({ statusCode }) => {
        if (++announcements > MOST_ANNOUNCEMENTS)
          request.destroy(new FetchError('failed', `status ${statusCode} over and over, and no answer`));
      });
      request.on('response', (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      request.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(new FetchError('failed', `status ${statusCode}, although no other protocol was asked for`));
      });
      request.on('error', reject);
      // Always comes, and last; where there was neither answer nor error, it alone tells.
      request.on('close', () => {
        clearTimeout(timer);
        reject(new FetchError('failed', 'the connection was closed without an answer'));
      });
    });
  }

  /** Asks again where that may help. */
  async function askPatiently(target: URL): Promise<IncomingMessage> {
    for (let attempt = 1, pause = FIRST_PAUSE; ; attempt++, pause *= 2) {
      if ((failures.get(target.origin) ?? 0) >= MOST_FAILURES) {
        throw new FetchError(
          'failed',
          `not asked: ${target.host} has failed ${MOST_FAILURES} times in a row`,
        );
      }
      let wait = pause;
      try {
        const response = await ask(target);
        const { statusCode = 0, headers } = response;
        noteOutcome(target, statusCode === 429 || statusCode >= 500);
        if (attempt === limits.attempts || ![429, 502, 503, 504].includes(statusCode)) return response;
        response.destroy();
        wait = readRetryAfter(headers) ?? pause;
        if (wait > LONGEST_PAUSE) {
          throw new FetchError(
            'failed',
            `status ${statusCode}, and to be asked again in ${wait / 1000} s only`,
          );
        }
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FetchError && error.failure === 'refused') throw error;
        noteOutcome(target, true);
        if (attempt === limits.attempts || !isPassing(error)) throw describeFailure(error);
      }
      await bounds.race(sleep(wait, undefined, { signal }));
    }
  }

  async function* readBody(response: IncomingMessage, target: URL, most: number): AsyncGenerator<Buffer> {
    let begin = performance.now();
    let received = 0;
    let before = 0;
    response.setTimeout(limits.timeout, () =>
      response.destroy(
        new FetchError('slow', `nothing more for ${limits.timeout / 1000} s after ${received} bytes`),
      ),
    );
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        received += chunk.length;
        bounds.take(chunk.length);
        if (received > most) throw new FetchError('failed', `more than ${most} bytes`);
        const elapsed = performance.now() - begin;
        if (elapsed > limits.timeout) {
          const recent = received - before;
          if (recent < (elapsed / 1000) * SLOWEST_BYTES_PER_SECOND)
            throw new FetchError('slow', `only ${recent} bytes in ${Math.round(elapsed / 1000)} s`);
          [begin, before] = [performance.now(), received];
        }
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      noteOutcome(target, true);
      if (error instanceof FetchError || systemErrorCode(error) !== 'ECONNRESET')
        throw describeFailure(error);
      throw new FetchError('failed', `the connection ended after ${received} bytes`, { cause: error });
    } finally {
      response.destroy();
    }
  }

  return {
    async fetch(uri, most = Number.POSITIVE_INFINITY) {
      const redirects: string[] = [];
      for (let target = toUrl(uri); ; ) {
        const response = await askPatiently(target);
        const { statusCode = 0, headers } = response;
        if (statusCode === 200)
          return { uri: target.href, redirects, headers, body: readBody(response, target, most) };
        response.destroy();
        const { location } = headers;
        if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) {
          const missing = statusCode === 404 || statusCode === 410;
          throw new FetchError(missing ? 'missing' : 'failed', `status ${statusCode}`);
        }
        target = toUrl(location, target);
        if (redirects.includes(target.href) || redirects.length === MOST_REDIRECTS) {
          throw new FetchError('refused', `redirects without end, to ${target.href}`);
        }
        redirects.push(target.href);
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function toUrl(uri: string, base?: URL): URL {
  if (!URL.canParse(uri, base?.href)) throw new FetchError('refused', `${uri} is no URL`);
  const url = new URL(uri, base);
  url.hash = '';
  return url;
}

/** What may be over when we ask once more. */
function isPassing(error: unknown): boolean {
  const code = systemErrorCode(error);
  return (
    code !== undefined && ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(code)
  );
}

function describeFailure(error: unknown): unknown {
  // What has no code is a bug of ours.
  if (error instanceof FetchError || systemErrorCode(error) === undefined) return error;
  const { message, code, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  if (code === 'ENOTFOUND')
    return new FetchError('failed', `the host ${hostname} was not found`, { cause: error });
  // Several addresses that all failed come as one error without a message.
  return new FetchError('failed', message === '' ? String(code) : message, { cause: error });
}

/** Milliseconds; a date is compared with the server's own clock. */
function readRetryAfter(headers: IncomingMessage['headers']): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const wait = Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Addresses that are not on the public internet (RFC 6890 and what came after), or that hold another one. */
const HIDDEN = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  HIDDEN.addSubnet(network, prefix, 'ipv4');
}
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  // Teredo and the rest of the special block, documentation, 6to4.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  HIDDEN.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is on the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !HIDDEN.check(address, 'ipv4');
  return PUBLIC_6.check(address, 'ipv6') && !HIDDEN.check(address, 'ipv6');
}

function makeRefusal(target: URL, address: string): FetchError {
  return new FetchError('refused', `${target.host} has the address ${address}, which is not public`);
}

function refuseAddress(target: URL, address: string): never {
  throw makeRefusal(target, address);
}
