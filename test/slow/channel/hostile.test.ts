/** Peers and Sources that mean harm, or fail: the channel goes on, nobody else waits, and nothing of it is passed on. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  isFailure,
  isLook,
  isTold,
  listen,
  startChannel,
  type TestChannel,
  tell,
} from '../../support/channel.js';
import { startSource, write } from '../../support/mirror.js';
import type { Answer } from '../../support/server.js';
import { readTree } from '../../support/site.js';
import { startTelling, type TellingSource } from './source.js';

/** A Source and its channel, which has looked at it once. */
async function begin(
  ...more: Parameters<typeof startChannel> extends [string, ...infer R] ? R : never
): Promise<{ source: TellingSource; running: TestChannel; change: () => Promise<unknown> }> {
  const source = await startTelling();
  const running = await startChannel(source.url, ...more);
  await running.until(isLook);
  const change = async () => {
    const before = running.events.length;
    source.publish(1);
    await running.deployed();
    return running.until(isTold, before);
  };
  return { source, running, change };
}

/** The same, of a site that was built. */
async function beginWithSite(answer?: Answer, inner: Parameters<typeof startChannel>[2] = {}) {
  const source = await startSource({}, answer);
  await source.publish(0, { 'index.html': 'one' });
  const running = await startChannel(source.url, {}, inner);
  await running.until(isLook);
  const changes = await listen(running, 'changes');
  /** Publishes, and tells the channel. */
  const deploy = async (seconds: number, files: Readonly<Record<string, string>>) => {
    await source.publish(seconds, files);
    await running.deployed();
  };
  return { source, running, changes, deploy };
}

