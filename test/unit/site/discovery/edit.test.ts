/** Edits of discovery to the text of `robots.txt`, of `_headers` and of pages. */

import { describe, expect, test } from 'vitest';
import { linkPage } from '../../../../src/files/page/html.js';
import {
  addHeaders,
  type HeaderRule,
  planHubRules,
  planLinkRules,
  VERSION_RULES,
} from '../../../../src/site/discovery/headers.js';
import { addSitemaps } from '../../../../src/site/discovery/lines.js';

const URL_OF_SITE = 'https://example.org/';
const LIST = 'https://example.org/resourcesync/resourcelist.xml';

describe('robots.txt', () => {
  test.each<[what: string, before: string, after: string]>([
    ['no file', '', `Sitemap: ${LIST}\n`],
    ['no final line break', 'User-agent: *\nAllow: /', `User-agent: *\nAllow: /\nSitemap: ${LIST}\n`],
    ['CRLF', 'User-agent: *\r\nAllow: /\r\n', `User-agent: *\r\nAllow: /\r\nSitemap: ${LIST}\r\n`],
    ['a byte order mark', '\xef\xbb\xbfA: b\n', `\xef\xbb\xbfA: b\nSitemap: ${LIST}\n`],
    ['bytes of other encodings', '# caf\xe9 \xc3\xa9\n', `# caf\xe9 \xc3\xa9\nSitemap: ${LIST}\n`],
    ['the same in a comment', `# Sitemap: ${LIST}\n`, `# Sitemap: ${LIST}\nSitemap: ${LIST}\n`],
    ['a longer URL', `Sitemap: ${LIST}.gz\n`, `Sitemap: ${LIST}.gz\nSitemap: ${LIST}\n`],
  ])('%s', (_, before, after) => {
    expect(addSitemaps(before, [LIST])).toBe(after);
    expect(addSitemaps(after, [LIST])).toBe(after);
  });

  test.each([
    ['in any case, with any space, a comment behind', `A: b\r\n  SITEMAP :\t${LIST} # the list`],
    ['with a byte order mark before', `\xef\xbb\xbfsitemap:${LIST}`],
    ['with the URL spelled in another way', 'Sitemap: HTTPS://EXAMPLE.org:443/resourcesync/resourcelist.xml'],
  ])('is left as it is where the line is there: %s', (_, text) => {
    expect(addSitemaps(text, [LIST])).toBe(text);
  });

  const OWN = 'https://example.org/sitemap.xml';

  test.each([
    ['a group', 'A: b\n', `A: b\nSitemap: ${OWN}\nSitemap: ${LIST}\n`],
    ['the list already', `A: b\r\nSitemap: ${LIST}\r\n`, `A: b\r\nSitemap: ${OWN}\r\nSitemap: ${LIST}\r\n`],
    [
      'the list alone, after a mark',
      `\xef\xbb\xbfSitemap: ${LIST}`,
      `\xef\xbb\xbfSitemap: ${OWN}\nSitemap: ${LIST}`,
    ],
    ['another sitemap of the site', 'Sitemap: /other.xml\n', `Sitemap: /other.xml\nSitemap: ${LIST}\n`],
  ])('names the sitemap of the site first, where there is %s', (_, before, after) => {
    expect(addSitemaps(before, [LIST], OWN)).toBe(after);
    expect(addSitemaps(after, [LIST], OWN)).toBe(after);
  });

  test('names every list, and adds only those that are missing', () => {
    const lists = ['a', 'b', 'c'].map((name) => `https://example.org/resourcesync/${name}/resourcelist.xml`);
    expect(addSitemaps(`Sitemap: ${lists[1]}\n`, lists)).toBe(
      `Sitemap: ${lists[1]}\nSitemap: ${lists[0]}\nSitemap: ${lists[2]}\n`,
    );
  });
});

