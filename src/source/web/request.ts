/**
 * One request to a server, and its answer; or an error in time, whatever the server does. Answers as nearly all servers write
 * them are read here, which takes half of the time. All others are read by Node's own client.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { HttpLimits } from '../../config/http.js';
import { checkTarget, type Home, makeLookup, notePeer } from './addresses.js';
import { couldBePlain, HEADER_VALUE, type Pieces, readPlainHead, startBody } from './answer.js';
import { FetchError } from './bounds.js';

/** A server that says so often that an answer is to come (status 1xx) is not waited for any more. */
const MOST_ANNOUNCEMENTS = 100;

/** What is said with a request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** What is sent to a server. */
export interface RequestContent {
  /** Media type. */
  readonly type: string;
  readonly text: string;
}

/** An answer. Its body is to be read, or destroyed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Pieces;
}

/** Who takes what comes over a connection. */
interface Taker {
  readonly take: (piece: Buffer) => void;
  /** It has ended, by an error or without. */
  readonly end: (error: unknown) => void;
}

/** A connection that is kept. */
interface Connection {
  readonly socket: Socket;
  /** Undefined as long as nothing is asked for. */
  taker: Taker | undefined;
  /** Whether an answer came over it before. */
  isUsed: boolean;
  /** For the next request; or closes it. */
  release: (isKept: boolean) => void;
}

/** The connections to one origin. */
interface Line {
  /** Requests under way. */
  busy: number;
  readonly idle: Connection[];
  /** Requests that wait for one of these to be over. */
  readonly waiting: (() => void)[];
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
  const lines = new Map<string, Line>();
  const sockets = new Set<Socket>();
  /** Of TLS, by origin. */
  const sessions = new Map<string, Buffer>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy(signal.reason);
  };
  signal.addEventListener('abort', endAll, { once: true });
  const introduction = { 'user-agent': agent, 'accept-encoding': 'identity', accept: '*/*' };

  function open(target: URL, line: Line): Connection {
    const { origin } = target;
    const socket = openSocket(target, home, sessions);
    const connection: Connection = {
      socket,
      taker: undefined,
      isUsed: false,
      release(isKept) {
        if (connection.taker === undefined) return;
        connection.taker = undefined;
        connection.isUsed = true;
        if (isKept && !socket.destroyed) line.idle.push(connection);
        else socket.destroy();
        const next = line.waiting.shift();
        if (next === undefined) line.busy--;
        else next();
        // What waits for nothing keeps no process alive.
        socket.unref();
      },
    };
    let failure: unknown;
    sockets.add(socket);
    socket.setKeepAlive(true, 1000);
    socket.on('data', (piece: Buffer) => {
      if (connection.taker === undefined) socket.destroy();
      else connection.taker.take(piece);
    });
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('session', (session: Buffer) => sessions.set(origin, session));
    socket.on('close', () => {
      sockets.delete(socket);
      const place = line.idle.indexOf(connection);
      if (place !== -1) line.idle.splice(place, 1);
      connection.taker?.end(failure);
    });
    return connection;
  }

  return {
    /** @throws FetchError; what the system says; the reason of the signal */
    async ask(target: URL, headers: RequestHeaders = {}, content?: RequestContent): Promise<HttpAnswer> {
      signal.throwIfAborted();
      checkTarget(target, home);
      const { origin } = target;
      const head = writeHead(target, content, {
        ...introduction,
        ...headers,
        ...(origin === home.origin && tokens),
      });
      const line = lines.get(origin) ?? { busy: 0, idle: [], waiting: [] };
      lines.set(origin, line);
      if (line.busy === connections)
        await new Promise<void>((resolve) => {
          line.waiting.push(resolve);
        });
      else line.busy++;
      for (;;) {
        const connection = line.idle.pop() ?? open(target, line);
        if (signal.aborted) connection.socket.destroy(signal.reason);
        try {
          return await exchange(connection, head, timeout, () =>
            notePeer(target, connection.socket.remoteAddress, home),
          );
        } catch (error) {
          // A server may close a connection just when it is used again.
          if (error !== STALE || content !== undefined) {
            connection.release(false);
            throw error === STALE ? makeReset() : error;
          }
        }
      }
    },
    close(): void {
      signal.removeEventListener('abort', endAll);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSocket(target: URL, home: Home, sessions: ReadonlyMap<string, Buffer>): Socket {
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  const lookup = makeLookup(target, home);
  if (target.protocol === 'http:') return connect({ host, port: Number(target.port || 80), lookup });
  // Loaded where it is needed.
  const tls = process.getBuiltinModule('node:tls');
  return tls.connect({
    host,
    port: Number(target.port || 443),
    lookup,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    session: sessions.get(target.origin),
  });
}

function writeHead(target: URL, content: RequestContent | undefined, headers: RequestHeaders): string {
  const { username, password, pathname, search, host } = target;
  const said: RequestHeaders = {
    host,
    connection: 'keep-alive',
    ...(username + password !== '' && {
      authorization: `Basic ${Buffer.from(urlToHttpOptions(target).auth ?? '').toString('base64')}`,
    }),
    ...(content !== undefined && {
      'content-type': content.type,
      'content-length': `${Buffer.byteLength(content.text)}`,
    }),
    ...headers,
  };
  let text = `${content === undefined ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(said)) {
    if (!HEADER_VALUE.test(value)) throw new FetchError('failed', `the header ${name} cannot be sent`);
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n${content === undefined ? '' : Buffer.from(content.text).toString('latin1')}`;
}

/** Of a connection that was used before: it has ended before it said anything. */
const STALE = new Error('stale');

function makeReset(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

/** Bodies of so many bytes are waited for before the answer is given: they come with its head, or soon after. */
const SMALL_BODY = 65_536;

/**
 * Asks, and waits for the head of the answer, and for a small body.
 *
 * @param meet is called when a connection that is new has an answer
 */
function exchange(
  connection: Connection,
  head: string,
  timeout: number,
  meet: () => void,
): Promise<HttpAnswer> {
  const { socket, isUsed } = connection;
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0);
    let answer: HttpAnswer | undefined;
    let rest = 0;
    const give = () => {
      clearTimeout(timer);
      if (answer !== undefined) resolve(answer);
    };
    const fail = (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      // What is too slow of the body, its reader judges.
      if (answer === undefined) fail(new FetchError('slow', `no answer in ${timeout / 1000} s`));
      else give();
    }, timeout);

    function takeBody(piece: Buffer): void {
      if (answer === undefined) return;
      const { body, headers } = answer;
      // More than was said is nothing that was asked for.
      const isMore = piece.length > rest;
      const part = isMore ? piece.subarray(0, rest) : piece;
      rest -= part.length;
      if (part.length > 0) body.push(part);
      if (rest > 0) return;
      body.end();
      connection.release(!isMore && headers.connection !== 'close');
      give();
    }

    function takeHead(piece: Buffer): void {
      if (!isUsed && got.length === 0) meet();
      got = got.length === 0 ? piece : Buffer.concat([got, piece]);
      const end = got.indexOf('\r\n\r\n');
      if (end === -1 && couldBePlain(got)) return;
      const plain = end === -1 ? undefined : readPlainHead(got.toString('latin1', 0, end + 2));
      if (plain === undefined) {
        clearTimeout(timer);
        readByNode(connection, got, timeout).then(resolve, reject);
        return;
      }
      rest = plain.length;
      const body = startBody({
        pause: () => rest > 0 && socket.pause(),
        resume: () => rest > 0 && socket.resume(),
        destroy: () => rest > 0 && connection.taker === taker && connection.release(false),
      });
      answer = { ...plain, body };
      const { length } = plain;
      takeBody(got.subarray(end + 4));
      if (length > SMALL_BODY) give();
    }

    const taker: Taker = {
      take: (piece) => (answer === undefined ? takeHead(piece) : takeBody(piece)),
      end(error) {
        if (answer !== undefined) {
          answer.body.end(error ?? makeReset());
          connection.release(false);
          give();
        } else if (isUsed && got.length === 0) fail(STALE);
        else fail(error ?? new FetchError('failed', 'the connection was closed without an answer'));
      },
    };
    connection.taker = taker;
    socket.ref();
    if (socket.isPaused()) socket.resume();
    socket.write(head, 'latin1');
  });
}

