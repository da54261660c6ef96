/** HTTP server of a channel: a page, its health, a hook for deploys, and the upgrade to WebSockets. */

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseDatetime } from '../../../base/datetime.js';
import { explainRefused } from '../../../base/errors.js';
import { say } from '../../../base/text/say.js';
import { isUrl } from '../../../base/url.js';
import { Markup, markup } from '../../../standard/xml/markup.js';
import type { ResolvedChannel } from '../options.js';
import type { Route } from '../plan/routes.js';
import type { Destinations, Subscription } from './destinations.js';

/** Functions by which the server reads the state of the channel and reports a deploy. */
interface ChannelState {
  readonly page: () => string;
  /** Returns the channel at a path; undefined for other paths, and for all until the Source was read once. */
  readonly route: (path: string) => Route | undefined;
  readonly isReady: () => boolean;
  readonly health: () => object;
  readonly onDeploy: () => void;
}

/** Limit of the headers of a request, in bytes. */
const MOST_HEADERS = 8192;
/** Limit of sockets before their handshake, which are allowed in addition to connected Destinations. */
const MOST_WAITING = 12_000;

export class ChannelServer {
  /** URL at which the server listens, with a trailing slash. */
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, host: string) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
    this.#server = server;
  }

  /** Starts a server. @throws ResyncError `config-invalid` if it cannot listen on the address */
  static async listen(
    { host, port, connections, timing }: ResolvedChannel,
    state: ChannelState,
    destinations: Destinations,
  ): Promise<ChannelServer> {
    const server = createServer(
      {
        maxHeaderSize: MOST_HEADERS,
        headersTimeout: timing.handshake,
        requestTimeout: timing.handshake,
        connectionsCheckingInterval: Math.ceil(timing.handshake / 4),
        keepAliveTimeout: 5000,
      },
      (request, response) => answer(request, response, state),
    );
    server.maxConnections = connections + MOST_WAITING;
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const admitted = admit(request, state, destinations.count >= connections);
      if (typeof admitted === 'number') return end(socket, admitted);
      destinations.admit(request, socket, head, admitted);
    });
    server.on('clientError', (_, socket) => end(socket, 400));
    await listen(server, host, port);
    return new ChannelServer(server, host);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw explainRefused(
      error,
      'config-invalid',
      (refusal) =>
        say`Cannot listen on port ${port} of ${host} (${refusal}).\nChoose another with --port or --host.`,
    );
  }
}

/** Returns the subscription of a peer, or the status with which it is refused. */
function admit(
  { url = '', method }: IncomingMessage,
  state: ChannelState,
  isFull: boolean,
): number | Subscription {
  if (method !== 'GET' || !isUrl(url, BASE)) return 400;
  const { pathname, searchParams } = new URL(url, BASE);
  // A peer that connects before the first poll could miss changes, as that poll takes all of them as known.
  if (!state.isReady() || isFull) return 503;
  const route = state.route(pathname);
  if (route === undefined) return 404;
  const text = searchParams.get('from');
  const from = text === null ? undefined : parseDatetime(text)?.getTime();
  return text !== null && from === undefined ? 400 : { route, from };
}

const BASE = 'http://channel.invalid/';

/** Refuses an upgrade or a malformed request with a status, and ends the connection. */
function end(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy();
  const wait = status === 503 ? 'Retry-After: 30\r\n' : '';
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${wait}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers an HTTP request, without reading its body, which no answer depends on. */
function answer(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  state: ChannelState,
): void {
  const [path = ''] = url.split('?');
  const { status, text, headers } = reply(method, path, state);
  response.shouldKeepAlive = false;
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    .end(method === 'HEAD' ? undefined : text);
}

function reply(method: string, path: string, state: ChannelState): Reply {
  if (path === '/deployed') {
    if (method !== 'POST') return { status: 405, text: 'POST only\n', headers: { allow: 'POST' } };
    state.onDeploy();
    return { status: 202, text: 'Looking\n' };
  }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, text: 'GET only\n', headers: { allow: 'GET, HEAD' } };
  if (path === '/health') {
    const text = `${JSON.stringify(state.health(), undefined, 2)}\n`;
    return { status: state.isReady() ? 200 : 503, text, headers: { 'content-type': 'application/json' } };
  }
  if (path === '/') return { status: 200, text: state.page(), headers: PAGE_HEADERS };
  if (state.route(path) === undefined) return { status: 404, text: 'Not here\n' };
  const headers = { upgrade: 'websocket', connection: 'upgrade, close' };
  return { status: 426, text: 'A WebSocket\n', headers };
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

const STYLE = Markup.asWritten(
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}code{overflow-wrap:anywhere}',
);

export function renderChannelPage(source: string, routes: ReadonlyMap<string, Route>): string {
  const doctype = Markup.asWritten('<!doctype html>\n');
  return markup`${doctype}<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Changes of ${source}</title>
<style>${STYLE}</style>
<h1>Changes of <a href="${source}">${source}</a></h1>
<p>Programs that open a WebSocket here are told of changes as they are published, in the form of ResourceSync Framework
Notification 0.8, which is a draft. There is nothing to read for people.</p>
<ul>
${[...routes].map(([path, { channel, set }]) => markup`<li><code>${path}</code> ${channel} of <code>${set}</code></li>\n`)}</ul>
<p>With <code>?from=2026-11-20T10:15:00Z</code>, a channel first tells what has changed since. <a href="/health">Health</a></p>
</html>
`.toString();
}