describe('rules of _headers that link', () => {
  const files = (sets: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(sets).map(([path, capabilityLists]) => ({ path, capabilityLists }));
  const plan = (sets: Readonly<Record<string, readonly string[]>>, urls: 'directory' | 'clean' = 'clean') =>
    planLinkRules(files(sets), URL_OF_SITE, urls).map(
      ({ path, headers }) => `${path} ${headers.map((header) => /<(.*)>/.exec(header)?.[1]).join(' ')}`,
    );

  test.each<[what: string, sets: Record<string, readonly string[]>, rules: string[]]>([
    ['no file', {}, []],
    ['all alike', { 'a/b.html': ['1'], 'c.html': ['1'] }, ['/* 1']],
    ['none in a set', { 'a/b.html': [], 'c.html': [] }, []],
    [
      'a folder and the rest',
      { 'data/a.csv': ['1'], 'data/b/c.csv': ['1'], 'index.html': ['2'], 'x/index.html': ['2'] },
      ['/data/* 1', '/ 2', '/x/* 2'],
    ],
    ['something left out', { 'a/b.html': ['1'], 'a/c.html': [], 'd/e.html': ['1'] }, ['/a/b 1', '/d/* 1']],
    ['a file in two sets', { 'a.html': ['1', '2'], 'b.html': ['2'] }, ['/a 1 2', '/b 2']],
    ['the same sets by another way', { 'a/x': ['1', '2'], 'b/x': ['1', '2'] }, ['/* 1 2']],
    ['names that have to be encoded', { 'ö ü/a': ['1'], 'ö ü/b': ['1'], z: [] }, ['/%C3%B6%20%C3%BC/* 1']],
  ])('%s', (_, sets, rules) => expect(plan(sets)).toEqual(rules));

  test('follow the URLs that the host serves', () => {
    const sets = { 'a.html': ['1'], 'b.html': [], 'c/index.html': ['1'] };
    expect(plan(sets, 'directory')).toEqual(['/a.html 1', '/c/* 1']);
  });

  test('take a time that grows with the site', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => [`f/${index}`, index % 2 ? ['1'] : []]);
    expect(plan(Object.fromEntries(many))).toHaveLength(25_000);
  });
});

describe('_headers', () => {
  const LINK = 'Link: <https://example.org/resourcesync/capabilitylist.xml>; rel="resourcesync"';
  const wanted: HeaderRule[] = [
    { path: '/.well-known/resourcesync', headers: ['Content-Type: application/xml'] },
    { path: '/*', headers: [LINK] },
  ];
  const typeRule = '/.well-known/resourcesync\n  Content-Type: application/xml\n';
  const linkRule = `/*\n  ${LINK}\n`;

  const both = typeRule + linkRule;
  const OLD = LINK.replace('capabilitylist', 'old/capabilitylist');
  const OTHER = LINK.replace('.org', '.net');

  test.each<[what: string, before: string, after: string]>([
    ['no file', '', both],
    [
      'no final line break, comments',
      '# mine\n\n/a\n\tX-A: 1\n  # X',
      `# mine\n\n/a\n\tX-A: 1\n  # X\n${both}`,
    ],
    ['CRLF', '/a\r\n  X-A: 1\r\n', `/a\r\n  X-A: 1\r\n${both.replaceAll('\n', '\r\n')}`],
    // Another rule with the same path would displace it.
    ['the same path', '/*\n  X-A: 1\n/a\n  X-A: 1\n', `/*\n  ${LINK}\n  X-A: 1\n/a\n  X-A: 1\n${typeRule}`],
    ['that without headers and line break', '/*', `/*\n  ${LINK}\n${typeRule}`],
    [
      'other links',
      '/*\n  Link: </a>; rel=preload\n',
      `/*\n  ${LINK}\n  Link: </a>; rel=preload\n${typeRule}`,
    ],
    ['an outdated link', `/*\n  X-A: 1\n  ${OLD}\n${typeRule}`, `/*\n  ${LINK}\n  X-A: 1\n${typeRule}`],
    ['an outdated rule', `/old/*\n  ${LINK}\n/a/*\n  X-A: 1\n  ${LINK}\n${both}`, `/a/*\n  X-A: 1\n${both}`],
    ['a link to another Source', `/*\n  ${OTHER}\n`, `/*\n  ${LINK}\n  ${OTHER}\n${typeRule}`],
    ['bytes of other encodings', '\xef\xbb\xbf# caf\xe9\n', `\xef\xbb\xbf# caf\xe9\n${both}`],
  ])('%s', (_, before, after) => {
    expect(addHeaders(before, wanted, URL_OF_SITE)).toBe(after);
    expect(addHeaders(after, wanted, URL_OF_SITE)).toBe(after);
  });

  test('a media type that somebody chose stays', () => {
    const chosen = `/.well-known/resourcesync\n  content-type: text/xml\n${linkRule}`;
    expect(addHeaders(chosen, wanted, URL_OF_SITE)).toBe(chosen);
  });

  test('of versions goes where none are wanted, but not for a part: they are of the build that joins it', () => {
    const before = addHeaders('', [...wanted, ...VERSION_RULES], URL_OF_SITE);
    expect(addHeaders(before, wanted, URL_OF_SITE)).toBe(addHeaders('', wanted, URL_OF_SITE));
    expect(addHeaders(before, wanted, URL_OF_SITE, () => false, true)).toBe(before);
  });
});

