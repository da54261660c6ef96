/** Discovery, through the command line: what it edits, what it leaves, and that it is listed as it is served. */

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from '../support/documents.js';
import { callCli, configured, makeFolder, makeSite, readTree, stampsOf } from '../support/site.js';

const URL_OF_SITE = 'https://example.org/';
const makeAll = () => ['--robots', ...configured({ headers: 'cloudflare', htmlLinks: true })];
const PAGE = '<!doctype html><html><head><title>A</title></head><body>A</body></html>\n';
const OTHER_SOURCE = '<link rel="resourcesync" href="https://example.net/resourcesync/capabilitylist.xml">';

const run = (site: string, args: readonly string[], cwd = site) =>
  callCli([site, '--url', URL_OF_SITE, ...args], { cwd, env: { SOURCE_DATE_EPOCH: '1700000000' } });

const linkTo = (set = '') =>
  `<link rel="resourcesync" href="https://example.org/resourcesync/${set}capabilitylist.xml">`;
const withLink = (page: string, tags = linkTo()) => page.replace('<head>', `<head>${tags}`);

/** Nothing is listed but what stands there, and all of it as it stands there. */
function expectHashes(site: string, url = URL_OF_SITE): void {
  for (const { uri, md } of readSource(site, url).sets.flatMap(({ resources }) => resources)) {
    const path = decodeURIComponent(uri.slice(url.length)).replace(/^$|\/$/, '$&index.html');
    const digest = createHash('md5')
      .update(readFileSync(join(site, path)))
      .digest('hex');
    expect(`${path} ${md['hash']}`).toContain(`${path} md5:${digest}`);
  }
}

test('is off by default', async () => {
  const site = makeSite({ 'index.html': PAGE, 'robots.txt': 'User-agent: *\n', _headers: '/a\n  X-A: 1\n' });
  const before = readTree(site);
  const { status } = await run(site, []);
  expect(status).toBe(0);
  expect(readTree(site)).toMatchObject(before);
});

test('edits before anything is read, and a second run edits nothing', async () => {
  const site = makeSite({
    'index.html': PAGE,
    'notes/ö.htm': PAGE,
    '404.html': PAGE,
    'drafts/a.html': PAGE,
    'a.xhtml': PAGE,
    'robots.txt': 'User-agent: *\r\nAllow: /',
  });
  chmodSync(join(site, 'index.html'), 0o640);
  const args = [...makeAll(), '--exclude', 'drafts'];

  const first = await run(site, [...args, '--verbose']);
  expect(first).toMatchObject({ status: 0 });
  expect(first.stdout).toMatch(/^Edited {3}2 pages, robots\.txt, _headers$/m);
  expect(first.stdout).toMatch(/^(?:.* · )?discovery \d/m);
  const link = 'Link: <https://example.org/resourcesync/capabilitylist.xml>; rel="resourcesync"';
  expect(readTree(site)).toMatchObject({
    'index.html': withLink(PAGE),
    'notes/ö.htm': withLink(PAGE),
    '404.html': PAGE,
    'drafts/a.html': PAGE,
    'a.xhtml': PAGE,
    'robots.txt':
      'User-agent: *\r\nAllow: /\r\nSitemap: https://example.org/resourcesync/resourcelist.xml\r\n',
    // robots.txt and a.xhtml, which the host serves too, are resources like any other.
    _headers: `/.well-known/resourcesync\n  Content-Type: application/xml\n/a.xhtml\n  ${link}\n/\n  ${link}\n/notes/*\n  ${link}\n/robots.txt\n  ${link}\n`,
  });
  expect(statSync(join(site, 'index.html')).mode & 0o777).toBe(0o640);
  expect(existsSync(join(site, '.resync-static'))).toBe(false);
  expectHashes(site);

  const stamps = stampsOf(site);
  const second = await run(site, args);
  expect(second).toMatchObject({ status: 0 });
  expect(second.stdout).not.toContain('Edited');
  expect(stampsOf(site)).toEqual(stamps);
});