/** Lets Node read an answer of which the beginning has come. Nothing is sent again. */
function readByNode(connection: Connection, got: Buffer, timeout: number): Promise<HttpAnswer> {
  const { socket } = connection;
  const replay = new Duplex({
    read: () => void socket.resume(),
    write: (_piece, _encoding, done) => done(),
    destroy(error, done) {
      if (connection.taker === taker) connection.release(false);
      done(error);
    },
  });
  const taker: Taker = {
    take(piece) {
      if (!replay.push(piece)) socket.pause();
    },
    end(error) {
      if (error === undefined) replay.push(null);
      else replay.destroy(error as Error);
    },
  };
  connection.taker = taker;
  replay.push(got);
  return new Promise((resolve, reject) => {
    const request = process.getBuiltinModule('node:http').request({ createConnection: () => replay });
    const timer = setTimeout(
      () => request.destroy(new FetchError('slow', `no answer in ${timeout / 1000} s`)),
      timeout,
    );
    let announcements = 0;
    request.on('information', ({ statusCode }) => {
      if (++announcements > MOST_ANNOUNCEMENTS)
        request.destroy(new FetchError('failed', `status ${statusCode} over and over, and no answer`));
    });
    request.on('response', (response) => {
      clearTimeout(timer);
      const isKept = response.httpVersion === '1.1' && !/close/i.test(response.headers.connection ?? '');
      const isDelimited =
        'content-length' in response.headers || response.headers['transfer-encoding'] === 'chunked';
      resolve(
        readResponse(response, () => {
          if (connection.taker === taker)
            connection.release(isKept && isDelimited && replay.readableLength === 0);
        }),
      );
    });
    request.on('upgrade', ({ statusCode }, upgraded) => {
      upgraded.destroy();
      reject(new FetchError('failed', `status ${statusCode}, although no other protocol was asked for`));
    });
    request.on('error', reject);
    // Always comes, and last; where there was neither answer nor error, nothing else says so.
    request.on('close', () => {
      clearTimeout(timer);
      reject(new FetchError('failed', 'the connection was closed without an answer'));
    });
    request.end();
  });
}

/** What Node has read of an answer. @param over is called when all has come */
export function readResponse(response: IncomingMessage, over: () => void = () => undefined): HttpAnswer {
  const body = startBody({
    pause: () => response.pause(),
    resume: () => response.resume(),
    destroy: () => response.destroy(),
  });
  response.on('data', body.push);
  response.on('end', () => {
    over();
    body.end();
  });
  response.on('error', body.end);
  response.on('close', () => body.end(makeReset()));
  // It may have broken off before anybody looked.
  if (response.destroyed) body.end(response.errored ?? makeReset());
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
