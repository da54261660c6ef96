/** The links that pages have in their heads, as links of their entries; and the site's own sitemap in `robots.txt`. */

import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describe } from '../../src/index.js';
import { readSource } from '../support/documents.js';
import { pageOf } from '../support/people.js';
import { makeSite, readTree } from '../support/site.js';

const URL_OF_SITE = 'https://example.org/';

const HEAD = `<base href="/docs/">
<link rel="canonical" href="https://example.org/docs/guide.html">
<link rel="alternate" type="application/pdf" href="guide.pdf">
<link rel="alternate" hreflang="fr" href="/fr/guide.html">
<link rel="alternate" type="application/atom+xml" href="/feed.xml">
<link rel="alternate stylesheet" href="dark.css"><link rel="stylesheet" href="a.css"><link rel="icon" href="/i.svg">
<link rel="License describedby" href="https://licenses.example/by?a=1&amp;b=2">
<link rel="author" href="mailto:me@example.org"><link rel="via" href="http://[bad"><link rel="via">
<link rel="made-up" href="/x"><link rel="collection" href="../all/#top">`;

const LINKS = [
  ['alternate', `${URL_OF_SITE}docs/guide.pdf`, 'application/pdf'],
  ['alternate', `${URL_OF_SITE}fr/guide.html`, undefined],
  ['license', 'https://licenses.example/by?a=1&b=2', undefined],
  ['describedby', 'https://licenses.example/by?a=1&b=2', undefined],
  ['collection', `${URL_OF_SITE}all/#top`, undefined],
];

const make = () =>
  makeSite({
    'index.html': pageOf('Home', 'x'),
    'docs/guide.html': pageOf('Guide', 'x', HEAD),
    'moved.html': pageOf('Moved', 'x', '<link rel="canonical" href="/docs/guide.html">'),
    'old.html': Buffer.from(pageOf('Old \xe9', 'x', HEAD), 'latin1'),
  });

const run = (site: string, config: Partial<UserConfig> = {}) =>
  describe({ site, url: URL_OF_SITE, history: 'none', pageLinks: true, ...config });

function linksOf(site: string): Record<string, unknown[]> {
  const listed = readSource(site, URL_OF_SITE).sets[0]?.resources ?? [];
  return Object.fromEntries(
    listed.map(({ uri, element }) => [
      uri.slice(URL_OF_SITE.length),
      element.children
        .filter(({ name }) => name === 'rs:ln')
        .map(({ attributes: { rel, href, type } }) => [rel, href, type]),
    ]),
  );
}

test.each([
  ['alone', {}],
  ['with links to the lists', { htmlLinks: true, feed: true }],
])('are listed as they are meant, %s', async (_, config) => {
  const site = make();
  const { edited } = await run(site, config);
  expect(linksOf(site)).toEqual({
    '': [],
    'docs/guide.html': LINKS,
    'moved.html': [['canonical', `${URL_OF_SITE}docs/guide.html`, undefined]],
    'old.html': [['canonical', `${URL_OF_SITE}docs/guide.html`, undefined], ...LINKS],
  });
  expect(edited?.pages).toBe('htmlLinks' in config ? 3 : undefined);
});

test('stand behind those that are configured, once each', async () => {
  const site = make();
  const own = { rel: 'license', href: 'https://licenses.example/by?a=1&b=2' };
  await run(site, { links: () => [own, { rel: 'via', href: '/source' }], type: { '*.html': 'text/x-page' } });
  expect(linksOf(site)['docs/guide.html']).toEqual([
    ['license', own.href, undefined],
    ['via', `${URL_OF_SITE}source`, undefined],
    ...LINKS.filter(([rel]) => rel !== 'license'),
  ]);
  expect(readTree(site)['resourcesync/resourcelist.xml']).toContain('type="text/x-page"');
});

test('stand in the manifest of a dump, too, and an audit finds nothing wrong', async () => {
  const site = make();
  await run(site, { dumps: true });
  const manifest =
    Object.entries(readTree(site)).find(([path]) => /resourcedump-.*\.xml$/.test(path))?.[1] ?? '';
  expect(manifest).toContain('<rs:ln rel="collection" href="https://example.org/all/#top"/>');
  const { findings } = await audit({ source: site });
  expect(findings.filter(({ code }) => code !== 'describedby-missing')).toEqual([]);
});

test('robots.txt names the sitemap of the site before the Resource List', async () => {
  const sitemap =
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>';
  const site = makeSite({ 'index.html': 'x', 'sitemap.xml': sitemap, 'sitemap_index.xml': '<html></html>' });
  const config = { pageLinks: false, robots: true };
  await run(site, config);
  const lines = `Sitemap: ${URL_OF_SITE}sitemap.xml\nSitemap: ${URL_OF_SITE}resourcesync/resourcelist.xml\n`;
  expect(readTree(site)['robots.txt']).toBe(lines);
  expect((await run(site, config)).edited?.files).toEqual([]);
});
