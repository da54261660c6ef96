/** Servers with one fault each, and what an audit finds there. */

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { CheckCode } from '../../../src/standard/rules/checks.js';
import type { Answer } from '../../support/server.js';

/** Answers one path in another way. */
export const at =
  (wanted: string, act: (response: ServerResponse) => void): Answer =>
  (path, response) => {
    if (path !== wanted) return false;
    act(response);
    return true;
  };
export const PAGE = '/pages/3.html';

/** Answers that page. */
const sending = (
  status: number,
  headers: OutgoingHttpHeaders = {},
  body: string | Buffer = 'Page 3, revised',
) => at(PAGE, (response) => response.writeHead(status, headers).end(body));
const redirect = (location: string) => sending(302, { location }, '');

const LIST = '/resourcesync/changelist-20240101T000000Z.xml';

/** The answer of a server, the checks that report it, and the words of their findings. */
export type BrokenServer = readonly [
  what: string,
  answer: Answer,
  codes: readonly CheckCode[],
  found: RegExp | undefined,
];

export const BROKEN_SERVERS: readonly BrokenServer[] = [
  ['that rewrites a page', sending(200, {}, 'Page 3, revised<script src=x>'), ['hash-differs'], /bytes\)/],
  ['that has lost a page', sending(404), ['resource-missing'], /404/],
  ['that wants a password', sending(401), ['fetch-failed'], /status 401/],
  ['that fails', sending(500), ['fetch-failed'], /status 500/],
  [
    'that gives another type',
    sending(200, { 'content-type': 'text/plain' }),
    ['type-differs'],
    /text\/plain/,
  ],
  [
    'that compresses although nobody asked',
    sending(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }, gzipSync('Page 3, revised')),
    ['encoding-differs'],
    /gzip/,
  ],
  ['that calls text gzip', sending(200, { 'content-encoding': 'gzip' }), ['encoding-differs'], /gzip/],
  [
    'that sends without end',
    at(PAGE, (response) => {
      const more = () =>
        void (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
      more();
    }),
    ['length-differs'],
    /more than/,
  ],
  ['that moves a page', redirect('/pages/4.html'), ['hash-differs', 'redirected'], /pages\/4/],
  ['that redirects in a circle', redirect(PAGE), ['fetch-failed'], /redirects without end/],
  ['that redirects to no URL', redirect('http://['), ['fetch-failed'], /no URL/],
  ...(
    [
      ['file:///etc/passwd', /not on the web/],
      ['http://127.0.0.1:9/', /not public/],
      ['http://2130706433:9/', /127\.0\.0\.1, which is not public/],
    ] as const
  ).map(([to, found]): BrokenServer => [`that redirects to ${to}`, redirect(to), ['fetch-refused'], found]),
  [
    'that breaks off in a document',
    at(LIST, (response) => void response.write('<urlset', () => response.destroy())),
    ['document-unreachable', 'change-only-in-dump'],
    /connection ended|reset|hang up/,
  ],
  [
    'whose document is no XML',
    at(LIST, (response) => void response.end('<!DOCTYPE html><title>Not found</title>')),
    ['document-not-a-sitemap'],
    /HTML page/,
  ],
];

/** Servers that keep a client waiting, which gives up. */
export const SILENT_SERVERS: readonly BrokenServer[] = [
  ['that says nothing', at(LIST, () => undefined), ['document-unreachable'], /no answer/],
  [
    'that stops in mid-document',
    at(LIST, (response) => void response.write('<urlset')),
    ['document-unreachable'],
    /nothing more for/,
  ],
  [
    'that sends a byte now and then',
    at(LIST, (response) => {
      // More often than the client gives up on a silent connection.
      const timer = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(timer));
    }),
    ['document-unreachable'],
    /only \d+ bytes in|nothing more for/,
  ],
];

/** A page that leads to a Capability List; `BASE/` stands for the root of the server. */
const head =
  '<html><head><link href="BASE/resourcesync/capabilitylist.xml" rel="resourcesync"></head></html>';

/** The URL where an audit begins, the page there, its headers, and the checks that report it. */
export type BrokenStart = readonly [
  what: string,
  start: string,
  page: string,
  headers: Readonly<Record<string, string>>,
  codes: readonly CheckCode[],
];

/** The findings wherever an audit of that Source begins. */
const USUAL: readonly CheckCode[] = ['description-not-well-known', 'hash-missing'];

/** An audit that begins there finds the way to the Source Description, which is at no usual place. */
export const BROKEN_STARTS: readonly BrokenStart[] = [
  ['a link in a page', 'page.html', head, {}, USUAL],
  [
    'a Link header',
    'page.html',
    'x',
    { link: '<BASE/x>; rel="next", <BASE/resourcesync/capabilitylist.xml>; rel="resourcesync"' },
    USUAL,
  ],
  [
    'a link to something else',
    'page.html',
    head.replace('capabilitylist', '../list'),
    {},
    ['discovery-of-other-kind', ...USUAL],
  ],
  ['a page that is asked for with escapes', '%70age.html', head, {}, USUAL],
  ['a page that no list has', 'other.html', head, {}, ['discovery-not-covered', ...USUAL]],
  ['robots.txt', '', 'x', {}, USUAL],
  ['a Capability List', 'resourcesync/capabilitylist.xml', 'x', {}, USUAL],
  ['a Resource List', 'list.xml', 'x', {}, USUAL],
  ['a Source Description', 'source.xml', 'x', {}, USUAL],
  ['a list that the Capability List does not have', 'stray.xml', 'x', {}, ['not-listed-above', ...USUAL]],
];
