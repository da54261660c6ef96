/** Channels for the tests, with little patience, and programs that listen to them. */

import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Message } from '../../src/standard/document.js';
import { parseDocument } from '../../src/standard/xml/read.js';
import { resolveChannel } from '../../src/tell/channel/config.js';
import type {
  ChannelConfig,
  ChannelEvent,
  ChannelTiming,
  NotifiedEvent,
  ResolvedChannel,
} from '../../src/tell/channel/options.js';
import { runChannel } from '../../src/tell/channel/run.js';
import { type Log, startLog } from './log.js';
import { makeMessage } from './messages.js';

/** Pauses are a hundredth of what users get: two seconds become twenty milliseconds. Bounds of peers are as long as theirs. */
const QUICK: ChannelTiming = {
  gap: 20,
  again: [20, 50, 100, 200, 400],
  handshake: 10_000,
  heartbeat: 30_000,
  closing: 500,
};

export interface TestChannel {
  /** With a trailing slash. */
  readonly url: string;
  readonly events: readonly ChannelEvent[];
  readonly until: Log<ChannelEvent>['until'];
  readonly deployed: () => Promise<Response>;
  readonly health: () => Promise<Record<string, unknown>>;
  readonly stop: () => Promise<void>;
}

export const isTold = (event: ChannelEvent): event is NotifiedEvent => event.kind === 'notified';
export const isLook = (event: ChannelEvent): event is ChannelEvent & { kind: 'looked' } =>
  event.kind === 'looked';
export const isFailure = (event: ChannelEvent): event is ChannelEvent & { kind: 'failed' } =>
  event.kind === 'failed';
const isListening = (event: ChannelEvent): event is ChannelEvent & { kind: 'listening' } =>
  event.kind === 'listening';

/** Starts a channel; it looks once at the beginning, and then when it is told to. */
export async function startChannel(
  source: string,
  more: Partial<ChannelConfig> = {},
  { timing, ...rest }: Partial<Omit<ResolvedChannel, 'timing'>> & { timing?: Partial<ChannelTiming> } = {},
): Promise<TestChannel> {
  const http = { timeout: 5000, attempts: 1, connections: 4 };
  const config = { ...resolveChannel({ source, port: 0, every: '1d', ...more }), http, ...rest };
  const { events, take, until } = startLog<ChannelEvent>();
  const end = new AbortController();
  const run = runChannel(
    { ...config, timing: { ...QUICK, ...timing } },
    {
      signal: end.signal,
      observe: take,
    },
  );
  run.catch(() => undefined);
  const stop = async () => {
    end.abort();
    await run;
  };
  onTestFinished(stop);
  const { url } = await Promise.race([
    until(isListening),
    run.then(() => Promise.reject(new Error('ended'))),
  ]);
  return {
    url,
    events,
    until,
    deployed: () => fetch(`${url}deployed`, { method: 'POST' }),
    health: async () => (await fetch(`${url}health`)).json() as Promise<Record<string, unknown>>,
    stop,
  };
}

export interface Listener {
  readonly socket: WebSocket;
  /** The messages that came, as text. */
  readonly texts: readonly string[];
  /** The next message that has not been taken. */
  readonly next: () => Promise<Message>;
  /** Code and reason with which the channel ended the connection. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Connects to a channel; throws where it is sent away. */
export async function listen(channel: Pick<TestChannel, 'url'>, path: string): Promise<Listener> {
  const socket = new WebSocket(new URL(path, channel.url.replace('http', 'ws')), { perMessageDeflate: true });
  onTestFinished(() => socket.terminate());
  const texts: string[] = [];
  let taken = 0;
  let wake = (): void => undefined;
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('a message is text');
    texts.push(data.toString());
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await once(socket, 'open');
  const kind = new URL(socket.url).pathname.endsWith('framework')
    ? 'framework-notification'
    : 'change-notification';
  return {
    socket,
    texts,
    closed,
    async next() {
      while (texts.length <= taken) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return makeMessage(await parseDocument([texts[taken++] ?? '']), kind);
    },
  };
}

/** The entries of a message, one a line. */
export function tell({ changes }: Message): string[] {
  return changes.map(({ change, uri }) => `${change} ${new URL(uri).pathname}`);
}
