/** Redirect rules mean what the hosts that read them document. */

import { expect, test } from 'vitest';
import type { AddressAnswer } from '../../../src/paths/redirects/answer.js';
import { followAddresses, type RedirectingSite } from '../../../src/paths/redirects/follow.js';
import { proposeRedirect, type RedirectForm } from '../../../src/paths/redirects/propose.js';
import {
  type CompiledRules,
  compileRules,
  readNetlifyTables,
  readRedirectLines,
  readVercelEntries,
} from '../../../src/paths/redirects/read.js';
import { findRule, indexRules } from '../../../src/paths/redirects/rule.js';
import type { UrlStyle } from '../../../src/paths/urls.js';

const ORIGIN = 'https://example.org';
const URL_OF_SITE = `${ORIGIN}/`;
type LineHost = 'netlify' | 'cloudflare';

const find = ({ rules }: CompiledRules, path: string, exists = false) =>
  findRule(indexRules(rules), path, exists)?.target ?? '-';

/** Host, lines, path, target of the rule that answers. A `+` before the path: a page exists there. */
const LINES: readonly (readonly [LineHost, string, string, string])[] = [
  // Netlify: Redirects and rewrites; Redirect options.
  ['netlify', '/home /', '/home', '/'],
  ['netlify', '# /home /x\n/home /  # a comment', '/home', '/'],
  ['netlify', '/blog/my-post.php /blog/my-post', '/blog/my-post.php', '/blog/my-post'],
  ['netlify', '/cuties https://www.petsofnetlify.com', '/cuties', 'https://www.petsofnetlify.com'],
  ['netlify', '/authors/c%c3%a9line /authors/about', '/authors/c%C3%A9line', '/authors/about'],
  ['netlify', '/Home /', '/home', '-'],
  ['netlify', '/news/* /blog/:splat', '/news/2004/01/10/my-story', '/blog/2004/01/10/my-story'],
  ['netlify', '/news/* /blog/:splat', '/news', '/blog/'],
  ['netlify', '/news/* /blog/:splat', '/newsroom', '-'],
  [
    'netlify',
    '/news/:month/:date/:year/:slug /blog/:year/:month/:date/:slug',
    '/news/02/12/2004/my-story',
    '/blog/2004/02/12/my-story',
  ],
  ['netlify', '/news/:slug /blog/:slug', '/news/a/b', '-'],
  [
    'netlify',
    '/jobs/customer-ninja /careers/support\n/jobs/* /careers/:splat',
    '/jobs/customer-ninja',
    '/careers/support',
  ],
  [
    'netlify',
    '/jobs/* /careers/:splat\n/jobs/outdated /careers/filled',
    '/jobs/outdated',
    '/careers/outdated',
  ],
  ['netlify', '/jobs/*.html /careers', '/jobs/a.html', '-'],
  ['netlify', '/jobs/:name.html /careers', '/jobs/a.html', '-'],
  ['netlify', '/jobs/*/apply /careers/:splat', '/jobs/it/ops/apply', '/careers/it/ops'],
  ['netlify', '/jobs/*/apply /careers/:splat', '/jobs/apply', '/careers/'],
  // The files of Redux and Babel.
  ['netlify', '/docs/api/Store.html* /api/store:splat', '/docs/api/Store.html', '/api/store'],
  [
    'netlify',
    '/docs/plugins/preset-* /docs/babel-preset-:splat',
    '/docs/plugins/preset-a/b',
    '/docs/babel-preset-a/b',
  ],
  ['netlify', '/docs/plugins/preset-* /docs/babel-preset-:splat', '/docs/plugins', '-'],
  ['netlify', '/v2/* https://v2.vuejs.org/:splat?from=v3', '/v2/api', 'https://v2.vuejs.org/api?from=v3'],
  [
    'netlify',
    '/blog/title-with-a-typo /blog/typo-free-title',
    '/blog/title-with-a-typo/',
    '/blog/typo-free-title',
  ],
  [
    'netlify',
    '/blog/title-with-a-typo/ /blog/typo-free-title',
    '/blog/title-with-a-typo',
    '/blog/typo-free-title',
  ],
  ['netlify', '/best-pets/dogs /best-pets/cats.html 200', '+/best-pets/dogs', '-'],
  ['netlify', '/best-pets/dogs /best-pets/cats.html 200!', '+/best-pets/dogs', '/best-pets/cats.html'],
  ['netlify', '/store id=:id /blog/:id 301', '/store', '-'],
  ['netlify', '/ /anz 302 Country=au,nz', '/', '-'],
  ['netlify', '/israel/* /israel/he/:splat 302 Language=he', '/israel/a', '-'],
  ['netlify', '/admin/* 200! Role=admin', '/admin/a', '-'],
  ['netlify', '/admin/* 200', '/admin/a', '/admin/a'],
  ['netlify', '/admin/* 200\n/admin/a /b', '/admin/a', '/admin/a'],
  ['netlify', `${ORIGIN}/a/* /b/:splat 301!`, '/a/x', '/b/x'],
  ['netlify', 'http://blog.example.com/* https://www.example.com/blog/:splat 301!', '/a', '-'],
  ['netlify', '/* /index.html 200', '/anything', '-'],
  // Cloudflare Pages: Redirects.
  ['cloudflare', '/home301 / 301', '/home301', '/'],
  ['cloudflare', '/querystrings /?query=string 301', '/querystrings', '/?query=string'],
  ['cloudflare', '/twitch https://twitch.tv', '/twitch', 'https://twitch.tv'],
  ['cloudflare', '/trailing /trailing/ 301', '/trailing', '/trailing/'],
  ['cloudflare', '/trailing /trailing/ 301', '/trailing/', '-'],
  ['cloudflare', '/notrailing/ /nottrailing 301', '/notrailing/', '/nottrailing'],
  ['cloudflare', '/page/ /page2/#fragment 301', '/page/', '/page2/#fragment'],
  ['cloudflare', '/blog/* https://blog.my.domain/:splat', '/blog/a/b', 'https://blog.my.domain/a/b'],
  ['cloudflare', '/blog/* https://blog.my.domain/:splat', '/blog', '-'],
  [
    'cloudflare',
    '/products/:code/:name /products?code=:code&name=:name',
    '/products/1/hat',
    '/products?code=1&name=hat',
  ],
  ['cloudflare', '/movies/:title /media/:title', '/movies/a/b', '-'],
  ['cloudflare', '/:name.:end /b/:name', '/xy', '-'],
  ['cloudflare', '/a/*/end /b/:splat', '/a/x/y/end', '/b/x/y'],
  ['cloudflare', '/taken /other', '+/taken', '/other'],
  ['cloudflare', '/a /first\n/a /second', '/a', '/first'],
  ['cloudflare', '/a /b 404', '/a', '-'],
  ['cloudflare', '/a /b 301!', '/a', '-'],
  ['cloudflare', '/a /b 301 Language=de', '/a', '-'],
  ['cloudflare', '/a http://other.example/', '/a', '-'],
  ['cloudflare', '/a?x=1 /b', '/a', '/b'],
  ['cloudflare', '/a%3Ab/ /b', '/a:b/', '-'],
  ['cloudflare', '/12:30/ /b', '/12:30/', '/b'],
  ['cloudflare', '/café /b', '/caf%C3%A9', '/b'],
  ['cloudflare', '/* /index.html 301', '/a', '-'],
  ['cloudflare', '/a/* https://other.example/:splat 200', '/a/b', '-'],
  ['cloudflare', `${ORIGIN}/a /b`, '/a', '-'],
];

