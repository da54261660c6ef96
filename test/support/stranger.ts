/** A server that means harm: a described site of which one thing is answered in one of many wrong ways. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import JSZip from 'jszip';

export interface Stranger {
  /** URL of the site's root. */
  readonly url: string;
  /** Files that are served, by path with a leading slash. */
  files: ReadonlyMap<string, Uint8Array>;
  readonly close: () => void;
}

/** One way to answer. */
export interface Behaviour {
  readonly name: string;
  /** What is answered so. @default the Resource List */
  readonly path?: string | RegExp;
  readonly answer: (response: ServerResponse, request: IncomingMessage, url: string) => unknown;
  /** What the audit tells. */
  readonly audit: RegExp;
  /** What publishing with `--history published` tells; undefined where it does not ask for it. */
  readonly published?: RegExp;
  /** Seconds for the audit. @default 20 */
  readonly maxTime?: number;
}

const LIST = '/resourcesync/resourcelist.xml';
const PAGE = '/page.html';
const PACKAGE = /resourcedump-.*\.zip$/;

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const MARK = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Written by resync-static -->\n';
/** Begins as documents of ours do: else they are not read any further by `--history published`. */
const begin = (url: string, root = 'urlset', doctype = '') =>
  `${MARK}${doctype}<${root} ${NAMESPACES}><rs:ln rel="up" href="${url}resourcesync/capabilitylist.xml"/><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>`;

/** Writes past the HTTP server, whatever that would make of it. */
const raw =
  (text: string) =>
  (_: ServerResponse, { socket }: IncomingMessage) =>
    void socket.write(text);
const redirect =
  (to: (url: string, asked: string) => string) =>
  (response: ServerResponse, request: IncomingMessage, url: string) =>
    response.writeHead(302, { location: to(url, request.url ?? '') }).end();

/** Sends a piece over and over, for as long as anybody reads. */
function sendForEver(response: ServerResponse, piece: Uint8Array | string): void {
  if (response.destroyed) return;
  if (response.write(piece)) setImmediate(sendForEver, response, piece);
  else response.once('drain', () => sendForEver(response, piece));
}

/** Writes a piece every so many milliseconds. */
function drip(socket: Socket, piece: string, pause: number): void {
  const timer = setInterval(() => socket.write(piece), pause);
  socket.once('close', () => clearInterval(timer));
}

const document =
  (make: (url: string) => string) => (response: ServerResponse, _: IncomingMessage, url: string) =>
    response.end(make(url));
const gzipped =
  (make: (url: string) => string) => (response: ServerResponse, _: IncomingMessage, url: string) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(make(url)));

/** What the standard allows at most: entries and, about, bytes. */
const longEntries = (url: string, part: string) =>
  `${begin(url)}${Array.from({ length: 50_000 }, (_, index) => `<url><loc>${url}${'a'.repeat(900)}${part}/${index}</loc></url>`).join('')}</urlset>`;

