/** Listens to one channel, and connects again when it is lost. */

import { WebSocket } from 'ws';
import { MOST_SIGNS } from '../../base/http.js';
import { checkTarget, makeLookup, notePeer } from '../../source/web/addresses.js';
import { FetchError } from '../../source/web/bounds.js';
import { MOST_HEAD_BYTES } from '../../source/web/request.js';
import { MESSAGE_BYTES } from '../../standard/limits.js';
import type { ChannelWay } from './model.js';

/** In milliseconds. */
export interface EarTiming {
  /** Before connecting again, doubled each time, up to the longest. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** How long a connection has to last before it counts as a good one. */
  readonly steady: number;
  /** Between signs of life. */
  readonly heartbeat: number;
  readonly handshake: number;
}

interface EarEvents {
  readonly onOpen: () => void;
  readonly onLost: (found: string) => void;
  /** The next message waits until this one is dealt with. */
  readonly onMessage: (bytes: Uint8Array) => Promise<void>;
}

export type Ear = ReturnType<typeof startEar>;

/** Messages, and their bytes, that are listened to in one second; further ones wait with the sender. */
const MOST_MESSAGES = 50;
const MOST_BYTES = 5 * MESSAGE_BYTES;
const SECOND = 1000;
/** Messages that come faster than they are read, until the connection counts as a flood. */
const MOST_WAITING = 500;
/** Of one message: a server on the way may cut it at every kilobyte. */
const MOST_FRAGMENTS = 1000;

/** Starts to listen. */
export function startEar(way: ChannelWay, timing: EarTiming, events: EarEvents) {
  let pause = timing.firstPause;
  let timer: NodeJS.Timeout | undefined;
  let socket: WebSocket | undefined;
  let isOver = false;
  let isLost = false;
  let settle = (): void => undefined;
  const tried = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const retry = (found: string, lasted: number) => {
    settle();
    if (isOver) return;
    // Once, however often it is tried again.
    if (!isLost) events.onLost(found);
    isLost = true;
    if (lasted >= timing.steady) pause = timing.firstPause;
    // Many follow one Source: they are not to come back at one moment.
    timer = setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(timing.longestPause, pause * 2);
  };
  const onOpen = () => {
    settle();
    isLost = false;
    events.onOpen();
  };
  const connect = () => {
    try {
      checkTarget(way.target, way.home);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      return retry(error.message, 0);
    }
    socket = open(way, timing, { ...events, onOpen }, retry);
  };
  connect();
  return {
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    /** Resolved when it is known whether the first attempt succeeds. */
    tried,
    close(): void {
      isOver = true;
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}

/** @param onEnd is told why it ended, and how long it lasted, once */
function open(
  { url, target, home, agent }: ChannelWay,
  { handshake, heartbeat }: EarTiming,
  { onOpen, onMessage }: EarEvents,
  onEnd: (found: string, lasted: number) => void,
): WebSocket {
  const socket = new WebSocket(url, {
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES,
    maxFragments: MOST_FRAGMENTS,
    autoPong: false,
    handshakeTimeout: handshake,
    lookup: makeLookup(target, home),
    maxHeaderSize: MOST_HEAD_BYTES,
    headers: { 'user-agent': agent },
  });
  let begin = Number.POSITIVE_INFINITY;
  let found = 'the connection was closed';
  let isAlive = true;
  let signs = 0;
  /** Who does not keep to the protocol is not listened to any further, and its connection counts for nothing. */
  const cut = (reason: string) => {
    found = reason;
    begin = Number.POSITIVE_INFINITY;
    socket.terminate();
  };
  const noteSign = () => {
    isAlive = true;
    if (++signs > MOST_SIGNS) cut(`more than ${MOST_SIGNS} pings and pongs`);
    return socket.readyState === WebSocket.OPEN;
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
  socket.on('upgrade', (response) => notePeer(target, response.socket.remoteAddress, home));
  socket.on('open', () => {
    begin = performance.now();
    onOpen();
  });
  socket.on('pong', noteSign);
  socket.on('ping', (data) => {
    if (noteSign()) socket.pong(data);
  });
  listen(socket, onMessage, {
    note: () => {
      isAlive = true;
    },
    cut,
  });
  // Comes before the end, which always comes; left alone, the library reads on for half a minute.
  socket.on('error', ({ message }) => cut(message));
  socket.on('close', (code) => {
    clearInterval(beat);
    if (code > 1001 && code !== 1006) found = `${found} (${code})`;
    onEnd(found, Math.max(0, performance.now() - begin));
  });
  return socket;
}

/** Hands on one message after another, and lets the sender wait meanwhile. */
function listen(
  socket: WebSocket,
  onMessage: EarEvents['onMessage'],
  { note, cut }: { readonly note: () => void; readonly cut: (reason: string) => void },
): void {
  let since = performance.now();
  let messages = 0;
  let bytes = 0;
  let work = Promise.resolve();
  let waiting = 0;
  const rest = () => Math.max(0, since + SECOND - performance.now());
  const isTooMuch = () => messages > MOST_MESSAGES || bytes > MOST_BYTES;
  socket.on('message', (data: Buffer) => {
    // Of what came already, the rest is told after a cut, too.
    if (socket.readyState !== WebSocket.OPEN) return;
    if (waiting === MOST_WAITING) return cut(`more than ${MOST_WAITING} messages at once`);
    note();
    if (rest() === 0) [since, messages, bytes] = [performance.now(), 0, 0];
    messages++;
    bytes += data.length;
    waiting++;
    socket.pause();
    work = work.then(async () => {
      // Of a flood, nothing more counts.
      if (waiting === MOST_WAITING) return;
      await onMessage(data);
      if (isTooMuch()) await new Promise((resolve) => setTimeout(resolve, rest()));
      if (--waiting === 0) socket.resume();
    });
  });
}
