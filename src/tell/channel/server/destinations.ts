/** The Destinations that are connected: told of news, asked whether they are there, dropped where they are too slow. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { MOST_SIGNS } from '../../../base/http.js';
import type { ResolvedChannel } from '../options.js';
import { type Backlog, findStart } from '../plan/backlog.js';
import type { Route } from '../plan/routes.js';

/** Why a socket is closed: codes of RFC 6455, and one of our own. */
const GOING_AWAY = 1001;
const NO_INPUT = [1008, 'this channel only sends'] as const;
/** What changed since the moment that was asked for cannot be told: the documents can. */
const TOO_LONG_AGO = [4001, 'synchronize from the lists'] as const;

/** No message is taken, so a small one in one frame is all that is ever read: as long as a ping may be (§5.5). */
const MOST_INPUT = 125;

interface Destination {
  readonly socket: WebSocket;
  readonly route: Route;
  isThere: boolean;
  signs: number;
  /** The number of the publication that it gets next; undefined once it has all, and gets what is new. */
  next: number | undefined;
}

/** What a peer listens to. */
export interface Wish {
  readonly route: Route;
  /** What it knows, in milliseconds since 1970; undefined where it wants what is new only. */
  readonly from: number | undefined;
}

export type Destinations = Readonly<ReturnType<typeof startDestinations>>;

/** @param backlogOf what is kept of a channel; undefined where nothing can be */
export function startDestinations(
  { buffer, timing }: Pick<ResolvedChannel, 'buffer' | 'timing'>,
  backlogOf: (route: Route) => Backlog | undefined,
) {
  const all = new Set<Destination>();
  /** The types of `ws` do not know `closeTimeout` yet. */
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_INPUT,
    maxFragments: 1,
    autoPong: false,
    closeTimeout: timing.closing,
  };
  const server = new WebSocketServer(options);
  const heartbeat = setInterval(() => {
    for (const destination of all) checkPresence(destination);
  }, timing.heartbeat);

  function take(socket: WebSocket, { route, from }: Wish): void {
    const destination: Destination = { socket, route, isThere: true, signs: 0, next: undefined };
    all.add(destination);
    socket.on('close', () => all.delete(destination));
    // Whatever a peer does wrong ends its connection, and nothing else: `ws` closes it.
    socket.on('error', ignoreFailure);
    socket.once('message', () => socket.close(...NO_INPUT));
    socket.on('ping', (data) => {
      if (noteSign(destination) && socket.bufferedAmount === 0) socket.pong(data);
    });
    socket.on('pong', () => {
      destination.isThere = true;
      noteSign(destination);
    });
    if (from !== undefined) catchUp(destination, from);
  }

  function catchUp(destination: Destination, from: number): void {
    const backlog = backlogOf(destination.route);
    destination.next = backlog && findStart(backlog, from);
    if (destination.next === undefined) destination.socket.close(...TOO_LONG_AGO);
    else sendNext(destination);
  }

  /** One publication after another: a slow Destination has no more than one of them waiting. */
  function sendNext(destination: Destination): void {
    const { socket, route, next = 0 } = destination;
    const backlog = backlogOf(route);
    if (backlog === undefined || next < backlog.first) {
      socket.close(...TOO_LONG_AGO);
      return;
    }
    const publication = backlog.publications[next - backlog.first];
    if (publication === undefined) {
      destination.next = undefined;
      return;
    }
    destination.next = next + 1;
    sendInTurn(socket, publication.messages, () => sendNext(destination));
  }

  return {
    admit(request: IncomingMessage, stream: Duplex, head: Buffer, wish: Wish): void {
      server.handleUpgrade(request, stream, head, (opened) => take(opened, wish));
    },
    /** Sends messages to all that listen to a channel; returns to how many. */
    send(route: Route, messages: readonly Buffer[]): number {
      let count = 0;
      for (const { socket, route: own, next } of all) {
        if (own.set !== route.set || own.channel !== route.channel || socket.readyState !== socket.OPEN)
          continue;
        count++;
        // Who still catches up comes to it in its turn.
        if (next !== undefined) continue;
        for (const message of messages) socket.send(message, { binary: false }, ignoreFailure);
        if (socket.bufferedAmount > buffer) socket.terminate();
      }
      return count;
    },
    count: () => all.size,
    /** Lets those go whose channel is there no more. */
    keepOnly(sets: ReadonlySet<string>): void {
      for (const destination of all)
        if (!sets.has(destination.route.set))
          destination.socket.close(GOING_AWAY, 'there is no such set any more');
    },
    /** Lets all go; who does not take leave in time is cut off. */
    async close(): Promise<void> {
      clearInterval(heartbeat);
      const gone = [...all].map(
        (destination) => new Promise((resolve) => destination.socket.once('close', resolve)),
      );
      for (const { socket } of all) socket.close(GOING_AWAY, 'the channel ends');
      await Promise.all(gone);
      server.close();
    },
  };
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

/** Whether a peer may still give signs; one that floods us with them is cut off. */
function noteSign(destination: Destination): boolean {
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

/** That a Destination is gone is told by its socket, in an event of its own. */
const ignoreFailure = () => undefined;
