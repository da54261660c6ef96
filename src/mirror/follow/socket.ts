/** Listens to one channel by WebSocket, and connects again when the connection is lost. */

import { WebSocket } from 'ws';
import { MOST_SIGNS } from '../../base/http.js';
import { checkTarget, makeLookup, notePeer } from '../../source/web/addresses.js';
import { FetchError } from '../../source/web/bounds.js';
import { MOST_HEAD_BYTES } from '../../source/web/request.js';
import { MESSAGE_BYTES } from '../../standard/limits.js';
import type { ChannelWay } from './model.js';

/** Times for the connection to a channel, in milliseconds. */
export interface SocketTiming {
  /** Pause before connecting again; doubled each time, up to the longest. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Least duration of a good connection, after which pauses begin with the first. */
  readonly steady: number;
  /** Milliseconds between two pings; the connection is ended if the channel sends nothing in between. */
  readonly heartbeat: number;
  readonly handshake: number;
}

interface SocketEvents {
  readonly onOpen: () => void;
  readonly onLost: (found: string) => void;
  /** Called with a message; the socket is paused until the promise is settled. */
  readonly onMessage: (bytes: Uint8Array) => Promise<void>;
}

/** Limit of the fragments of one message: a server in between may cut it at every kilobyte. */
const MOST_FRAGMENTS = 1000;

export class ChannelSocket {
  readonly #way: ChannelWay;
  readonly #timing: SocketTiming;
  readonly #events: SocketEvents;
  #pause: number;
  #timer: NodeJS.Timeout | undefined;
  #socket: WebSocket | undefined;
  #isClosed = false;
  #isLost = false;

  constructor(way: ChannelWay, timing: SocketTiming, events: SocketEvents) {
    this.#way = way;
    this.#timing = timing;
    this.#events = events;
    this.#pause = timing.firstPause;
    this.#connect();
  }

  isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #connect(): void {
    try {
      checkTarget(this.#way.target, this.#way.home);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      this.#retry(error.message, 0);
      return;
    }
    const events = { onOpen: () => this.#open(), onMessage: this.#events.onMessage };
    this.#socket = connect(this.#way, this.#timing, events, (found, lasted) => this.#retry(found, lasted));
  }

  #open(): void {
    this.#isLost = false;
    this.#events.onOpen();
  }

  #retry(found: string, lasted: number): void {
    if (this.#isClosed) return;
    // A loss is reported once, however many attempts follow.
    if (!this.#isLost) this.#events.onLost(found);
    this.#isLost = true;
    if (lasted >= this.#timing.steady) this.#pause = this.#timing.firstPause;
    // The pause is random, so that many followers of one Source do not connect again at the same moment.
    this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.5 + Math.random()));
    this.#pause = Math.min(this.#timing.longestPause, this.#pause * 2);
  }
}

/** Creates the WebSocket for a channel, within limits. @param handshakeTimeout in milliseconds */
function createSocket({ url, target, home, agent }: ChannelWay, handshakeTimeout: number): WebSocket {
  return new WebSocket(url, {
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES,
    maxFragments: MOST_FRAGMENTS,
    autoPong: false,
    handshakeTimeout,
    lookup: makeLookup(target, home),
    maxHeaderSize: MOST_HEAD_BYTES,
    headers: { 'user-agent': agent },
  });
}

/** Connects to a channel. @param onEnd is called once, with the reason and the milliseconds that the connection lasted */
function connect(
  way: ChannelWay,
  timing: SocketTiming,
  { onOpen, onMessage }: Pick<SocketEvents, 'onOpen' | 'onMessage'>,
  onEnd: (found: string, lasted: number) => void,
): WebSocket {
  const { target, home } = way;
  const { heartbeat } = timing;
  const socket = createSocket(way, timing.handshake);
  let begin = Number.POSITIVE_INFINITY;
  let found = 'the connection was closed';
  let isAlive = true;
  let signs = 0;
  /** Ends a connection that breaks the protocol, and counts it as one that was never open. */
  const cut = (reason: string) => {
    found = reason;
    begin = Number.POSITIVE_INFINITY;
    socket.terminate();
  };
  /** Counts messages, pings and pongs; those that came before a cut are still emitted after it. */
  const noteSign = () => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    isAlive = true;
    if (++signs > MOST_SIGNS) cut(`more than ${MOST_SIGNS} messages, pings and pongs at once`);
    return signs <= MOST_SIGNS;
  };
  const beat = setInterval(() => {
    if (!isAlive) {
      found = `no sign of life for ${heartbeat / 1000} s`;
      return socket.terminate();
    }
    isAlive = false;
    signs = 0;
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, heartbeat);
  let unread = 0;
  socket.on('upgrade', (response) => notePeer(target, response.socket.remoteAddress, home));
  socket.on('open', () => {
    begin = performance.now();
    onOpen();
  });
  socket.on('pong', noteSign);
  socket.on('ping', (data) => {
    if (noteSign()) socket.pong(data);
  });
  socket.on('message', (data: Buffer) => {
    if (!noteSign()) return;
    socket.pause();
    unread++;
    void onMessage(data).then(() => {
      if (--unread === 0) socket.resume();
    });
  });
  // After an error, `close` always follows; without a cut, the library would read on for half a minute.
  socket.on('error', ({ message }) => cut(message));
  socket.on('close', (code) => {
    clearInterval(beat);
    if (code > 1001 && code !== 1006) found = `${found} (${code})`;
    onEnd(found, Math.max(0, performance.now() - begin));
  });
  return socket;
}
