/** Servers that mean harm, audited and continued by the command line: each ends in words, soon, with little memory. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import JSZip from 'jszip';
import { afterAll, describe, expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import { measurePeak } from '../support/peak.js';
import { some } from '../support/seed.js';
import { serve } from '../support/server.js';
import { makeSite, type RunResult, runCli } from '../support/site.js';

type Answer = (response: ServerResponse, request: IncomingMessage, url: string) => unknown;

/** The answer at a path, and the messages of the audit and of a run with `--history published`. */
interface Behaviour {
  readonly name: string;
  readonly path: RegExp;
  readonly answer: Answer;
  readonly audit: RegExp;
  readonly published: RegExp;
  /** Seconds for the audit. */
  readonly maxTime: number;
}

const LIST = /^\/resourcesync\/resourcelist\.xml$/;
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const MARK = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Written by resync-static -->\n';

/** Begins as documents of ours do: else they are not read any further by `--history published`. */
const begin = (url: string, root = 'urlset', doctype = '', kind = 'resourcelist') =>
  `${MARK}${doctype}<${root} ${NAMESPACES}><rs:ln rel="up" href="${url}resourcesync/capabilitylist.xml"/><rs:md capability="${kind}" at="2026-01-01T00:00:00Z"/>`;

/** Writes past the HTTP server, whatever that would make of it. */
const raw =
  (text: string): Answer =>
  (_, { socket }) =>
    socket.write(text);
const redirect =
  (to: (url: string, asked: string) => string): Answer =>
  (response, request, url) =>
    response.writeHead(302, { location: to(url, request.url ?? '') }).end();
const answerWith =
  (
    status: number,
    headers: Readonly<Record<string, string>>,
    body: (url: string) => string | Uint8Array = () => '',
  ): Answer =>
  (response, _, url) =>
    response.writeHead(status, headers).end(body(url));
const coded = (coding: string, body: (url: string) => string | Uint8Array) =>
  answerWith(200, { 'content-encoding': coding }, body);
const document = (body: (url: string) => string) => answerWith(200, {}, body);

/** Sends a piece over and over, for as long as anybody reads. */
function sendForEver(response: ServerResponse, piece: Uint8Array | string): void {
  if (response.destroyed) return;
  if (response.write(piece)) setImmediate(sendForEver, response, piece);
  else response.once('drain', () => sendForEver(response, piece));
}

/** The same, after the begin of a document. */
const endless =
  (piece: string): Answer =>
  (response, _, url) => {
    response.write(begin(url));
    sendForEver(response, piece);
  };
const SPACES = ' '.repeat(65_536);
const endlessBytes: Answer = (response) => sendForEver(response, SPACES);

/** Writes a piece every so many milliseconds. */
function drip(socket: Socket, piece: string, pause: number): void {
  const timer = setInterval(() => socket.write(piece), pause);
  socket.once('close', () => clearInterval(timer));
}

const dripping =
  (piece: string, pause: number): Answer =>
  (_, { socket }) =>
    drip(socket, piece, pause);

/** Begins a list, and then ends the connection. */
const breakingOff =
  (end: (socket: Socket) => unknown, headers = {}): Answer =>
  (response, { socket }, url) => {
    response.writeHead(200, headers).write(begin(url));
    // The begin has to be on its way.
    setTimeout(end, 50, socket);
  };

async function makeZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const many = (count: number, make: (index: number) => string, between = '') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

/** The largest list of the standard: 50,000 entries, and about the most bytes. */
const longEntries = (url: string, part: string) =>
  `${begin(url)}${many(50_000, (index) => `<url><loc>${url}${'a'.repeat(900)}${part}/${index}</loc></url>`)}</urlset>`;

const UNREADABLE = /The lists of the live site cannot be read/;
const FOREIGN = /The history of the live site cannot be continued/;
const DESCRIBED = /Listed|Done/;
const UNREACHABLE = /document-unreachable/;
const OVER = /bound-reached[\s\S]*the time is over/;

const behave = (
  name: string,
  answer: Answer,
  audit: RegExp,
  published: RegExp,
  { path = LIST, maxTime = 20 } = {},
): Behaviour => ({ name, path, answer, audit, published, maxTime });

