/**
 * Opens many WebSockets to one channel, and prints a line when all are open, and one whenever each has been sent one more
 * message. It speaks just enough of RFC 6455 to do that, so that it costs little beside what is measured.
 */

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const [url = '', count = ''] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url);
const wanted = Number(count);
/** Connections that are being opened at one time. */
const STEP = 200;

/** How many sockets have had so many messages. */
const reached: number[] = [];

function note(messages: number): void {
  reached[messages] = (reached[messages] ?? 0) + 1;
  if (reached[messages] === wanted) process.stdout.write(`${messages}\n`);
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject).on('close', () => reject(new Error('the channel has closed a connection')));
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    let head = '';
    const greet = (data: Buffer) => {
      head += data.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      if (!head.startsWith('HTTP/1.1 101 ')) reject(new Error(head));
      socket.off('data', greet);
      countMessages(socket);
      resolve();
    };
    socket.on('data', greet);
  });
}

/** Counts the messages that come: frames of text, unmasked, each whole. */
function countMessages(socket: Socket): void {
  let buffered = Buffer.alloc(0);
  let messages = 0;
  socket.on('data', (data) => {
    buffered = buffered.length === 0 ? data : Buffer.concat([buffered, data]);
    for (;;) {
      const size = sizeOf(buffered);
      if (size === undefined || buffered.length < size.head + size.body) return;
      buffered = buffered.subarray(size.head + size.body);
      // A ping has to be answered, and is not counted.
      if ((size.opcode & 15) === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      else note(++messages);
    }
  });
}

function sizeOf(head: Buffer): { opcode: number; head: number; body: number } | undefined {
  const [opcode, size = 0] = head;
  if (opcode === undefined || head.length < 2) return undefined;
  if (size < 126) return { opcode, head: 2, body: size };
  const length = size === 126 ? 4 : 10;
  if (head.length < length) return undefined;
  return { opcode, head: length, body: size === 126 ? head.readUInt16BE(2) : head.readUIntBE(4, 6) };
}

for (let opened = 0; opened < wanted; opened += STEP)
  await Promise.all(Array.from({ length: Math.min(STEP, wanted - opened) }, open));
process.stdout.write('open\n');