test.each(LINES)('%s: %s answers %s with %s', (host, lines, path, target) => {
  const exists = path.startsWith('+');
  expect(find(compileRules(readRedirectLines(lines, host), ORIGIN), path.replace('+', ''), exists)).toBe(
    target,
  );
});

/** Vercel: project configuration, `redirects`. */
const ENTRIES: readonly (readonly [object, string, string])[] = [
  [{ source: '/me', destination: '/profile.html' }, '/me', '/profile.html'],
  [{ source: '/me', destination: '/profile.html' }, '/me/', '-'],
  [{ source: '/blog/:path*', destination: '/news/:path*' }, '/blog/a/b', '/news/a/b'],
  [{ source: '/blog/:path*', destination: '/news/:path*' }, '/blog', '/news/'],
  [{ source: '/post/:id(\\d{1,})', destination: '/news/:id' }, '/post/12', '/news/12'],
  [{ source: '/post/:id(\\d{1,})', destination: '/news/:id' }, '/post/a', '-'],
  [{ source: '/a\\.html', destination: '/b' }, '/a.html', '/b'],
  [{ source: '/(.*)\\.html', destination: '/$1' }, '/a/b.html', '/a/b'],
  [{ source: '/:name.:end', destination: '/b/:name' }, '/a.c', '/b/a'],
  [{ source: '/((?!api/|(?:_next/(?:static|image))).*)', destination: '/v2/$1' }, '/a/b', '/v2/a/b'],
  [{ source: '/((?!api/|(?:_next/(?:static|image))).*)', destination: '/v2/$1' }, '/_next/image', '-'],
  [{ source: '/docs(/|)', destination: '/docs/welcome' }, '/docs/', '/docs/welcome'],
  [{ source: '/enums/:path((?!_x_).*)', destination: '/enums/_x_:path*' }, '/enums/a/b', '/enums/_x_a/b'],
  [{ source: '/enums/:path((?!_x_).*)', destination: '/enums/_x_:path*' }, '/enums/_x_a', '-'],
  [{ source: '/:lang/(.*)', destination: '/$2?lang=$1' }, '/en/a/b', '/a/b?lang=en'],
  [{ source: '/a.:end?', destination: '/b' }, '/a', '/b'],
  [{ source: '/keto/(|v0.5/)engines', destination: '/k/$1x' }, '/keto/v0.5/engines', '/k/v0.5/x'],
  [{ source: '/a', destination: '/b', has: [{ type: 'host', value: 'x' }] }, '/a', '-'],
];