/** A connection that says what it is told to, and takes nothing that is not read. */
async function dial({ url }: TestChannel, text = ''): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const handshake = (path = '/changes', more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${more}\r\n`;

/** All that comes until the other side ends it. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

/** A frame of a client (RFC 6455 §5.2): its mask is all zeros. */
const frame = (first: number, payload: Buffer, isMasked = true) => {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255];
  const [size = 0, ...rest] = length;
  const mask = isMasked ? [0, 0, 0, 0] : [];
  return Buffer.concat([Buffer.from([first, size | (isMasked ? 128 : 0), ...rest, ...mask]), payload]);
};

/** The last frame of a channel, with the codes 1008, 1009 and 1002. */
const ONLY_SENDS = /\x88.\x03\xf0this channel only sends$/s;
const IN_PIECES = /\x88\x02\x03\xf0$/;
const TOO_LONG = /\x88\x02\x03\xf1$/;
const WRONG = /\x88\x02\x03\xea$/;

// Hold of docs/notification.md: "a client that sends a message", "pings and pongs", "a connection that makes no request within 10 seconds",
// "a slow client", and "connections"; of SECURITY.md: "a client that sends a message is disconnected".
describe('peers', () => {
  test.each([
    ['say nothing', ''],
    ['begin headers', 'GET /changes HTTP/1.1\r\nHost: a\r\nUpgrade: webs'],
  ])('that %s are let go, and nobody waits for them', async (_, text) => {
    // The HTTP server has the clock of the machine; those who do answer have a second for it.
    const { running, change } = await begin({}, { timing: { handshake: 1000 } });
    const peers = await Promise.all(Array.from({ length: 100 }, () => dial(running, text)));
    const changes = await listen(running, 'changes');
    await change();
    expect((await changes.next()).changes).toHaveLength(1);
    await Promise.all(peers.map(readAll));
    expect(await running.health()).toMatchObject({ connections: 1 });
  });

  test.each<[string, (string | Buffer)[], RegExp]>([
    ['send headers without end', [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`], /^HTTP\/1.1 4\d\d /],
    ['speak another language', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'], /^HTTP\/1.1 400 /],
    ['ask for what is not there', [handshake('/other')], /^HTTP\/1.1 404 /],
    ['have no key', [handshake().replace(/Sec-WebSocket-Key.*\r\n/, '')], /^HTTP\/1.1 400 /],
    ['send text', [handshake(), frame(0x81, Buffer.from('<urlset/>'))], ONLY_SENDS],
    ['send much', [handshake(), frame(0x81, Buffer.alloc(60_000))], TOO_LONG],
    ['use what does not exist', [handshake(), frame(0x8b, Buffer.alloc(1))], WRONG],
    ['do not mask', [handshake(), frame(0x89, Buffer.alloc(1), false)], WRONG],
    [
      'send pieces of text',
      [
        handshake(),
        frame(0x01, Buffer.alloc(10)),
        frame(0x8a, Buffer.alloc(0)),
        frame(0x00, Buffer.alloc(10)),
      ],
      IN_PIECES,
    ],
    [
      'send pieces of nothing',
      [
        handshake(),
        ...Array.from({ length: 500 }, (_, index) => frame(index === 0 ? 0x01 : 0x00, Buffer.alloc(0))),
      ],
      IN_PIECES,
    ],
    [
      'begin a frame of 2^40 bytes',
      [handshake(), Buffer.from([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
      TOO_LONG,
    ],
    [
      'ping without end',
      [handshake(), ...Array.from({ length: 500 }, () => frame(0x89, Buffer.alloc(100)))],
      /^HTTP\/1.1 101 /,
    ],
  ])('that %s are let go, and nothing of it is passed on', async (_, sent, expected) => {
    const { running, change } = await begin({}, { timing: { closing: 50 } });
    const changes = await listen(running, 'changes');
    const socket = await dial(running);
    const answer = readAll(socket);
    for (const piece of sent) socket.write(piece);
    expect(await answer).toMatch(expected);
    await change();
    await changes.next();
    expect(changes.texts).toHaveLength(1);
  });

  test('that read nothing are dropped once too much waits for them; others have it all', async () => {
    const source = await startTelling(1000);
    const running = await startChannel(source.url, { buffer: '1MB' });
    await running.until(isLook);
    const reader = await listen(running, 'changes');
    const socket = await dial(running, handshake());
    await once(socket, 'readable');
    await expect.poll(async () => (await running.health())['connections']).toBe(2);
    let messages = 0;
    for (let step = 1; (await running.health())['connections'] === 2; step++) {
      source.publish(3000);
      await running.deployed();
      for (let taken = 0; taken < 3000; messages++) taken += (await reader.next()).changes.length;
      expect(step).toBeLessThan(30);
    }
    expect(messages).toBe(reader.texts.length);
    expect(reader.texts.every((text) => text.length <= 1_000_000)).toBe(true);
    expect(await running.health()).toMatchObject({ connections: 1, ok: true });
  });

  test('that do not answer are dropped', async () => {
    const { running } = await begin({}, { timing: { heartbeat: 50 } });
    const socket = await dial(running, handshake());
    expect(await readAll(socket)).toContain('101 Switching Protocols');
    expect(await running.health()).toMatchObject({ connections: 0 });
  });

  // docs/notification.md: "when it answers no ping within 30 seconds".
  test.each([
    ['a text', 0x81],
    ['a pong', 0x8a],
  ])('that send %s byte by byte are dropped, since they answer no ping meanwhile', async (_, kind) => {
    const { running } = await begin({}, { timing: { heartbeat: 50 } });
    const rest = [...frame(kind, Buffer.alloc(125))];
    const socket = await dial(running, handshake());
    socket.on('data', () => socket.write(Buffer.from(rest.splice(0, 1))));
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 101 .*\r\n\r\n(?:\x89\x00)+$/s);
    expect(rest.length).toBeGreaterThan(125);
    expect(await running.health()).toMatchObject({ connections: 0 });
  });

  test('past the limit are sent away, for now', async () => {
    const { running } = await begin({ connections: 2 });
    const [first] = [await listen(running, 'changes'), await listen(running, 'framework')];
    await expect(listen(running, 'changes')).rejects.toThrow('503');
    first?.socket.close();
    await first?.closed;
    await expect.poll(async () => (await running.health())['connections']).toBe(1);
    await listen(running, 'changes');
  });

  // SECURITY.md: "at most once in two seconds".
  test('that flood POST /deployed cause no look before the gap is over', async () => {
    const { running } = await begin({}, { timing: { gap: 3_600_000 } });
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async () => (await running.deployed()).status),
    );
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(running.events.filter(isLook)).toHaveLength(1);
  });

  test('that ask for pages get small answers', async () => {
    const { running, source } = await begin();
    const ask = async (path: string, method = 'GET') => {
      const response = await fetch(running.url + path, { method });
      return [response.status, response.headers.get('content-type'), await response.text()] as const;
    };
    const [status, type, page] = await ask('');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page).toContain(`<a href="${source.url}">`);
    expect(page).toContain('<code>/changes</code> change-notification of');
    expect((await ask('changes'))[0]).toBe(426);
    expect((await ask('other'))[0]).toBe(404);
    expect((await ask('deployed'))[0]).toBe(405);
    expect((await ask('', 'DELETE'))[0]).toBe(405);
    expect((await ask('health', 'HEAD'))[2]).toBe('');
  });
});