describe('a page', () => {
  const CAPABILITIES = 'https://example.org/resourcesync/capabilitylist.xml';
  const TAG = `<link rel="resourcesync" href="${CAPABILITIES}">`;
  const link = (
    page: string | Uint8Array,
    capabilityLists = [CAPABILITIES],
    uri = 'https://example.org/a/b',
  ) => {
    const outcome = linkPage(typeof page === 'string' ? Buffer.from(page) : page, {
      uri,
      capabilityLists,
      url: URL_OF_SITE,
    });
    return Buffer.isBuffer(outcome) ? outcome.toString() : outcome;
  };

  /** `|` is where the link belongs. */
  test.each([
    ['a head', '<!doctype html><html><head>|<title>A</title></head><body>a'],
    [
      'an encoding, which is to stand as far to the front as it did',
      '<head><title>A</title><meta charset=utf-8>|<p>a',
    ],
    [
      'an encoding of old',
      '<head>\n<meta http-equiv=Content-Type content="text/html; charset=UTF-8">|\n</head>a',
    ],
    ['an encoding in other quotes', "<head><meta charset='UTF8' />|</head>a"],
    ['an encoding behind the head', '<html><head></head><meta charset=utf-8>|<body>a'],
    ['no head', '<!doctype html><html>|<body>a'],
    ['no head, but a title', '<!doctype html>\n|<title>A</title><p>a'],
    ['no tag of a page but the body', '|<body>a'],
    ['no tag of a page but a title', '|<title>A</title>a'],
    ['nothing but a doctype', '<!doctype html>|<p>a'],
    [
      'comments before the head',
      '<!-- a --><!doctype html><!-- <head> --><html><!-- <head> --><head>|<title>A</title>',
    ],
    ['a comment where the head is not', '<!doctype html><!-- </head> -->|<body>a'],
    ['a link of that kind in a comment', `<head>|<!-- ${TAG} --></head>a`],
    ['a link of that kind in a script', `<head>|<script>'${TAG}'</script></head>a`],
    ['a link of that kind in a template', `<head>|<template>${TAG}</template></head>a`],
    ['a link of that kind in the body', `<head>|</head><body>${TAG}`],
    ['a byte order mark', '\ufeff<!doctype html>|<p>a'],
    ['a byte order mark that outdoes the encoding', '\ufeff<head><meta charset=latin1>|</head>a'],
    ['more bytes than characters', '<!-- ö 漢 😀 --><html title="ö 漢 😀"><head>|<title>ö 漢 😀</title>'],
  ])('%s', (_, marked) => {
    const before = marked.replace('|', '');
    const after = marked.replace('|', TAG);
    expect(link(before)).toBe(after);
    expect(link(after)).toBeUndefined();
  });

  test.each([
    ['in upper case and other quotes', `<HEAD><LINK HREF='${CAPABILITIES}' REL=ResourceSync></HEAD>a`],
    ['among other types', `<head><link rel="alternate resourcesync" href="${CAPABILITIES}"></head>a`],
    ['relative', '<head><link rel=resourcesync href="../resourcesync/capabilitylist.xml"></head>a'],
    ['behind the head', `<head></head>${TAG}<body>a`],
  ])('that is linked already is left as it is: %s', (_, page) => expect(link(page)).toBeUndefined());

  test.each<[what: string, before: string, lists: string[], after: string | undefined]>([
    [
      'one',
      '<head><link class=a href="https://example.org/resourcesync/x/capabilitylist.xml" rel=resourcesync></head>a',
      ['b'],
      '<head><link class=a href="b" rel=resourcesync></head>a',
    ],
    [
      'one that is relative, and one that is not there',
      '<head><link rel=resourcesync href=/resourcesync/capabilitylist.xml></head>a',
      ['b', 'c'],
      '<head><link rel="resourcesync" href="c"><link rel=resourcesync href="b"></head>a',
    ],
    [
      'one too many',
      `<head><title>A</title>${TAG}<link rel="resourcesync" href="https://example.org/resourcesync/x/capabilitylist.xml"></head>a`,
      [CAPABILITIES],
      `<head><title>A</title>${TAG}</head>a`,
    ],
  ])('has its links brought up to date: %s', (_, before, lists, after) => {
    const absolute = (text: string | undefined) =>
      text?.replace(/href="([bc])"/g, 'href="https://example.org/$1"');
    const capabilityLists = lists.map((list) => new URL(list, URL_OF_SITE).href);
    expect(link(before, capabilityLists)).toBe(absolute(after));
    expect(link(absolute(after) ?? '', capabilityLists)).toBeUndefined();
  });

  test('has a link for each set that holds it, spelled as an attribute', () => {
    const lists = ['https://example.org/a&amp/x', 'https://example.org/b'];
    const after = link('<head></head>a', lists);
    expect(after).toBe(
      '<head><link rel="resourcesync" href="https://example.org/a&amp;amp/x"><link rel="resourcesync" href="https://example.org/b"></head>a',
    );
    expect(link(after ?? '', lists)).toBeUndefined();
  });

  const french = '<!doctype html><head><title>été</title></head>a';
  test.each<[what: string, page: string | Uint8Array, reason: string]>([
    ['Latin-1', Buffer.from(french, 'latin1'), 'other-encoding'],
    ['Latin-1 that is ASCII', '<head><meta charset=iso-8859-1></head>a', 'other-encoding'],
    [
      'an encoding of old',
      '<meta http-equiv=content-type content="text/html;charset=windows-1252"><p>a',
      'other-encoding',
    ],
    ['UTF-16, little end first', Buffer.from(`\ufeff${french}`, 'utf16le'), 'other-encoding'],
    ['UTF-16, big end first', Buffer.from(`\ufeff${french}`, 'utf16le').swap16(), 'other-encoding'],
    ['UTF-16 without a byte order mark', Buffer.from('<head>a', 'utf16le'), 'other-encoding'],
    [
      'another Source',
      '<head><link rel=resourcesync href="https://example.net/resourcesync/capabilitylist.xml"></head>a',
      'other-source',
    ],
    [
      'another Source on the same host',
      '<head><link rel=resourcesync href="/data/list.xml"></head>a',
      'other-source',
    ],
    ['a link to nowhere', '<head><link rel=resourcesync></head>a', 'other-source'],
    ['nothing', '', 'fragment'],
    ['a piece of a page', '<tr><td>a</td></tr>', 'fragment'],
    ['a piece with a style', '<style>a</style><div>a</div>', 'fragment'],
    ['a page that is over', '<!doctype html>', 'fragment'],
    ['a comment that does not end', '<!doctype html><!-- <head><title>A</title></head>', 'fragment'],
  ])('is left as it is: %s', (_, page, reason) => expect(link(page)).toBe(reason));
});

test('Change Lists get a hub, and another one in its place', () => {
  const url = 'https://example.org/';
  const rule = (hub: string) =>
    [
      '/resourcesync/changelist.xml',
      `  Link: <${hub}>; rel="hub"`,
      `  Link: <${url}resourcesync/changelist.xml>; rel="self"`,
      '',
    ].join('\n');
  const first = addHeaders('', planHubRules([undefined], url, 'https://one.example/'), url);
  expect(first).toBe(rule('https://one.example/'));
  expect(addHeaders(first, planHubRules([undefined], url, 'https://one.example/'), url)).toBe(first);
  const second = addHeaders(first, planHubRules([undefined], url, 'https://two.example/'), url);
  expect(second.split('\n').sort()).toEqual(rule('https://two.example/').split('\n').sort());
  // A rule of the user stays if none is configured.
  expect(addHeaders(first, planHubRules([undefined], url, undefined), url)).toBe(first);
});
