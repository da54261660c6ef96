/** Reading the body of an answer: all of it, or an error in time. */

import { once } from 'node:events';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Bounds, FetchError } from '../../../../src/source/web/bounds.js';
import { ConnectionPool, readBody } from '../../../../src/source/web/request.js';

const ENDLESS = Number.POSITIVE_INFINITY;
/** The bound between two pieces, in milliseconds. */
const TIMEOUT = 5000;

async function ask(
  answer: (response: ServerResponse) => void,
  read: (body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<number> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const bounds = new Bounds({ bytes: ENDLESS, time: ENDLESS, memory: ENDLESS });
  const connections = new ConnectionPool({
    home: { origin: url.origin },
    limits: { timeout: TIMEOUT, attempts: 1, connections: 1 },
    agent: 'test',
    tokens: {},
    signal: bounds.signal,
  });
  let failures = 0;
  try {
    const response = await connections.request(url);
    await read(readBody(response, { most: ENDLESS, timeout: TIMEOUT, bounds }, () => failures++));
  } finally {
    bounds.stop();
    connections.close();
    server.closeAllConnections();
    server.close();
  }
  return failures;
}

async function readAll(
  body: AsyncIterable<Buffer>,
  rest: () => unknown = () => undefined,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of body) {
    pieces.push(piece);
    await rest();
  }
  return Buffer.concat(pieces);
}

test('a reader that is slower than the server gets every byte, in order', async () => {
  const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(50_000, index));
  let read = Buffer.alloc(0);
  const failures = await ask(
    (response) => response.end(Buffer.concat(pieces)),
    async (body) => {
      read = await readAll(body, nextTurn);
    },
  );
  expect(read.equals(Buffer.concat(pieces))).toBe(true);
  expect(failures).toBe(0);
});

const BREAKS: readonly (readonly [what: string, head: string, end: (socket: Socket) => unknown])[] = [
  ['before its length', 'Content-Length: 1000', (socket) => socket.destroy()],
  ['where nothing says its length', 'Connection: close', (socket) => socket.resetAndDestroy()],
];

test.each(BREAKS)('an answer that breaks off while it is read, %s', async (_, head, endSocket) => {
  let end = (): unknown => undefined;
  const failures = await ask(
    ({ socket }) => {
      end = () => endSocket(socket as Socket);
      socket?.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${'x'.repeat(10)}`);
    },
    async (body) => {
      const reading = readAll(body, () => end());
      await expect(reading).rejects.toThrow(/^the connection ended after 10 bytes$/);
      await expect(reading).rejects.toBeInstanceOf(FetchError);
    },
  );
  expect(failures).toBe(1);
});

test('an answer that has broken off before anybody reads it', async () => {
  const response = new IncomingMessage(new Socket());
  response.on('error', () => undefined);
  response.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  await new Promise((resolve) => response.once('close', resolve));
  const bounds = new Bounds({ bytes: ENDLESS, time: ENDLESS, memory: ENDLESS });
  const body = readBody(response, { most: ENDLESS, timeout: TIMEOUT, bounds }, () => undefined);
  await expect(readAll(body)).rejects.toThrow('the connection ended after 0 bytes');
  bounds.stop();
});

test('an answer of which nothing more comes is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const failures = await ask(
    (response) => response.write('x'),
    async (body) => {
      const reading = readAll(body, () => vi.advanceTimersByTime(TIMEOUT));
      await expect(reading).rejects.toThrow('nothing more for 5 s after 1 bytes');
    },
  );
  expect(failures).toBe(1);
});