/** All that a server may do to whoever reads from it. */
const BEHAVIOURS: readonly Behaviour[] = [
  behave(
    'endless list',
    endless('<url><loc>https://example.org/</loc></url>'.repeat(1000)),
    /document-too-large/,
    UNREADABLE,
  ),
  behave('endless space in a list', endless(SPACES), /document-excessive/, UNREADABLE),
  behave('endless page', endlessBytes, /length-differs|hash-differs/, DESCRIBED, { path: /^\/page\.html$/ }),
  behave('endless package', endlessBytes, /length-differs/, /Packed {3}2 packages/, { path: /\.zip$/ }),
  behave('no answer', () => undefined, OVER, /no answer in 30 s/, { maxTime: 3 }),
  behave('dripping head', dripping('H', 200), UNREACHABLE, UNREADABLE, { maxTime: 3 }),
  behave(
    'dripping body',
    (response, { socket }) => {
      response.flushHeaders();
      drip(socket, '1\r\n \r\n', 200);
    },
    OVER,
    /only \d+ bytes in 3\d s/,
    { maxTime: 3 },
  ),
  behave(
    'less than the length it says',
    breakingOff((socket) => socket.destroy(), { 'content-length': 100_000 }),
    /document-unreachable[\s\S]*the connection ended after \d+ bytes/,
    UNREADABLE,
  ),
  behave(
    'more than the length it says',
    raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<a>HTTP/1.1 200 OK\r\n\r\n'),
    /document-not-a-sitemap|document-not-well-formed/,
    FOREIGN,
  ),
  behave('reset before the answer', (_, { socket }) => socket.resetAndDestroy(), UNREACHABLE, UNREADABLE),
  ...['', 'Connection: upgrade\r\nUpgrade: x\r\n'].map((headers) =>
    behave(
      `status 101, ${headers}`,
      raw(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`),
      /document-unreachable[\s\S]*(?:101|closed)/,
      UNREADABLE,
    ),
  ),
  behave(
    'status 103 for ever',
    dripping('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 5),
    /document-unreachable[\s\S]*status 103 over and over/,
    /status 103 over and over/,
  ),
  behave('status 999', raw('HTTP/1.1 999 No\r\n\r\n'), /status 999/, /status 999/),
  behave(
    'huge Retry-After',
    answerWith(429, { 'retry-after': '999999999' }),
    /status 429, and to be asked again in 999999999 s/,
    /status 429/,
  ),
  behave(
    'huge header',
    raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    UNREACHABLE,
    UNREADABLE,
  ),
  behave(
    'headers for ever',
    (_, { socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X: y\r\n'.repeat(100), 5);
    },
    UNREACHABLE,
    UNREADABLE,
  ),
  behave(
    'redirect to an address that is not public',
    redirect(() => 'http://169.254.169.254/latest/meta-data/'),
    /169\.254\.169\.254.*not public/,
    FOREIGN,
  ),
  behave(
    'redirects without end',
    redirect((_, asked) => `${asked}x`),
    /redirects without end/,
    UNREADABLE,
    { path: /resourcelist/ },
  ),
  behave(
    'gzip bomb',
    coded('gzip', () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
      return Buffer.concat([bomb, bomb, bomb, bomb]);
    }),
    /document-(?:excessive|too-large)/,
    FOREIGN,
  ),
  behave(
    'gzip of nothing for ever',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      sendForEver(response, Buffer.concat(Array(2000).fill(gzipSync(''))));
    },
    /document-unreachable[\s\S]*more than \d+ bytes|bound-reached/,
    UNREADABLE,
    { maxTime: 15 },
  ),
  behave(
    'XML: a billion laughs',
    document((url) => {
      const entities = many(30, (index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`);
      const doctype = `<!DOCTYPE urlset [<!ENTITY a0 "ha">${entities}]>`;
      return `${begin(url, 'urlset', doctype)}<url><loc>&a30;</loc></url></urlset>`;
    }),
    /document-with-doctype/,
    UNREADABLE,
  ),
  behave(
    'XML: a million levels',
    document((url) => begin(url) + '<a>'.repeat(1_000_000)),
    /document-excessive/,
    UNREADABLE,
  ),
  behave(
    'XML: six million odd attributes',
    coded('gzip', (url) => {
      const attributes = many(60, (index) => ` a${index}=""`);
      return gzipSync(`${begin(url)}${`<rs:ln${attributes}/>`.repeat(100_000)}</urlset>`);
    }),
    /attribute-undefined|element-undefined/,
    FOREIGN,
    { maxTime: 45 },
  ),
  behave(
    'XML: a million links',
    document((url) => `${begin(url)}${'<rs:ln rel="a" href="b"/>'.repeat(990_000)}</urlset>`),
    /link-invalid/,
    /Listed|Cannot read/,
    { maxTime: 45 },
  ),
  behave(
    'XML: a text without end',
    document((url) => `${begin(url)}<url><loc>${'&amp;'.repeat(9_000_000)}</loc></url></urlset>`),
    /document-excessive/,
    UNREADABLE,
  ),
  behave(
    'parts that are made up, with entries as long as can be',
    (response, request, url) => {
      const part = /part-(\d+)/.exec(request.url ?? '')?.[1];
      const made = (index: number) =>
        `<sitemap><loc>${url}resourcesync/resourcelist.xml-part-${index}</loc></sitemap>`;
      const body =
        part === undefined
          ? `${begin(url, 'sitemapindex')}${many(50_000, made)}</sitemapindex>`
          : longEntries(url, part);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body, { level: 1 }));
    },
    /bound-reached/,
    FOREIGN,
    { path: /resourcelist/, maxTime: 45 },
  ),
  behave(
    'ZIP: a bomb',
    async (response) => response.end(await makeZip({ 'manifest.xml': Buffer.alloc(100_000_000) })),
    /hash-differs|package-excessive/,
    DESCRIBED,
    { path: /resourcedump-.*\.zip$/ },
  ),
  behave(
    'ZIP: one that is named two hundred times',
    async (response, request, url) => {
      const manifest = `${begin(url, 'urlset', '', 'resourcedump-manifest')}</urlset>`;
      const entry = `<url><loc>${url}resourcesync/resourcedump-bomb.zip</loc><rs:md type="application/zip"/></url>`;
      const dump = `${begin(url, 'urlset', '', 'resourcedump')}${entry.repeat(200)}</urlset>`;
      const isPackage = request.url?.endsWith('.zip') === true;
      response.end(
        isPackage ? await makeZip({ 'manifest.xml': manifest, zeros: Buffer.alloc(60_000_000) }) : dump,
      );
    },
    /entry-repeated/,
    DESCRIBED,
    { path: /resourcedump(?:\.xml|-bomb\.zip)$/ },
  ),
  behave(
    'page of links that are not closed',
    (response, { url }) =>
      url === '/'
        ? response.setHeader('content-type', 'text/html').end('<link '.repeat(50_000))
        : response.writeHead(404).end(),
    /description-missing/,
    /leaves out names that begin with a dot/,
    { path: /^\/(?:\.well-known\/resourcesync)?$/ },
  ),
];

