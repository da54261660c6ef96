/** The URL style against what a site says of its own URLs. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { describe as describeSite, type UserConfig } from '../../src/index.js';
import { SITE_URL } from '../support/command.js';
import { makeRepository } from '../support/git.js';
import { serve } from '../support/server.js';
import { below, callCli, makeSite } from '../support/site.js';

const page = (canonical: string, head = '') =>
  `<!doctype html><html><head><title>A page</title>${head}<link rel="canonical" href="${canonical}"></head><body>x</body></html>`;
const at = (path: string) => SITE_URL + path;
const sitemap = (...paths: string[]) =>
  `<?xml version="1.0"?>\n<urlset>${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join('\n')}</urlset>`;

/** As Docusaurus writes it by default. */
const BARE = {
  'index.html': page(at('')),
  'blog/index.html': page(at('blog')),
  'docs/intro/index.html': page(at('docs/intro')),
};

async function contradictionsOf(files: Readonly<Record<string, string>>, more: Partial<UserConfig> = {}) {
  const site = makeSite(files);
  const { notices } = await describeSite({ site, url: SITE_URL, history: 'none', ...more });
  return notices.filter(({ code }) => code === 'urls-contradicted');
}

describe('a notice', () => {
  test('names the style that canonical links have', async () => {
    expect(await contradictionsOf(BARE)).toEqual([
      {
        code: 'urls-contradicted',
        severity: 'warning',
        source: 'canonical',
        count: 2,
        checked: 2,
        said: at('blog'),
        listed: at('blog/'),
        style: 'bare',
      },
    ]);
    expect(await contradictionsOf(BARE, { urls: 'bare' })).toEqual([]);
  });

  test('takes no sitemap that we wrote for the word of the site', async () => {
    const config = {
      site: makeSite({ ...BARE, 'x/index.html': 'x' }),
      url: SITE_URL,
      history: 'none',
    } as const;
    for (const run of ['first', 'second']) {
      const { notices } = await describeSite({ ...config, sitemap: true });
      const found = notices.filter(({ code }) => code === 'urls-contradicted');
      expect(found, run).toMatchObject([{ source: 'canonical', count: 2 }]);
    }
  });

  test('names the style that the sitemap has, which is read first', async () => {
    const files = {
      'index.html': 'home',
      'about.html': page(at('about.html')),
      'notes/a.html': 'a',
      'sitemap.xml': sitemap('', 'about', 'notes/a', 'elsewhere'),
    };
    const [notice, ...others] = await contradictionsOf(files);
    expect(notice).toMatchObject({
      source: 'sitemap',
      count: 2,
      checked: 2,
      style: 'clean',
      said: at('about'),
    });
    expect(others).toEqual([]);
    expect(await contradictionsOf(files, { urls: 'clean' })).toEqual([]);
  });

  const ELSEWHERE = 'https://example.net/';
  const PAGES = { 'index.html': page(ELSEWHERE), 'a/index.html': page(`${ELSEWHERE}a/`) };
  const MAP = `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${ELSEWHERE}</loc></url></urlset>`;

  test.each<[what: string, source: string, files: Record<string, string>, more: Partial<UserConfig>]>([
    ['in canonical links', 'canonical', PAGES, {}],
    [
      'in canonical links, with a sitemap of ours and robots.txt',
      'canonical',
      PAGES,
      { sitemap: true, robots: true },
    ],
    ['by http', 'canonical', { 'index.html': page(SITE_URL.replace('https', 'http')) }, { sitemap: true }],
    [
      'in the sitemap of a generator',
      'sitemap',
      { 'index.html': 'home', 'sitemap.xml': MAP },
      { sitemap: true },
    ],
    ['in both', 'sitemap', { ...PAGES, 'sitemap.xml': MAP }, { sitemap: true }],
  ])('names another address %s, and no consequence of it', async (_, source, files, more) => {
    const site = makeSite(files, makeRepository());
    const config = { site, url: SITE_URL, history: 'snapshots', record: true, ...more } as const;
    const { notices } = await describeSite(config);
    const codes = ['urls-contradicted', 'canonical-elsewhere', 'sitemap-pages-unlisted'];
    const found = notices.filter(({ code }) => codes.includes(code));
    const said =
      files['index.html'] === 'home' ? ELSEWHERE : /href="([^"]+)/.exec(files['index.html'] ?? '')?.[1];
    expect(found).toMatchObject([{ code: 'urls-contradicted', source, said, listed: SITE_URL }]);
    expect(found[0]).not.toHaveProperty('style');
  });

  test('is on the terminal, with the flag that cures it; with it, there is none', async () => {
    const cwd = makeSite(below('dist', BARE));
    const { stderr } = await callCli(['dist', '--url', SITE_URL], { cwd });
    expect(stderr).toMatch(
      /^Warning The site \(rel="canonical" in its pages\) gives 2 of 2 pages another URL .*: https:\/\/example\.org\/blog instead of https:\/\/example\.org\/blog\/\. .*--urls bare/m,
    );
    const cured = await callCli(['dist', '--url', SITE_URL, '--urls', 'bare'], { cwd });
    expect(cured.stderr).not.toContain('another URL');
  });

  test.each<[string, Record<string, string>]>([
    ['canonical links that agree', { 'a/index.html': page(at('a/')), 'b.html': page('/b.html') }],
    [
      'a page that is a copy of another one',
      { 'a/index.html': page(at('b/')), 'b/index.html': page(at('b/')) },
    ],
    [
      'a canonical link on another host',
      { 'a/index.html': page('https://example.net/a'), 'b/index.html': 'b' },
    ],
    [
      'most pages that agree',
      { 'a/index.html': page('/a/'), 'b/index.html': page('/b/'), 'c/index.html': page('/c') },
    ],
    ['a base that makes it right', { 'a/index.html': page('a/', `<base href="${SITE_URL}">`) }],
    ['a home page alone', { 'index.html': page(at('index.html')) }],
    ['a sitemap that is another file', { 'a.html': 'a', 'sitemap.xml': 'no sitemap' }],
    ['an outdated sitemap', { 'index.html': 'home', 'sitemap.xml': sitemap('old/', 'older/') }],
    ['a sitemap without absolute URLs', { 'a.html': 'a', 'sitemap.xml': '<urlset><loc>/b/</loc></urlset>' }],
  ])('is not told for %s', async (_, files) => {
    expect(await contradictionsOf(files)).toEqual([]);
  });
});

test('the audit of a live site finds it, and the right style ends it', async () => {
  for (const [urls, count] of [
    ['directory', 2],
    ['bare', 0],
  ] as const) {
    const site = makeSite({});
    // As hosts do that serve folders without a slash.
    const source = await serve(site, (path, response) => {
      const file = join(site, path, 'index.html');
      if (path.endsWith('/') || !existsSync(file)) return false;
      response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync(file));
      return true;
    });
    for (const [path, text] of Object.entries(BARE))
      makeSite({ [path]: text.replace(SITE_URL, source) }, site);
    await describeSite({ site, url: source, urls, history: 'none' });
    const { findings } = await audit({ source });
    const found = findings.find(({ code }) => code === 'canonical-differs');
    expect(found?.count ?? 0).toBe(count);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  }
});
