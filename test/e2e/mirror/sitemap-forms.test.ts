/** Sitemaps as sites really serve them: compressed, whatever name or header says, and in formats that are not XML. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import { copy, readCopy, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { makeFolder } from '../../support/site.js';

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const PAGES = ['a.html', 'b.html'];

interface Served {
  readonly body: Buffer | string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** A site with two pages, and what a test adds to it by its URL. */
async function startSite(more: (url: string) => Readonly<Record<string, Served | string | Buffer>>) {
  const site = makeFolder();
  const served: Record<string, Served | string | Buffer> = {};
  const url = await serve(site, (path, response) => {
    const one = served[path.slice(1)];
    if (one === undefined) return false;
    const {
      body,
      status = 200,
      headers = {},
    } = typeof one === 'object' && 'body' in one ? one : { body: one };
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
    return true;
  });
  for (const page of PAGES) write(site, page, page);
  return { url, site, served: Object.assign(served, more(url)) };
}

const sitemap = (url: string, pages: readonly string[] = PAGES) =>
  `<urlset ${NAMESPACE}>${pages.map((page) => `<url><loc>${url}${page}</loc></url>`).join('')}</urlset>`;
const index = (url: string, parts: readonly string[]) =>
  `<sitemapindex ${NAMESPACE}>${parts.map((part) => `<sitemap><loc>${url}${part}</loc></sitemap>`).join('')}</sitemapindex>`;
const pack = (url: string) => gzipSync(sitemap(url));
const robots = (url: string, ...paths: readonly string[]) =>
  `User-agent: *\nDisallow:\n${paths.map((path) => `Sitemap: ${url}${path}\n`).join('')}`;
const BOTH = Object.fromEntries(PAGES.map((page) => [page, page]));

describe('a compressed Sitemap', () => {
  test.for<[what: string, more: (url: string) => Record<string, Served | string | Buffer>]>([
    ['at the usual place, under the usual name', (url) => ({ 'sitemap.xml': pack(url) })],
    [
      'with a type of its own',
      (url) => ({
        'robots.txt': robots(url, 'sitemap.xml.gz'),
        'sitemap.xml.gz': { body: pack(url), headers: { 'content-type': 'application/x-gzip' } },
      }),
    ],
    [
      'as a page, by a server that knows no better',
      (url) => ({
        'robots.txt': robots(url, 'map?all'),
        'map?all': { body: pack(url), headers: { 'content-type': 'text/html' } },
      }),
    ],
    [
      'in an index that is compressed, too',
      (url) => ({
        'robots.txt': robots(url, 'index.gz'),
        'index.gz': gzipSync(index(url, ['1.gz', '2.xml'])),
        '1.gz': gzipSync(sitemap(url, ['a.html'])),
        '2.xml': sitemap(url, ['b.html']),
      }),
    ],
    [
      'compressed once more on the way',
      (url) => ({
        'robots.txt': robots(url, 's.xml.gz'),
        's.xml.gz': { body: gzipSync(pack(url)), headers: { 'content-encoding': 'gzip' } },
      }),
    ],
    [
      'whose coding is none',
      (url) => ({
        'robots.txt': robots(url, 's.xml.gz'),
        's.xml.gz': { body: pack(url), headers: { 'content-encoding': 'none' } },
      }),
    ],
    [
      'that is not compressed, although name and header say so',
      (url) => ({
        'robots.txt': robots(url, 's.xml.gz'),
        's.xml.gz': {
          body: sitemap(url),
          headers: { 'content-encoding': 'gzip', 'content-type': 'application/gzip' },
        },
      }),
    ],
  ])('%s', async ([, more]) => {
    const { url } = await startSite(more);
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 2 });
    expect(readCopy(folder)).toEqual(BOTH);
  });

  test('is read where it is named', async () => {
    const { url } = await startSite((own) => ({ 'map.gz': pack(own) }));
    const folder = makeFolder();
    expect(await copy(`${url}map.gz`, folder)).toMatchObject({ inSync: true, created: 2 });
    const { findings } = await audit({ source: `${url}map.gz` });
    expect(findings.map(({ code }) => code)).not.toContain('document-unreachable');
  });

  test('that is damaged is not read in part', async () => {
    const { url, served } = await startSite((own) => ({ 'sitemap.xml': pack(own) }));
    const folder = makeFolder();
    await copy(url, folder);
    served['sitemap.xml'] = pack(url).subarray(0, -9);
    await expect(copy(url, folder)).rejects.toMatchObject({ code: 'source-unreadable' });
    expect(existsSync(join(folder, 'b.html'))).toBe(true);
  });
});