test('links a page to the sets that hold it, and lists every set', async () => {
  const site = makeSite({
    'index.html': PAGE,
    'data/index.html': PAGE,
    'data/a.csv': 'a',
    'misc/a.html': PAGE,
  });
  const sets = [
    { name: 'pages', include: ['*.html', 'data'] },
    { name: 'data', include: ['data'] },
  ];
  const config = join(makeFolder(), 'config.json');
  writeFileSync(config, JSON.stringify({ sets, robots: true, htmlLinks: true, headers: 'netlify' }));

  const { status, stdout } = await run(site, ['--config', config, '--json']);

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ edited: { pages: 2, files: ['robots.txt', '_headers'] } });
  const link = (set: string) =>
    `  Link: <https://example.org/resourcesync/${set}/capabilitylist.xml>; rel="resourcesync"\n`;
  expect(readTree(site)).toMatchObject({
    'index.html': withLink(PAGE, linkTo('pages/')),
    'data/index.html': withLink(PAGE, linkTo('pages/') + linkTo('data/')),
    'misc/a.html': PAGE,
    'robots.txt':
      'Sitemap: https://example.org/resourcesync/pages/resourcelist.xml\nSitemap: https://example.org/resourcesync/data/resourcelist.xml\n',
    _headers: `/.well-known/resourcesync\n  Content-Type: application/xml\n/data/*\n${link('pages')}${link('data')}/\n${link('pages')}`,
  });
  for (const { uri, resources } of readSource(site, URL_OF_SITE).sets) {
    const pages = resources.filter(({ uri: page }) => page.endsWith('/'));
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) {
      const path = join(site, page.uri.slice(URL_OF_SITE.length), 'index.html');
      expect(readFileSync(path, 'utf8')).toContain(`href="${uri}"`);
    }
  }

  // With other sets, what was linked before is brought up to date.
  const one = await run(site, configured({ headers: 'netlify', htmlLinks: true }));
  expect(one.stdout).toContain('Edited   3 pages, _headers\n');
  expect(readTree(site)).toMatchObject({
    'index.html': withLink(PAGE),
    'data/index.html': withLink(PAGE),
    'misc/a.html': withLink(PAGE),
    _headers: `/.well-known/resourcesync\n  Content-Type: application/xml\n/*\n${link('x').replace('x/', '')}`,
  });
});

test.each([
  ['robots.txt alone', () => ['--robots']],
  ['all of it', makeAll],
])('diff reads what a build would edit, and edits nothing: %s', async (_, makeArgs) => {
  const site = makeSite({ 'index.html': PAGE });
  const before = stampsOf(site);
  expect(await run('diff', [site, ...makeArgs(), '--history', 'none'], site)).toMatchObject({ status: 0 });
  expect(stampsOf(site)).toEqual(before);
});

test('a robots.txt that is made has its rule in _headers at once', async () => {
  const site = makeSite({ 'index.html': PAGE, 'a.txt': 'a' });
  const config = join(makeFolder(), 'config.json');
  const sets = [
    { name: 'pages', include: ['*.html'] },
    { name: 'rest', exclude: ['*.html'] },
  ];
  writeFileSync(config, JSON.stringify({ sets, robots: true, headers: 'netlify' }));
  expect(await run(site, ['--config', config])).toMatchObject({ status: 0 });
  const before = readTree(site);
  expect(before['_headers']).toContain(
    '/robots.txt\n  Link: <https://example.org/resourcesync/rest/capabilitylist.xml>; rel="resourcesync"\n',
  );
  expect(await run(site, ['--config', config])).toMatchObject({ status: 0 });
  expect(readTree(site)).toEqual(before);
});