test.each(ENTRIES)('vercel: %j answers %s with %s', (entry, path, target) => {
  expect(find(compileRules(readVercelEntries([entry]), ORIGIN), path)).toBe(target);
});

test.each([
  '/:a0-:a1-:a2-:a3-:a4-:a5-:a6-:a7-:a8-:a9-x',
  `${Array.from({ length: 30 }, (_, index) => `/:a${index}?`).join('')}/x`,
])('vercel: %s ends although it has no expression of its own', (source) => {
  const { rules } = compileRules(readVercelEntries([{ source, destination: '/' }]), ORIGIN);
  expect(rules).toHaveLength(1);
  for (const path of [`/${'-'.repeat(200)}`, '/-'.repeat(40)])
    try {
      expect(followAll([path], { rules })).toEqual([{ kind: 'gone' }]);
    } catch (error) {
      expect(error).toMatchObject({ code: 'redirects-unreadable' });
    }
});

test('cloudflare ignores more than 2,000 plain and 100 other rules', () => {
  const lines = [
    ...Array.from({ length: 2_001 }, (_, index) => `/p${index} /x`),
    ...Array.from({ length: 100 }, (_, index) => `/w${index}/* /x`),
    '/last /x',
  ].join('\n');
  const read = compileRules(readRedirectLines(lines, 'cloudflare'), ORIGIN);
  expect(read.rules).toHaveLength(2_100);
  expect(read.unread).toEqual(['_redirects:2001', '_redirects:2102']);
});

test('tables of netlify.toml are read like lines', () => {
  const tables = [
    { from: '/only', to: '/x', conditions: { Country: ['au'] } },
    { from: '/only', to: '/y', status: 302 },
    { from: '/taken', to: '/z', force: true },
    { from: 1, to: '/z' },
  ];
  const read = compileRules(readNetlifyTables(tables), ORIGIN);
  expect(find(read, '/only')).toBe('/y');
  expect(find(read, '/taken', true)).toBe('/z');
  expect(read.unread).toEqual(['netlify.toml:4']);
});

test('lines that no host understands are named', () => {
  const read = compileRules(readRedirectLines('/a\n/a /b nonsense\nx /b\n/good /b\n', 'netlify'), ORIGIN);
  expect(read.unread).toEqual(['_redirects:1', '_redirects:2', '_redirects:3']);
  expect(find(read, '/good')).toBe('/b');
});

/** Follows addresses of a site. */
const followAll = (paths: readonly string[], more: Partial<RedirectingSite>): AddressAnswer[] =>
  followAddresses(
    paths.map((path) => ORIGIN + path),
    {
      url: URL_OF_SITE,
      urls: 'directory',
      has: () => false,
      leadOf: () => undefined,
      rules: [],
      trailingSlash: undefined,
      ...more,
    },
  ).map(([, answer]) => answer);

/** Follows an address of a site with some pages. */
function follow(
  lines: string,
  path: string,
  pages: readonly string[],
  urls: UrlStyle = 'directory',
): AddressAnswer | undefined {
  const { rules } = compileRules(readRedirectLines(lines, 'netlify'), ORIGIN);
  const has = (uri: string) => pages.includes(uri.slice(ORIGIN.length));
  const leads = new Map([
    ['/lead/', '/new/'],
    ['/reload/', '/reload/#part'],
    ['/lost/', '/nowhere/'],
  ]);
  const leadOf = (uri: string) => leads.get(uri.slice(ORIGIN.length));
  return followAll([path], { urls, has, leadOf, rules })[0];
}