describe('a robots.txt that names', () => {
  const named = (url: string) => ({
    'robots.txt': robots(url, 'one.xml', 'other'),
    'one.xml': sitemap(url, ['a.html']),
  });

  test.for<[what: string, other: (url: string) => string | Buffer]>([
    ['a list of URLs', (url) => `${url}b.html\n`],
    [
      'a list with a byte order mark and line ends of Windows',
      (url) => `\ufeff${url}a.html\r\n\r\n  ${url}b.html  \r\n`,
    ],
    ['a compressed list of URLs', (url) => gzipSync(`${url}b.html`)],
    [
      'an RSS feed',
      (url) =>
        `<?xml version="1.0"?><!DOCTYPE rss><rss version="2.0"><channel><link>${url}</link><item><link><![CDATA[ ${url}b.html ]]></link></item></channel></rss>`,
    ],
    [
      'an RSS 1.0 feed',
      (url) =>
        `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item rdf:about="${url}b.html"><link>${url}b.html</link></item></rdf:RDF>`,
    ],
    [
      'an Atom feed',
      () =>
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/feed"/><entry><link rel="edit" href="/edit"/><link href="/b.html"/></entry></feed>',
    ],
  ])('%s is read by it', async ([, other]) => {
    const { url } = await startSite((own) => ({ ...named(own), other: other(own) }));
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, failed: [] });
    expect(readCopy(folder)).toEqual(BOTH);
  });

  test('feeds alone: what they name no more stays, for they tell of what is new', async () => {
    const feed = (own: string, pages: readonly string[]) =>
      `<rss version="2.0"><channel>${pages.map((page) => `<item><link>${own}${page}</link></item>`).join('')}</channel></rss>`;
    const { url, served } = await startSite((own) => ({
      'robots.txt': robots(own, 'feed'),
      feed: feed(own, ['a.html', 'b.html']),
    }));
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 2 });
    served['feed'] = feed(url, ['b.html']);
    expect(await copy(url, folder)).toMatchObject({ inSync: true, deleted: 0 });
    expect(readCopy(folder)).toEqual(BOTH);
  });

  test.for<[what: string, answer: Served, says: RegExp]>([
    ['fails', { status: 500, body: '' }, /robots\.txt: status 500/],
    ['is gone', { status: 404, body: '' }, /robots\.txt: it names no Sitemap any more/],
    ['is a page', { body: '<!doctype html>Sitemap: x' }, /robots\.txt: it names no Sitemap any more/],
    [
      'is in UTF-16',
      { body: Buffer.from('\ufeffSitemap: /one.xml', 'utf16le') },
      /names no Sitemap any more/,
    ],
  ])('Sitemaps, and then %s: sitemap.xml does not stand in for them', async ([, answer, says]) => {
    const { url, served } = await startSite((own) => ({ ...named(own), other: sitemap(own, ['b.html']) }));
    const folder = makeFolder();
    await copy(url, folder);
    served['sitemap.xml'] = sitemap(url, ['a.html']);
    served['robots.txt'] = answer;
    await expect(copy(url, folder)).rejects.toThrow(says);
    expect(readCopy(folder)).toEqual(BOTH);
  });

  test.for<[what: string, other: (url: string) => Served]>([
    [
      'a feed whose items have no link',
      (url) => ({
        body: `<rss version="2.0"><channel><item><guid>${url}b.html</guid></item></channel></rss>`,
      }),
    ],
    [
      'a feed that links to what is no URL',
      () => ({
        body: '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://["/></entry></feed>',
      }),
    ],
    ['gone', () => ({ status: 404, body: '' })],
    ['a page', () => ({ body: '<!doctype html><title>Oops</title>' })],
    ['a broken feed', () => ({ body: '<rss><channel><item>' })],
    ['a list with a line that is no URL', (url) => ({ body: `${url}a.html\n/relative.html\n` })],
    [
      'at a redirect to another server',
      () => ({ status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }),
    ],
  ])('a Sitemap that is %s deletes nothing, and ends nothing', async ([, other]) => {
    const { url, served, site } = await startSite((own) => ({
      ...named(own),
      other: sitemap(own, ['b.html']),
    }));
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 2 });
    write(site, 'new.html', 'new');
    served['one.xml'] = sitemap(url, ['a.html', 'new.html']);
    const right = served['other'];
    served['other'] = other(url);
    expect(await copy(url, folder)).toMatchObject({
      inSync: false,
      created: 1,
      deleted: 0,
      failed: [{ uri: `${url}other`, reason: 'skipped' }],
    });
    expect(readCopy(folder)).toEqual({ ...BOTH, 'new.html': 'new' });
    served['other'] = right ?? '';
    served['one.xml'] = sitemap(url, ['new.html']);
    expect(await copy(url, folder)).toMatchObject({ inSync: true, deleted: 1 });
  });

  test('a Sitemap on another server names the flag that admits it', async () => {
    const elsewhere = await startSite((own) => ({ 's.xml': sitemap(own, []) }));
    const { url, served } = await startSite((own) => ({
      'one.xml': sitemap(own, ['a.html']),
      'two.xml': sitemap(own, ['b.html']),
      'robots.txt': `Sitemap: ${own}one.xml\nSitemap: ${elsewhere.url}two.xml\n`,
    }));
    elsewhere.served['two.xml'] = sitemap(url, ['b.html']);
    const { origin } = new URL(elsewhere.url);
    const folder = makeFolder();
    const report = await copy(url, folder);
    expect(report).toMatchObject({ inSync: false, created: 1, failed: [{ reason: 'skipped' }] });
    expect(report.failed[0]?.found).toContain(`on another origin (--allow ${origin} adds it)`);
    expect(await copy(url, folder, { allow: [origin] })).toMatchObject({ inSync: true, created: 1 });
    served['robots.txt'] = `Sitemap: ${elsewhere.url}two.xml\n`;
    await expect(copy(url, makeFolder())).rejects.toThrow(`--allow ${origin} adds it`);
  });
});

