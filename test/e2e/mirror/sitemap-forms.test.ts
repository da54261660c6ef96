/** Sitemaps as sites really serve them: compressed, whatever name or header says, and in formats that are not XML. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { audit } from '../../../src/index.js';
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