async function makeZip(fill: (zip: JSZip) => void): Promise<Buffer> {
  const zip = new JSZip();
  fill(zip);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const UNREADABLE = /The lists of the live site cannot be read/;
const FOREIGN = /The history of the live site cannot be continued/;

/** All that a server may do to whoever reads from it. */
export const BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'endless list',
    answer: (response, _, url) => {
      response.write(begin(url));
      sendForEver(response, '<url><loc>https://example.org/</loc></url>'.repeat(1000));
    },
    audit: /document-too-large/,
    published: UNREADABLE,
  },
  {
    name: 'endless space in a list',
    answer: (response, _, url) => {
      response.write(begin(url));
      sendForEver(response, ' '.repeat(65_536));
    },
    audit: /document-excessive/,
    published: UNREADABLE,
  },
  {
    name: 'endless page',
    path: PAGE,
    answer: (response) => sendForEver(response, ' '.repeat(65_536)),
    audit: /length-differs|hash-differs/,
  },
  {
    name: 'endless package',
    path: /\.zip$/,
    answer: (response) => sendForEver(response, ' '.repeat(65_536)),
    audit: /length-differs/,
    published: /Note/,
  },
  {
    name: 'no answer',
    answer: () => undefined,
    audit: /bound-reached[\s\S]*the time is over/,
    published: /no answer in 30 s/,
    maxTime: 3,
  },
  {
    name: 'dripping head',
    answer: (_, { socket }) => drip(socket, 'H', 200),
    audit: /document-unreachable/,
    published: UNREADABLE,
    maxTime: 3,
  },
  {
    name: 'dripping body',
    answer: (response, { socket }) => {
      response.flushHeaders();
      drip(socket, '1\r\n \r\n', 200);
    },
    audit: /bound-reached[\s\S]*the time is over/,
    published: /only \d+ bytes in 3\d s/,
    maxTime: 3,
  },
  {
    name: 'less than the length it says',
    answer: (response, { socket }, url) => {
      response.writeHead(200, { 'content-length': 100_000 }).write(begin(url));
      setTimeout(() => socket.destroy(), 50);
    },
    audit: /document-unreachable[\s\S]*the connection ended after \d+ bytes/,
    published: UNREADABLE,
  },
  {
    name: 'more than the length it says',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<a>HTTP/1.1 200 OK\r\n\r\n'),
    audit: /document-not-a-sitemap|document-not-well-formed/,
    published: FOREIGN,
  },
  {
    name: 'two lengths',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n<a>'),
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'a length that is none',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n<a>'),
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'not HTTP',
    answer: raw('\0\u0001garbage\r\n\r\n'),
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'reset before the answer',
    answer: (_, { socket }) => socket.resetAndDestroy(),
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'reset within the body',
    answer: (response, { socket }, url) => {
      response.write(begin(url));
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
    audit: /document-unreachable[\s\S]*the connection ended/,
    published: UNREADABLE,
  },
  {
    name: 'closed without an answer',
    answer: (_, { socket }) => socket.end(),
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'status 101',
    answer: raw('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    audit: /document-unreachable[\s\S]*(?:101|closed)/,
    published: UNREADABLE,
  },
  {
    name: 'status 101 with Upgrade',
    answer: raw('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello'),
    audit: /document-unreachable[\s\S]*(?:101|closed)/,
    published: UNREADABLE,
  },
  {
    name: 'status 103 for ever',
    answer: (_, { socket }) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 5),
    audit: /document-unreachable[\s\S]*status 103 over and over/,
    published: /status 103 over and over/,
  },
  {
    name: 'status 103 for ever, now and then',
    answer: (_, { socket }) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 1000),
    audit: /bound-reached/,
    published: /no answer in 30 s/,
    maxTime: 3,
  },
  {
    name: 'status 999',
    answer: raw('HTTP/1.1 999 No\r\n\r\n'),
    audit: /status 999/,
    published: /status 999/,
  },
  {
    name: 'huge Retry-After',
    answer: (response) => response.writeHead(429, { 'retry-after': '999999999' }).end(),
    audit: /status 429, and to be asked again in 999999999 s/,
    published: /status 429/,
  },
  {
    name: 'Retry-After in a thousand years',
    answer: (response) => response.writeHead(503, { 'retry-after': 'Mon, 01 Jan 3026 00:00:00 GMT' }).end(),
    audit: /status 503, and to be asked again/,
    published: /status 503/,
  },
  {
    name: 'huge header',
    answer: raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'headers for ever',
    answer: (_, { socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X: y\r\n'.repeat(100), 5);
    },
    audit: /document-unreachable/,
    published: UNREADABLE,
  },
  {
    name: 'redirect to a file',
    answer: redirect(() => 'file:///etc/passwd'),
    audit: /file:\/\/\/etc\/passwd/,
    published: FOREIGN,
  },
  {
    name: 'redirect to metadata of a cloud',
    answer: redirect(() => 'http://169.254.169.254/latest/meta-data/'),
    audit: /169\.254\.169\.254.*not public/,
    published: FOREIGN,
  },
  {
    name: 'redirect to metadata by IPv6',
    answer: redirect(() => 'http://[fd00:ec2::254]/'),
    audit: /not public/,
    published: FOREIGN,
  },
  {
    name: 'redirect to another port',
    answer: redirect(() => 'http://127.0.0.1:22/'),
    audit: /not public/,
    published: FOREIGN,
  },
  {
    name: 'redirects in a circle',
    answer: redirect((url) => url + LIST.slice(1)),
    audit: /redirects without end/,
    published: FOREIGN,
  },
  {
    name: 'redirects without end',
    path: /resourcelist/,
    answer: redirect((_, asked) => `${asked}x`),
    audit: /redirects without end/,
    published: FOREIGN,
  },
  {
    name: 'redirect to nonsense',
    answer: redirect(() => 'http://['),
    audit: /no URL/,
    published: FOREIGN,
  },
  {
    name: 'gzip bomb',
    answer: (response) => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat([bomb, bomb, bomb, bomb]));
    },
    audit: /document-(?:excessive|too-large)/,
    published: FOREIGN,
  },
  {
    name: 'gzip of nothing for ever',
    answer: (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      sendForEver(response, Buffer.concat(Array(2000).fill(gzipSync(''))));
    },
    audit: /document-unreachable[\s\S]*more than \d+ bytes|bound-reached/,
    published: UNREADABLE,
    maxTime: 15,
  },
  {
    name: 'brotli bomb',
    answer: (response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(
        brotliCompressSync(Buffer.alloc(64 * 1024 * 1024, ' '), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
        }),
      ),
    audit: /document-(?:excessive|too-large)/,
    published: FOREIGN,
  },
  {
    name: 'gzip that breaks off',
    answer: (response, _, url) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(begin(url)).subarray(0, 60)),
    audit: /document-unreachable/,
    published: FOREIGN,
  },
  {
    name: 'coding that nobody knows',
    answer: (response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
    audit: /Content-Encoding zstd/,
    published: FOREIGN,
  },
  {
    name: 'XML: a billion laughs',
    answer: document((url) => {
      const entities = Array.from(
        { length: 30 },
        (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
      );
      const doctype = `<!DOCTYPE urlset [<!ENTITY a0 "ha">${entities.join('')}]>`;
      return `${begin(url, 'urlset', doctype)}<url><loc>&a30;</loc></url></urlset>`;
    }),
    audit: /document-with-doctype/,
    published: UNREADABLE,
  },
  {
    name: 'XML: a million levels',
    answer: document((url) => `${begin(url)}${'<a>'.repeat(1_000_000)}`),
    audit: /document-excessive/,
    published: UNREADABLE,
  },
  {
    name: 'XML: a million attributes',
    answer: document(
      (url) => `${begin(url)}<url ${Array.from({ length: 1e6 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    ),
    audit: /document-excessive/,
    published: UNREADABLE,
  },
  {
    name: 'XML: six million odd attributes',
    answer: gzipped((url) => {
      const attributes = Array.from({ length: 60 }, (_, index) => ` a${index}=""`).join('');
      return `${begin(url)}${`<rs:ln${attributes}/>`.repeat(100_000)}</urlset>`;
    }),
    audit: /attribute-undefined|element-undefined/,
    published: FOREIGN,
    maxTime: 45,
  },
  {
    name: 'XML: a million links',
    answer: document((url) => `${begin(url)}${'<rs:ln rel="a" href="b"/>'.repeat(990_000)}</urlset>`),
    audit: /link-invalid/,
    published: /Listed|Cannot read/,
    maxTime: 45,
  },
  {
    name: 'XML: a text without end',
    answer: document((url) => `${begin(url)}<url><loc>${'&amp;'.repeat(9_000_000)}</loc></url></urlset>`),
    audit: /document-excessive/,
    published: UNREADABLE,
  },
  {
    name: 'parts that are made up, with entries as long as can be',
    path: /resourcelist/,
    answer: (response, request, url) => {
      const part = /part-(\d+)/.exec(request.url ?? '')?.[1];
      const body =
        part === undefined
          ? `${begin(url, 'sitemapindex')}${Array.from({ length: 50_000 }, (_, index) => `<sitemap><loc>${url}resourcesync/resourcelist.xml-part-${index}</loc></sitemap>`).join('')}</sitemapindex>`
          : longEntries(url, part);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body, { level: 1 }));
    },
    audit: /bound-reached/,
    published: FOREIGN,
    maxTime: 45,
  },
  {
    name: 'ZIP: a bomb',
    path: PACKAGE,
    answer: async (response) =>
      response.end(await makeZip((zip) => zip.file('manifest.xml', Buffer.alloc(100_000_000)))),
    audit: /hash-differs|package-excessive/,
  },
  {
    name: 'ZIP: one that is named two hundred times',
    path: /resourcedump(?:\.xml|-bomb\.zip)$/,
    answer: async (response, request, url) => {
      if (request.url?.endsWith('.zip') === true) {
        response.end(
          await makeZip((zip) => {
            zip.file(
              'manifest.xml',
              `${begin(url).replace('resourcelist', 'resourcedump-manifest')}</urlset>`,
            );
            zip.file('zeros', Buffer.alloc(60_000_000));
          }),
        );
        return;
      }
      const entries = `<url><loc>${url}resourcesync/resourcedump-bomb.zip</loc><rs:md type="application/zip"/></url>`;
      response.end(`${begin(url).replace('resourcelist', 'resourcedump')}${entries.repeat(200)}</urlset>`);
    },
    audit: /entry-repeated/,
  },
  {
    name: 'page of links that are not closed',
    path: /^\/(?:\.well-known\/resourcesync)?$/,
    answer: (response, request) =>
      request.url === '/'
        ? response.setHeader('content-type', 'text/html').end('<link '.repeat(50_000))
        : response.writeHead(404).end(),
    audit: /description-missing/,
    published: /starts with this/,
  },
];

/** Starts a server that answers in one of these ways; close it when the test is over. */
export async function startStranger({ path = LIST, answer }: Behaviour): Promise<Stranger> {
  let isReady = false;
  const server = createServer((request, response) => {
    const asked = request.url ?? '/';
    request.socket.on('error', () => undefined);
    response.on('error', () => undefined);
    if (isReady && (typeof path === 'string' ? asked === path : path.test(asked))) {
      answer(response, request, stranger.url);
      return;
    }
    const file = stranger.files.get(asked === '/' ? '/index.html' : asked);
    if (file === undefined) response.writeHead(404).end('not found');
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let files: ReadonlyMap<string, Uint8Array> = new Map();
  const stranger: Stranger = {
    url: `http://127.0.0.1:${port}/`,
    get files() {
      return files;
    },
    set files(wanted) {
      files = wanted;
      isReady = true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return stranger;
}
