/** Answers are read as Node's own client reads them, whatever a server writes; and connections are kept. */

import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../../../src/source/web/answer.js';
import { startBounds } from '../../../../src/source/web/bounds.js';
import { startRequester } from '../../../../src/source/web/request.js';

const ENDLESS = Number.POSITIVE_INFINITY;
const LONG = 'x'.repeat(100_000);

/** A server that answers each request with the bytes that come next, in pieces. */
async function serveBytes(answer: (socket: Socket, count: number) => void | Promise<void>) {
  const sockets: Socket[] = [];
  const heads: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (head) => {
      heads.push(head.toString('latin1'));
      void answer(socket, heads.length);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/a?b=c`, sockets, heads };
}

function start(url: string, { timeout = 2000, tokens = {} } = {}) {
  const bounds = startBounds({ bytes: ENDLESS, time: ENDLESS, memory: ENDLESS });
  const limits = { connections: 2, timeout, attempts: 1 };
  const home = { origin: new URL(url).origin, stays: true };
  const requester = startRequester(home, limits, { agent: 'test', tokens }, bounds.signal);
  onTestFinished(() => {
    requester.close();
    bounds.stop();
  });
  const fetchText = async (headers?: Record<string, string>) => {
    const { status, headers: said, body } = await requester.ask(new URL(url), headers);
    const pieces: Buffer[] = [];
    for await (const piece of readBody(body, { most: ENDLESS, timeout, bounds }, () => undefined))
      pieces.push(piece);
    return { status, headers: { ...said }, text: Buffer.concat(pieces).toString('latin1') };
  };
  return { requester, fetchText };
}

async function fetchByNode(url: string) {
  const agent = new Agent({ keepAlive: true });
  try {
    const request = get(url, { agent });
    const [response] = await once(request, 'response');
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);
    const text = Buffer.concat(pieces).toString('latin1');
    return { status: response.statusCode, headers: { ...response.headers }, text };
  } finally {
    agent.destroy();
  }
}

const ANSWERS: readonly (readonly [what: string, bytes: string, ends?: boolean])[] = [
  [
    'a small body',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/html\r\nETag: "x"\r\n\r\nhello',
  ],
  ['no body', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a long body', `HTTP/1.1 200 OK\r\ncontent-length: ${LONG.length}\r\n\r\n${LONG}`],
  ['no reason', 'HTTP/1.1 404 \r\nContent-Length: 2\r\n\r\nno'],
  ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n'],
  ['a busy server', 'HTTP/1.1 429 Too Many\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nwait'],
  ['304 with a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: "y"\r\n\r\n'],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['a close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello', true],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n'],
  ['chunks without end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n', true],
  ['a body to the end', 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello', true],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', true],
  [
    'an announcement',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  ],
  ['a header twice', 'HTTP/1.1 200 OK\r\nLink: </a>\r\nLink: </b>\r\nContent-Length: 2\r\n\r\nok'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!', true],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    true,
  ],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: 2x\r\n\r\nok', true],
  ['a length below 0', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok', true],
  [
    'an offer of HTTP/2',
    'HTTP/1.1 200 OK\r\nUpgrade: h2\r\nConnection: Upgrade, Keep-Alive\r\nContent-Length: 2\r\n\r\nok',
  ],
  ['a folded header', 'HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 2\r\n\r\nok', true],
  ['a name with a space', 'HTTP/1.1 200 OK\r\nX A: b\r\nContent-Length: 2\r\n\r\nok', true],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 2\r\n\r\nok', true],
  ['a line feed alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', true],
  ['a control character', 'HTTP/1.1 200 OK\r\nX-A: b\u0001\r\nContent-Length: 2\r\n\r\nok', true],
  [
    'a name of the prototype',
    'HTTP/1.1 200 OK\r\ntoString: b\r\nConstructor: c\r\nContent-Length: 2\r\n\r\nok',
  ],
  [
    'a head that is too long',
    `HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(20_000)}\r\nContent-Length: 2\r\n\r\nok`,
    true,
  ],
  ['a body that breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel', true],
  ['a long body that breaks off', `HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${LONG}`, true],
  ['a head that breaks off', 'HTTP/1.1 200 OK\r\nContent-Le', true],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', true],
  ['nothing', '', true],
];

/** What both read alike is compared; where Node fails, so do we. */
test.each(ANSWERS.map(([what, bytes, ends = false]) => ({ what, bytes, ends })))(
  '$what is what Node reads',
  async ({ bytes, ends }) => {
    for (const size of [bytes.length || 1, 7, ...(bytes.length < 1000 ? [1] : [])]) {
      const { url } = await serveBytes(async (socket) => {
        for (let place = 0; place < bytes.length; place += size) {
          socket.write(bytes.slice(place, place + size), 'latin1');
          if (size < bytes.length && bytes.length < 1000) await sleep(0);
        }
        if (ends) socket.end();
      });
      const expected = await fetchByNode(url).catch(() => undefined);
      const found = await start(url)
        .fetchText()
        .catch(() => undefined);
      if (expected === undefined) expect(found).toBeUndefined();
      else {
        const { 'set-cookie': _cookies, ...headers } = expected.headers;
        expect(found).toEqual({ ...expected, headers });
      }
    }
  },
);

test.each([
  ['plain', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 1],
  ['a 404', 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nok', 1],
  ['chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 1],
  ['closed', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok', 5],
  ['longer than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n', 5],
])('five requests one after another, each answer %s', async (_, bytes, connections) => {
  const { url, sockets } = await serveBytes((socket) => void socket.write(bytes));
  const { fetchText } = start(url);
  for (let count = 0; count < 5; count++) expect(await fetchText()).toMatchObject({ text: 'ok' });
  expect(sockets).toHaveLength(connections);
});

test('many requests share the connections that are allowed', async () => {
  const { url, sockets } = await serveBytes(async (socket) => {
    await sleep(5);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  const { fetchText } = start(url);
  const texts = await Promise.all(Array.from({ length: 20 }, async () => (await fetchText()).text));
  expect(texts).toEqual(Array.from({ length: 20 }, () => 'ok'));
  expect(sockets).toHaveLength(2);
});

test('a connection that the server closes when it is used again is no failure', async () => {
  const { url, sockets, heads } = await serveBytes((socket, count) => {
    if (count === 2) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  const { fetchText } = start(url);
  for (let count = 0; count < 3; count++) expect(await fetchText()).toMatchObject({ text: 'ok' });
  expect([sockets.length, heads.length]).toEqual([2, 4]);
});

test('a server that says nothing, or too little, is given up in time', async () => {
  const { url } = await serveBytes((socket, count) => {
    if (count === 2) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe');
    if (count === 3) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  });
  const { fetchText } = start(url, { timeout: 200 });
  await expect(fetchText()).rejects.toThrow('no answer in 0.2 s');
  await expect(fetchText()).rejects.toThrow('nothing more for 0.2 s after');
  await expect(fetchText()).rejects.toThrow('no answer in 0.2 s');
});

test('no header leads to another request', async () => {
  const { url, heads } = await serveBytes(
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  );
  const { fetchText } = start(url, { tokens: { authorization: 'Bearer x' } });
  await expect(fetchText({ 'if-none-match': '"a"\r\nGET /b HTTP/1.1' })).rejects.toThrow('if-none-match');
  await fetchText({ 'if-none-match': '"a"' });
  expect(heads).toEqual([
    `GET /a?b=c HTTP/1.1\r\nhost: ${new URL(url).host}\r\nconnection: keep-alive\r\nuser-agent: test\r\naccept-encoding: identity\r\naccept: */*\r\nif-none-match: "a"\r\nauthorization: Bearer x\r\n\r\n`,
  ]);
});