describe('a well-known place without lists', () => {
  const page: Served = {
    body: '<!doctype html><title>App</title>',
    headers: { 'content-type': 'text/html' },
  };
  test.for<[what: string, answer: Served, home?: Served]>([
    ['that gives JSON', { body: '{"error":404}' }],
    ['that gives nothing', { body: '' }],
    ['that gives an error of S3', { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }],
    ['that gives 403 as the start page does', { status: 403, body: '' }, { status: 403, body: '' }],
    ['that gives XML of another kind', { body: '<?xml version="1.0"?><Error/>' }],
    ['that leads to a page', { status: 301, body: '', headers: { location: '/home/' } }],
  ])('%s leads on to the Sitemaps', async ([, answer, home = page]) => {
    const { url } = await startSite((own) => ({
      '': home,
      'home/': page,
      '.well-known/resourcesync': answer,
      'robots.txt': robots(own, 'sitemap.xml'),
      'sitemap.xml': sitemap(own),
    }));
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 2 });
    expect(readCopy(folder)).toEqual(BOTH);
  });

  test.for<[what: string, answer: Served]>([
    ['a Source Description that is cut off', { body: `<?xml version="1.0"?><urlset ${NAMESPACE}><url>` }],
    ['a server that is down', { status: 500, body: '' }],
    ['a token that is missing', { status: 401, body: '' }],
  ])('is not taken for one: %s', async ([, answer]) => {
    const { url } = await startSite((own) => ({
      '': page,
      '.well-known/resourcesync': answer,
      'sitemap.xml': sitemap(own),
    }));
    await expect(copy(url, makeFolder())).rejects.toMatchObject({ code: 'source-unreadable' });
  });
});

test.for<[what: string, body: (url: string) => Served, says: RegExp]>([
  [
    'of no namespace',
    (url) => ({ body: sitemap(url).replace(NAMESPACE, '') }),
    /sitemap\.xml: the root is <urlset> of no namespace/,
  ],
  [
    'of another namespace',
    (url) => ({ body: sitemap(url).replace('http:', 'https:') }),
    /<urlset> of https:/,
  ],
  [
    'with an unknown capability',
    (url) => ({
      body: sitemap(url).replace(
        '<url>',
        '<md xmlns="http://www.openarchives.org/rs/terms/" capability="x"/>$&',
      ),
    }),
    /must have <rs:md> of .* but has x/,
  ],
  ['that ends too early', (url) => ({ body: sitemap(url).slice(0, -20) }), /sitemap\.xml: .*\(line 1\)/],
  [
    'with a bare &',
    (url) => ({ body: sitemap(url).replace('a.html', 'a?b&c') }),
    /sitemap\.xml: .*\(line 1\)/,
  ],
  [
    'with an entity of HTML',
    (url) => ({ body: sitemap(url).replace('a.html', 'a&nbsp;b') }),
    /sitemap\.xml: undefined entity \(line 1\)\.\n/,
  ],
  ['that fails', () => ({ status: 500, body: '' }), /sitemap\.xml: status 500/],
])('a sitemap.xml %s is named as what cannot be read', async ([, body, says]) => {
  const { url } = await startSite((own) => ({ 'sitemap.xml': body(own) }));
  await expect(copy(url, makeFolder())).rejects.toThrow(says);
});
