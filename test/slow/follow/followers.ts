/** Mirrors that follow, with little patience, and channels that a test holds in its hands. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { UserConfig } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { type FollowOptions, followSource } from '../../../src/mirror/follow/follow.js';
import type { FollowEvent } from '../../../src/mirror/follow/model.js';
import type { MirrorConfig } from '../../../src/mirror/index.js';
import { checkDocument } from '../../../src/standard/make.js';
import { serializeDocument } from '../../../src/standard/xml/serialize.js';
import { type Log, startLog } from '../../support/log.js';
import { startSource, type TestSource } from '../../support/mirror.js';
import type { Answer } from '../../support/server.js';

/** Pauses are a hundredth of what users get. */
export const QUICK = {
  gap: 5,
  again: [20, 50, 100, 200, 600],
  firstPause: 10,
  longestPause: 100,
  steady: 100,
  heartbeat: 30_000,
  handshake: 10_000,
};

export interface Follower extends Log<FollowEvent> {
  /** The number of runs, and their changes to the folder. */
  readonly runs: () => { readonly count: number; readonly changes: number };
  /** Waits until a run that did something to the folder, or found nothing to do, has left it so. */
  readonly inSync: (test: () => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Follows until the end of the test. */
export function follow(
  source: string,
  folder: string,
  more: Partial<FollowOptions> & { readonly mirror?: Partial<MirrorConfig> } = {},
): Follower {
  const log = startLog<FollowEvent>();
  const end = new AbortController();
  const { mirror, ...rest } = more;
  const config = resolveMirror({ source, folder, timeout: 5000, ...mirror });
  const run = followSource(config, { signal: end.signal, onEvent: log.take, timing: QUICK, ...rest });
  run.catch(() => undefined);
  const stop = async () => {
    end.abort();
    await run;
  };
  onTestFinished(stop);
  return {
    ...log,
    stop,
    runs: () => {
      const reports = log.events.flatMap((event) => (event.kind === 'synchronized' ? [event.report] : []));
      const changes = reports.reduce(
        (sum, { created, updated, deleted }) => sum + created + updated + deleted,
        0,
      );
      return { count: reports.length, changes };
    },
    async inSync(test) {
      await log.until((event) => event.kind === 'synchronized' && event.report.inSync && test());
    },
  };
}

export interface HeldChannel {
  readonly url: string;
  readonly connections: readonly { readonly socket: WebSocket; readonly request: IncomingMessage }[];
  /** Sends to all that are connected. */
  readonly send: (message: string | Buffer) => void;
  /** Waits until so many have connected since the beginning. */
  readonly connected: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A channel that says what the test says. */
export async function holdChannel(options: Partial<ServerOptions> = {}): Promise<HeldChannel> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  await once(server, 'listening');
  const connections: { socket: WebSocket; request: IncomingMessage }[] = [];
  server.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    connections.push({ socket, request });
  });
  const close = async () => {
    for (const { socket } of connections) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections,
    send(message) {
      for (const { socket } of connections) socket.send(message);
    },
    async connected(count) {
      while (connections.length < count) await once(server, 'connection');
    },
    close,
  };
}

/** A Source that names channels, once they are known. */
export async function startNamingSource(
  answer?: Answer,
  config: Partial<UserConfig> = {},
): Promise<TestSource & { readonly name: (channels: string) => void }> {
  const naming: { -readonly [K in keyof UserConfig]?: UserConfig[K] } = { ...config };
  const source = await startSource(naming as Partial<UserConfig>, answer);
  return {
    ...source,
    name(channels) {
      naming.channels = channels.replace(/^http/, 'ws');
    },
  };
}

/** The message that a Source with one set would send. */
export function writeMessage(url: string, path: string, datetime: Date, up = 'capabilitylist.xml'): string {
  return [
    ...serializeDocument(
      checkDocument({
        kind: 'change-notification',
        up: `${url}resourcesync/${up}`,
        changes: [{ change: 'deleted', uri: url + path, datetime }],
      }),
      'a test',
    ),
  ].join('');
}