describe('a Source', () => {
  // docs/notification.md: "If the site cannot be read, `/health` says so".
  test('that fails is told of on /health; what came meanwhile is told later', async () => {
    let fails = false;
    const { running, changes, deploy } = await beginWithSite((_, response) => {
      if (fails) response.writeHead(500).end();
      return fails;
    });
    fails = true;
    await deploy(60, { 'index.html': 'two' });
    await running.until(isFailure);
    expect(await running.health()).toMatchObject({
      ok: false,
      connections: 1,
      lastError: { message: expect.stringContaining('status 500') },
    });
    fails = false;
    await running.deployed();
    expect(tell(await changes.next())).toEqual(['updated /']);
    await expect.poll(async () => (await running.health())['ok']).toBe(true);
  });

  test('that cannot be read at first has no channels yet', async () => {
    const source = await startSource();
    const running = await startChannel(source.url);
    await running.until(isFailure);
    await expect(listen(running, 'changes')).rejects.toThrow('503');
    expect((await fetch(`${running.url}health`)).status).toBe(503);
    await source.publish(0, { 'index.html': 'one' });
    await running.deployed();
    await running.until(isLook);
    await listen(running, 'changes');
  });

  test.each([
    ['shows a page for everything', 'resourcesync/changelist.xml', '<!doctype html><title>Hello</title>'],
    ['names lists inside our network', 'resourcesync/capabilitylist.xml', 'inside'],
    ['has an entry by another name', 'resourcesync/capabilitylist.xml', 'renamed'],
  ])('that %s is told of on /health, and nothing is passed on', async (_, path, text) => {
    const { source, running, changes, deploy } = await beginWithSite();
    const framework = await listen(running, 'framework');
    const right = readFileSync(`${source.site}/${path}`, 'utf8');
    const other = readFileSync(`${source.site}/resourcesync/resourcelist.xml`, 'utf8');
    const inside = right.replace(/<loc>[^<]*changelist.xml/, '<loc>http://169.254.169.254/changelist.xml');
    const renamed = right.replace(/<url>(<loc>[^<]*changelist.xml.*?)<\/url>/, '<Url>$1</Url>');
    write(source.site, path, text === 'inside' ? inside : text === 'renamed' ? renamed : (text ?? other));
    await running.deployed();
    await running.until(isFailure);
    expect(await running.health()).toMatchObject({ ok: false });
    expect([changes.texts, framework.texts]).toEqual([[], []]);
    write(source.site, path, right);
    await deploy(60, { 'index.html': 'two' });
    expect(tell(await changes.next())).toEqual(['updated /']);
  });

  test('that tells of the year 9000 keeps nobody from hearing of this one', async () => {
    const { source, running, changes, deploy } = await beginWithSite();
    await deploy(60, { 'index.html': 'two' });
    await changes.next();
    const path = 'resourcesync/changelist.xml';
    const lie = readFileSync(`${source.site}/${path}`, 'utf8').replace(/datetime="\d{4}/g, 'datetime="9000');
    write(source.site, path, lie);
    const before = running.events.length;
    await running.deployed();
    await running.until(isTold, before);
    await deploy(120, { 'index.html': 'three' });
    expect(tell(await changes.next())).toEqual(['updated /']);
    expect(changes.texts).toHaveLength(2);
  });
});

/** A Source behind a cache, which shows the documents of the beginning wherever a test says so. */
async function beginBehindCache(isOld: (path: string) => boolean) {
  const stale = new Map<string, Buffer>();
  // The later ones are for a busy machine, on which a look takes longer than the time to the next one.
  const again = [20, 50, 100, 200, 400, 1000, 2000, 5000, 10_000, 20_000, 40_000];
  const begun = await beginWithSite(
    (path, response) => {
      const old = isOld(path) ? stale.get(path) : undefined;
      if (old !== undefined) response.writeHead(200).end(old);
      return old !== undefined;
    },
    { timing: { again } },
  );
  for (const [path, text] of Object.entries(readTree(begun.source.site)))
    stale.set(`/${path}`, Buffer.from(text, 'latin1'));
  return begun;
}

// docs/notification.md: "So the process reads the site again after 2, 5, 10, 20 and 40 seconds".
test('where caches show old documents after a deploy, the channel looks again', async () => {
  let looks = 0;
  const { running, changes, deploy } = await beginBehindCache((path) => {
    if (path.endsWith('.well-known/resourcesync')) looks++;
    return looks < 4;
  });
  looks = 0;
  await deploy(60, { 'index.html': 'two' });
  expect(tell(await changes.next())).toEqual(['updated /']);
  expect(running.events.filter(isLook).length).toBeGreaterThan(2);
});
