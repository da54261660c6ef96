/** Sends messages and pings to the connected Destinations, and drops those that are too slow. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { MOST_SIGNS } from '../../../base/http.js';
import type { ResolvedChannel } from '../options.js';
import { type Backlog, findStart } from '../plan/backlog.js';
import type { Route } from '../plan/routes.js';

/** Codes for closing a socket: those of RFC 6455, and one of our own. */
const GOING_AWAY = 1001;
const NO_INPUT = [1008, 'this channel only sends'] as const;
/** Code and reason for closing if a Destination asks for changes older than the backlog, which only the documents have. */
const TOO_LONG_AGO = [4001, 'synchronize from the lists'] as const;

/** Limit of bytes of a received frame: messages are not accepted, and a ping is not longer (RFC 6455 §5.5). */
const MOST_INPUT = 125;

interface Destination {
  readonly socket: WebSocket;
  readonly route: Route;
  isThere: boolean;
  signs: number;
  /** Number of the next publication of the backlog to send; undefined for a Destination that gets only new ones. */
  next: number | undefined;
}

export interface Subscription {
  readonly route: Route;
  /** The peer has all changes up to this time, in milliseconds since 1970; undefined if it wants only new ones. */
  readonly from: number | undefined;
}

export class Destinations {
  readonly #buffer: number;
  readonly #backlogOf: (route: Route) => Backlog | undefined;
  readonly #all = new Set<Destination>();
  readonly #server: WebSocketServer;
  readonly #heartbeat: NodeJS.Timeout;

  /** @param backlogOf returns the backlog of a channel, or undefined if the channel has none */
  constructor(
    { buffer, timing }: Pick<ResolvedChannel, 'buffer' | 'timing'>,
    backlogOf: (route: Route) => Backlog | undefined,
  ) {
    this.#buffer = buffer;
    this.#backlogOf = backlogOf;
    /** Options of a server of WebSockets; the types of `ws` lack `closeTimeout`. */
    const options: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MOST_INPUT,
      maxFragments: 1,
      autoPong: false,
      closeTimeout: timing.closing,
    };
    this.#server = new WebSocketServer(options);
    this.#heartbeat = setInterval(() => {
      for (const destination of this.#all) checkPresence(destination);
    }, timing.heartbeat);
  }

  get count(): number {
    return this.#all.size;
  }

  admit(request: IncomingMessage, stream: Duplex, head: Buffer, subscription: Subscription): void {
    this.#server.handleUpgrade(request, stream, head, (opened) => this.#add(opened, subscription));
  }

  /** Sends messages to all Destinations of a channel, and returns their number. */
  send(route: Route, messages: readonly Buffer[]): number {
    let count = 0;
    for (const { socket, route: own, next } of this.#all) {
      if (own.set !== route.set || own.channel !== route.channel || socket.readyState !== socket.OPEN)
        continue;
      count++;
      // A Destination that still catches up gets the messages from the backlog, in their turn.
      if (next !== undefined) continue;
      for (const message of messages) socket.send(message, { binary: false }, ignoreFailure);
      if (socket.bufferedAmount > this.#buffer) socket.terminate();
    }
    return count;
  }

  /** Disconnects the Destinations of all sets that are not named, since these sets are gone. */
  keepOnly(sets: ReadonlySet<string>): void {
    for (const destination of this.#all)
      if (!sets.has(destination.route.set))
        destination.socket.close(GOING_AWAY, 'there is no such set any more');
  }

  /** Disconnects all Destinations; `ws` cuts off those that do not close in time. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    const gone = [...this.#all].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
    for (const { socket } of this.#all) socket.close(GOING_AWAY, 'the channel ends');
    await Promise.all(gone);
    this.#server.close();
  }

  #add(socket: WebSocket, { route, from }: Subscription): void {
    const destination: Destination = { socket, route, isThere: true, signs: 0, next: undefined };
    this.#all.add(destination);
    socket.on('close', () => this.#all.delete(destination));
    // An error of the peer ends its connection and nothing else: `ws` closes it.
    socket.on('error', ignoreFailure);
    socket.once('message', () => socket.close(...NO_INPUT));
    socket.on('ping', (data) => {
      if (countSign(destination) && socket.bufferedAmount === 0) socket.pong(data);
    });
    socket.on('pong', () => {
      destination.isThere = true;
      countSign(destination);
    });
    if (from !== undefined) this.#catchUp(destination, from);
  }

  #catchUp(destination: Destination, from: number): void {
    const backlog = this.#backlogOf(destination.route);
    const start = backlog && findStart(backlog, from);
    destination.next = start;
    if (start === undefined) destination.socket.close(...TOO_LONG_AGO);
    else this.#sendFrom(destination, start);
  }

  /** Sends the publications of a backlog one after another, so that no more than one waits for a slow Destination. */
  #sendFrom(destination: Destination, number: number): void {
    const { socket, route } = destination;
    const backlog = this.#backlogOf(route);
    if (backlog === undefined || number < backlog.first) {
      socket.close(...TOO_LONG_AGO);
      return;
    }
    const publication = backlog.publications[number - backlog.first];
    if (publication === undefined) {
      destination.next = undefined;
      return;
    }
    destination.next = number + 1;
    sendInTurn(socket, publication.messages, () => this.#sendFrom(destination, number + 1));
  }
}

function checkPresence(destination: Destination): void {
  const { socket, isThere } = destination;
  if (!isThere) {
    socket.terminate();
    return;
  }
  destination.isThere = false;
  destination.signs = 0;
  socket.ping(undefined, undefined, ignoreFailure);
}

/** Counts pings and pongs of a peer, and cuts it off if they are too many; returns whether it is still connected. */
function countSign(destination: Destination): boolean {
  if (++destination.signs <= MOST_SIGNS) return true;
  destination.socket.terminate();
  return false;
}

function sendInTurn(socket: WebSocket, messages: readonly Buffer[], done: () => void): void {
  const [first, ...others] = messages;
  if (first === undefined) done();
  else
    socket.send(first, { binary: false }, (error) => {
      if (error === undefined || error === null) sendInTurn(socket, others, done);
    });
}

/** Ignores a message that cannot be sent: the socket reports in an event of its own that a Destination is gone. */
const ignoreFailure = () => undefined;