const to = (path: string, by = '_redirects:1', leaves = false) => ({
  kind: 'redirected',
  to: path.startsWith('/') ? ORIGIN + path : path,
  by,
  leaves,
});
const dead = (path: string, reason: string, by = '_redirects:1') => ({
  kind: 'nowhere',
  to: ORIGIN + path,
  by,
  reason,
});
const chain = (count: number) =>
  Array.from({ length: count }, (_, index) => `/h${index}/ /h${index + 1}/`).join('\n');

const WAYS: readonly (readonly [string, string, string, readonly string[], object])[] = [
  ['one hop', '/old/ /new/', '/old/', ['/new/'], to('/new/')],
  ['a chain', '/a/ /b/\n/b/ /c/\n/c/ /new/', '/a/', ['/new/'], to('/new/')],
  ['ten hops', chain(10), '/h0/', ['/h10/'], to('/h10/')],
  ['eleven hops', chain(11), '/h0/', ['/h11/'], dead('/h11/', 'hops')],
  ['a circle', '/a/ /b/\n/b/ /a/', '/a/', [], dead('/a/', 'circle')],
  ['itself', '/a/* /a/:splat 301!', '/a/x/', [], dead('/a/x/', 'circle')],
  ['a slash alone', '/a/ /a 301!', '/a/', [], dead('/a', 'circle')],
  ['nothing', '/old/ /new/', '/old/', [], dead('/new/', 'gone')],
  [
    'another site',
    '/old/* https://other.example/:splat',
    '/old/x',
    [],
    to('https://other.example/x', '_redirects:1', true),
  ],
  ['a fragment', '/old/ /new/#part', '/old/', ['/new/'], to('/new/')],
  ['no slash', '/old/ /new', '/old/', ['/new/'], to('/new/')],
  ['a rewrite', '/old/ /new/ 200\n/new/ /elsewhere/ 301!', '/old/', ['/new/'], to('/new/')],
  ['a page that redirects', '', '/lead/', ['/lead/', '/new/'], to('/new/', `${ORIGIN}/lead/`)],
  [
    'a page that redirects to nothing',
    '',
    '/lost/',
    ['/lost/'],
    dead('/nowhere/', 'gone', `${ORIGIN}/lost/`),
  ],
  ['a page that loads itself again', '', '/reload/', ['/reload/'], { kind: 'there' }],
  ['a rule, then a page', '/old/ /lead/', '/old/', ['/lead/', '/new/'], to('/new/')],
  ['a page that exists', '/new/ /x/', '/new/', ['/new/'], { kind: 'there' }],
  ['the error page', '/* /404.html 404', '/old/', ['/404.html'], { kind: 'gone' }],
  ['a page that the host hides', '/new/* /404.html 404!', '/new/', ['/new/'], { kind: 'gone' }],
  ['a redirect to it', '/old/ /new/\n/new/ /404.html 404!', '/old/', ['/new/'], dead('/new/', 'gone')],
  ['given up by the host', '/old/ /410.html 410', '/old/', [], { kind: 'withdrawn' }],
];

test.each(WAYS)('%s', (_, lines, path, pages, answer) => {
  expect(follow(lines, path, pages)).toEqual(answer);
});

test('a site is found below its URL, however that is spelled', () => {
  const url = `${ORIGIN}/%7Eme/`;
  const { rules } = compileRules(readRedirectLines('/~me/old/ /~me/new/', 'netlify'), ORIGIN);
  const has = (uri: string) => uri === `${ORIGIN}/~me/new/`;
  expect(followAll(['/%7Eme/old/', '/%7Eme/new'], { url, has, rules })).toEqual([
    to('/~me/new/'),
    { kind: 'there' },
  ]);
});

test('tens of thousands of rules answer as many addresses, whatever folder these have in common', () => {
  const paths = Array.from({ length: 20_000 }, (_, index) => `/blog/2019/archive/posts/${index}`);
  const lines = paths.map((path) => `${path} /new/`).join('\n');
  const { rules } = compileRules(readRedirectLines(lines, 'netlify'), ORIGIN);
  const answers = followAll(paths, { has: (uri) => uri === `${ORIGIN}/new/`, rules });
  expect(answers.filter(({ kind }) => kind === 'redirected')).toHaveLength(paths.length);
});

/** Style, address, page that the host serves for it. */
const STYLES: readonly (readonly [UrlStyle, string, string, boolean])[] = [
  ['directory', '/a', '/a/', true],
  ['directory', '/a/index.html', '/a/', true],
  ['directory', '/a/', '/a.html', false],
  ['directory', '/A/', '/a/', false],
  ['clean', '/a.html', '/a', true],
  ['clean', '/a', '/a/', true],
  ['clean', '/a/', '/a', false],
  ['bare', '/a/', '/a', true],
  ['bare', '/a/index.html', '/a', true],
  ['file', '/a/', '/a/index.html', true],
  ['file', '/a', '/a/index.html', true],
  ['file', '/a', '/a.html', false],
];