test('tells of pages that it leaves, how many and which', async () => {
  const pages = {
    'a/latin-1.html': Buffer.from('<!doctype html><title>é</title><p>a', 'latin1'),
    'a/utf-16.html': Buffer.from('\ufeff<!doctype html><title>é</title><p>a', 'utf16le'),
    'b/other.html': `<head>${OTHER_SOURCE}</head><p>a`,
    'c/piece.html': '<p>a',
    'c/nothing.html': '',
  };
  const site = makeSite(pages);
  const before = readTree(site);
  const { status, stdout, stderr } = await run(site, [...configured({ htmlLinks: true }), '--verbose']);
  expect({ status, edited: stdout.includes('Edited') }).toEqual({ status: 0, edited: false });
  expect(readTree(site)).toMatchObject(before);
  expect(stderr).toContain(
    'htmlLinks did not change 2 pages, such as a/latin-1.html: the encoding is not UTF-8.',
  );
  expect(stderr).toContain(
    'htmlLinks did not change 1 page, such as b/other.html: there is a link to another Source already.',
  );
  expect(stderr).toContain(
    'htmlLinks did not change 2 pages, such as c/nothing.html: there is no doctype, title or head.',
  );
});

test('writes no robots.txt and _headers for a site under a path, but links pages', async () => {
  const site = makeSite({ 'index.html': PAGE });
  const url = 'https://me.github.io/repo/';
  const { status, stderr } = await callCli([site, '--url', url, ...makeAll()], { cwd: site });
  expect(status).toBe(0);
  expect(stderr).toMatch(/robots\.txt works only at the root of a host/);
  expect(stderr).toMatch(/_headers works only at the root of a host/);
  const href = `${url}resourcesync/capabilitylist.xml`;
  expect(readTree(site)).toMatchObject({
    'index.html': withLink(PAGE, `<link rel="resourcesync" href="${href}">`),
  });
  expect(Object.keys(readTree(site))).not.toContain('robots.txt');
  expect(Object.keys(readTree(site))).not.toContain('_headers');
  expectHashes(site, url);
});

const rules = (count: number) =>
  Array.from({ length: count }, (_, index) => `/${index}\n  X-A: 1\n`).join('');

test.each<[what: string, files: Record<string, string>, host: string, status: number, message: RegExp]>([
  ['98 rules are there', { _headers: rules(98) }, 'cloudflare', 0, /^/],
  ['99 rules are there', { _headers: rules(99) }, 'cloudflare', 1, /101 rules; cloudflare takes 100/],
  ['any number is there', { _headers: rules(200) }, 'netlify', 0, /^/],
  ['a line is long', { _headers: `/a\n  X-A: ${'a'.repeat(2000)}\n` }, 'cloudflare', 1, /2005 characters/],
  ['it is not text', { _headers: '/a\0' }, 'netlify', 1, /_headers is not text in UTF-8/],
  ['it is a folder', { '_headers/a.txt': '' }, 'netlify', 1, /_headers is not a regular file/],
  ['the host is unknown', {}, 'netlfy', 2, /headers must be one of netlify.*Did you mean netlify/],
])('_headers where %s', async (_, files, host, status, message) => {
  const site = makeSite({ 'index.html': PAGE, ...files });
  const before = readTree(site);
  const outcome = await run(site, configured({ headers: host }));
  expect(outcome.stderr).toMatch(message);
  expect(outcome.status).toBe(status);
  if (status > 0) expect(readTree(site)).toEqual(before);
});

// Windows lets only some users make symbolic links.
test.runIf(process.platform !== 'win32')('follows no symbolic link', async () => {
  const elsewhere = makeSite({ 'page.html': PAGE, 'robots.txt': 'A: b\n' });
  const site = makeSite({ 'index.html': PAGE });
  symlinkSync(join(elsewhere, 'page.html'), join(site, 'linked.html'));
  expect(await run(site, configured({ htmlLinks: true }))).toMatchObject({ status: 0 });
  symlinkSync(join(elsewhere, 'robots.txt'), join(site, 'robots.txt'));
  const outcome = await run(site, ['--robots']);
  expect(outcome).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('robots.txt is not a regular file'),
  });
  expect(readTree(elsewhere)).toEqual({ 'page.html': PAGE, 'robots.txt': 'A: b\n' });
});