const MOST_KILOBYTES = 400_000;
const CRASH = /\n {4}at |node:internal|unsettled|FATAL|Unhandled|TypeError|RangeError/;

/** Several tests run at once, so their folders are not those of one of them. */
const work = mkdtempSync(join(tmpdir(), 'resync-static-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const makeOwnFolder = () => mkdtempSync(join(work, 'x-'));

/** Runs the command line with a temporary folder of its own, and measures its memory. */
async function runMeasured(...args: readonly string[]) {
  const folder = makeOwnFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const peak = measurePeak(folder);
  const result = await runCli(args, { env: { TMPDIR: temporary, ...peak.env } });
  return { result, left: readdirSync(temporary), peak: peak.read() };
}

function expectWords({ result, left, peak }: Awaited<ReturnType<typeof runMeasured>>, words: RegExp): void {
  const { status, signal, stdout, stderr }: RunResult = result;
  expect({ signal, isExit: [0, 1, 2].includes(status ?? -1) }).toEqual({ signal: null, isExit: true });
  expect(stdout + stderr).toMatch(words);
  expect(stdout + stderr).not.toMatch(CRASH);
  expect(left).toEqual([]);
  expect(peak).toBeLessThanOrEqual(MOST_KILOBYTES);
}

/** Serves a site with a Change List and both dumps, and answers as a stranger does once it is described. */
async function publish({ path, answer }: Behaviour, atEnd: (stop: () => void) => void): Promise<string> {
  const site = makeSite({ 'index.html': 'home', 'page.html': 'one' }, makeOwnFolder());
  const url: string = await serve(
    site,
    (_, response, request) => {
      request.socket.on('error', () => undefined);
      response.on('error', () => undefined);
      const isStrange = path.test(request.url ?? '/');
      if (isStrange) answer(response, request, url);
      return isStrange;
    },
    atEnd,
  );
  await describeSite({ site, url, history: 'none', dumps: true });
  return url;
}

// Hold of SECURITY.md: "`audit` ends within `--max-time` and `--max-bytes`", "memory stays below 400 MB".
describe('a server that means harm', () => {
  // Most of them wait for most of their time.
  test.concurrent.for(some(BEHAVIOURS, 5))('$name', async (behaviour, { onTestFinished }) => {
    const { audit, published, maxTime } = behaviour;
    const url = await publish(behaviour, onTestFinished);
    const site = makeSite({ 'index.html': 'home', 'page.html': 'two' }, makeOwnFolder());
    const [audited, continued] = await Promise.all([
      runMeasured('audit', url, '--verbose', '--max-time', `${maxTime}`),
      runMeasured(site, '--url', url, '--history', 'published', '--dumps'),
    ]);
    // On a machine that is busy, the time may be over first.
    expectWords(audited, new RegExp(`${audit.source}|bound-reached`));
    expectWords(continued, published);
  });
});