test.each(STYLES)('with %s, %s is %s: %s', (urls, address, page, isSame) => {
  expect(follow('', address, [page], urls)?.kind).toBe(isSame ? 'there' : 'gone');
  expect(follow(`/old ${address}`, '/old', [page], urls)?.kind).toBe(isSame ? 'redirected' : 'nowhere');
});

/** `trailingSlash` of Vercel, style, source of a rule, address that was published, answer. */
const SLASHES: readonly (readonly [boolean | undefined, UrlStyle, string, string, string])[] = [
  [false, 'directory', '/old', '/old/', 'redirected'],
  [false, 'directory', '/old/', '/old', 'gone'],
  [true, 'directory', '/old/', '/old', 'redirected'],
  [true, 'directory', '/old', '/old/', 'gone'],
  [true, 'file', '/old.html', '/old.html/', 'redirected'],
  [undefined, 'directory', '/old', '/old/', 'gone'],
  [false, 'directory', '/x', '/new/', 'there'],
  [true, 'clean', '/x', '/page/', 'there'],
  [false, 'clean', '/x', '/page/', 'there'],
];

test.each(SLASHES)('with trailingSlash %s in style %s, %s and %s: %s', (slash, urls, source, path, kind) => {
  const { rules } = compileRules(readVercelEntries([{ source, destination: '/new/' }]), ORIGIN);
  const has = (uri: string) => ['/new/', '/page'].includes(uri.slice(ORIGIN.length));
  expect(followAll([path], { urls, has, rules, trailingSlash: slash })).toMatchObject([{ kind }]);
});

test.each(['/a{/:b}?', '/a*', '/a(b', `/:x${'('.repeat(9)}y${')'.repeat(9)}`, '/:x/:x', '/:x([)'])(
  'vercel: %s is not understood',
  (source) => {
    const { rules, unread } = compileRules(readVercelEntries([{ source, destination: '/' }]), ORIGIN);
    expect({ rules, unread }).toEqual({ rules: [], unread: ['vercel.json:1'] });
  },
);

test('netlify: a rule without a target is understood if it ends with a wildcard and shows what it matches', () => {
  const lines = '/a/* 200\n/b/* 200! Role=admin\n/c/* 301\n/d 200\n/e/* 404\n';
  expect(compileRules(readRedirectLines(lines, 'netlify'), ORIGIN).unread).toEqual(
    [3, 4, 5].map((line) => `_redirects:${line}`),
  );
  const tables = [{ from: '/a/*', status: 200 }, { from: '/b/*' }];
  expect(compileRules(readNetlifyTables(tables), ORIGIN).unread).toEqual(['netlify.toml:2']);
  expect(follow('/a/* 200', '/a/b/', [])).toEqual({ kind: 'gone' });
  expect(follow('/a/* 200!', '/a/b/', ['/a/b/'])).toEqual({ kind: 'there' });
});

const READERS = {
  netlify: (text: string) => compileRules(readRedirectLines(text, 'netlify'), ORIGIN),
  cloudflare: (text: string) => compileRules(readRedirectLines(text, 'cloudflare'), ORIGIN),
  vercel: (text: string) => compileRules(readVercelEntries([JSON.parse(text)]), ORIGIN),
};

/** A path, and whether only a page can redirect it on hosts that read lines. */
test.each([
  ['/old/', false],
  ['/a%20b', false],
  ['/12:30/', false],
  ['/(1)/?', false],
  ['/caf%C3%A9', false],
  ['/$1/', false],
  ['/a:b/', true],
  ['/:5/', true],
  ['/x*y', true],
] as const)('a redirect from %s that is proposed works when it is pasted', (path, takesPage) => {
  const from = new URL(path, URL_OF_SITE).href;
  for (const host of ['netlify', 'cloudflare', 'vercel'] as const) {
    const form: RedirectForm = host === 'vercel' ? 'vercel.json' : '_redirects';
    const { file = '', text = '' } = proposeRedirect(form, from, `${ORIGIN}/new/`, 'old.html') ?? {};
    if (takesPage && form === '_redirects') expect(file).toBe('old.html');
    else expect(find(READERS[host](text), new URL(from).pathname), text).toBe('/new/');
  }
});

test('no page is proposed in the place of another file', () => {
  expect(proposeRedirect('page', `${ORIGIN}/a.png`, `${ORIGIN}/b.png`, 'a.png')).toBeUndefined();
});
