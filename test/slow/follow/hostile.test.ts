/** Channels that keep who listens busy: each connection ends at once, and the copy is kept right without it. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { readCopy } from '../../support/mirror.js';
import { makeFolder } from '../../support/site.js';
import { follow, startNamingSource } from './followers.js';

const MEGABYTE = 1_000_000;
/** The most that buffers on the way may take of a body that nobody reads. */
const MOST_TAKEN = 16 * MEGABYTE;
/** Past this, it is known that there would be no end. */
const ENOUGH = 100 * MEGABYTE;

interface Flood {
  readonly url: string;
  /** The bytes that each connection took before it was ended, in their order. */
  readonly taken: readonly number[];
}

/** A channel that sends a beginning, and then the same over and over, for as long as anybody reads. */
async function flood(beginning: Buffer, piece: Buffer): Promise<Flood> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const taken: number[] = [];
  const sockets = new Set<Duplex>();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  server.on('upgrade', ({ headers }, socket) => {
    sockets.add(socket);
    let bytes = 0;
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => undefined);
    socket.on('close', () => taken.push(bytes));
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(beginning);
    const send = () => {
      while (!socket.destroyed && bytes < ENOUGH) {
        bytes += piece.length;
        if (!socket.write(piece)) break;
      }
      if (bytes >= ENOUGH) socket.destroy();
    };
    socket.on('drain', send);
    send();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken };
}

const over = (bytes: number[]) => Buffer.concat(Array.from({ length: 8192 }, () => Buffer.from(bytes)));
const NONE = Buffer.alloc(0);

// Hold of SECURITY.md: "ends a connection that floods it".
test.each<[string, Buffer, Buffer]>([
  ['fragments without end', Buffer.from([0x01, 0]), over([0x00, 0])],
  ['fragments of one byte without end', Buffer.from([0x01, 1, 60]), over([0x00, 1, 32])],
  ['a frame of 2^40 bytes', Buffer.from([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0]), Buffer.alloc(65_536, 'x')],
  ['what does not exist', NONE, over([0x83, 0])],
  ['pings without end', NONE, over([0x89, 0])],
  ['pongs without end', NONE, over([0x8a, 0])],
  ['empty messages without end', NONE, over([0x81, 0])],
])('%s end the connection, and the copy is kept right', async (_, beginning, piece) => {
  const channel = await flood(beginning, piece);
  const source = await startNamingSource();
  source.name(channel.url);
  await source.publish(0, { 'a.html': 'one' });
  const folder = makeFolder();
  const follower = follow(source.url, folder, { every: 200 });
  await follower.inSync(() => 'a.html' in readCopy(folder));
  // Two channels, again and again.
  await expect.poll(() => channel.taken.length).toBeGreaterThanOrEqual(6);
  expect(Math.max(...channel.taken)).toBeLessThan(MOST_TAKEN);
  await source.publish(60, { 'a.html': 'two' });
  await follower.inSync(() => readCopy(folder)['a.html'] === 'two');
  expect(readCopy(folder)).toEqual(source.listed());
});
