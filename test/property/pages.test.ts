/** The laws of looking at pages: a quick look sees what a parser sees, or says that it is not sure. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listLinks } from '../../src/site/page/elements.js';
import { makePageReader, parsePage } from '../../src/site/page/facts/facts.js';
import { judgeNoindex } from '../../src/site/page/facts/noindex.js';
import {
  type SeenFacts,
  seenNoindex,
  UNSURE,
  unpackLinks,
  unpackSeen,
  type WantedFacts,
} from '../../src/site/page/facts/seen.js';
import { parseHead } from '../../src/site/page/head.js';
import { scanHead } from '../../src/site/page/look/scan.js';
import { checkLaw, fewer } from '../support/seed.js';

const url = 'https://example.org/';

/** What heads are made of, as people, generators and accidents write it. */
const PARTS = [
  ...[
    '<!doctype html>',
    '<!DOCTYPE html PUBLIC "a>b">',
    '<html>',
    '<HTML lang=en>',
    '<html a="x>y">',
    '</html>',
  ],
  ...[
    '<head>',
    '<HEAD class=a>',
    '</head>',
    '</HEAD >',
    '</head a>',
    '<body>',
    '</body>',
    '<frameset>',
    '</br>',
  ],
  ...[
    '<meta charset=utf-8>',
    '<meta charset="latin1">',
    '<meta http-equiv="content-type" content="text/html; charset=x">',
  ],
  ...[
    '<meta name="robots" content="noindex">',
    "<META NAME='Googlebot' CONTENT='NOINDEX, follow'/>",
    '<meta name=robots content=none>',
  ],
  ...[
    '<meta content="all" name="robots">',
    '<meta name="robots" content="no&#105;ndex">',
    '<meta name=robots content="noindex" content="all">',
    '<meta name="description" content="it&#8217;s &#xE9; &#x1F600;&#39;&#150;">',
    '<link rel=via href="a&#233;&#8230;">',
  ],
  ...[
    '<link rel=canonical href=/x>',
    '<link rel="canonical" href="https://example.org/p">',
    '<link rel="license via" href="a?b&amp;c=1&d">',
  ],
  ...[
    '<link rel="alternate" type="application/pdf" href=" é.pdf ">',
    "<link href='a&copy=1' rel=via>",
    '<link rel=via\thref = "x" />',
  ],
  ...[
    '<link rel="stylesheet" href="a.css"/>',
    '<link rel=resourcesync href=/c.xml>',
    '<link rel="via" href="a\rb">',
    '<link rel=via href=a"b>',
  ],
  ...[
    '<link rel="via" href="/a" rel="license" href="/b">',
    '<link rel="icon" rel="via" href="/i">',
    '<link rel="icon" href="a>b"/>',
    '<link rel="Icon license" href="/l" >',
    '<link href="/l" rel="license"/ >',
    '<meta name="robots" content="noindex" content="all">',
    '<meta content="a > noindex" name="robots"/>',
    '<meta name="robots" data-a=">" content="none">',
    '<meta name="description" content="a > b">',
    '<meta name="description" content="it&rsquo;s">',
    '<meta name="a"content="b">',
  ],
  ...[
    '<link rel="via" href>',
    '<link rel=via href="" type>',
    '<meta charset>',
    '<meta name=robots content=noindex charset="">',
    '<base href="/b/">',
    '<base target=_top>',
    '<title>',
    '</title>',
    '<title>A &lt; b <b></title>',
    '</title  >',
  ],
  ...[
    '<script>',
    '</script>',
    '<script>if (a < b) "</head>";</script>',
    '<script><!-- <script> </script>',
    '<script src=a async></script>',
  ],
  ...[
    '<style>',
    '</style>',
    '<style>a > b { c: "<!--" }</style>',
    '<noscript>',
    '</noscript>',
    '<noscript><img></noscript>',
    '<template>',
    '</template>',
  ],
  ...[
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<!--->',
    '<!-- a <meta charset=b> -->',
    '<!--[if IE]><link rel=via href=q><![endif]-->',
    '<![CDATA[',
    '<?xml version="1.0"?>',
  ],
  ...[
    '<noframes>',
    '</noframes>',
    '<basefont>',
    '<bgsound src=a>',
    '<svg>',
    '<p>',
    '</p>',
    '<img src=a>',
    '<a',
    '<',
    '</',
    '<1',
    '>',
    '"',
    "'",
    '=',
    '/',
  ],
  ...[' ', '\n', '\r\n', '\f', '\t', '\v', '\u00a0', '\0', 'a', 'é', '😀', '\ufeff', '&', '&amp;', '&nbsp;'],
];
const soup = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 12 })
  .chain((parts) =>
    fc.constantFrom('', '<!doctype html><html><head>').map((start) => start + parts.join('')),
  );

/** Of which a look sees only the beginning at first, wherever that ends. */
const longSoup = fc
  .tuple(
    fc.integer({ min: 3950, max: 4096 }),
    fc.constantFrom(
      ['', ' ', ''],
      ['<!--', 'a', '-->'],
      ['<title>', 'a', '</title>'],
      ['<meta name="a', 'b', '">'],
    ),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }),
  )
  .map(([length, [start, filler = '', end], parts]) => start + filler.repeat(length) + end + parts.join(''));

const plain = (elements: ReturnType<typeof scanHead>) =>
  elements?.map(({ nodeName, attrs }) => [nodeName, attrs.map(({ name, value }) => `${name}=${value}`)]);

/** Reads a page as bytes, as it is done, and its values as text. */
const scan = (page: string) =>
  scanHead(Buffer.from(page).toString('latin1'))?.map(({ nodeName, attrs }) => ({
    nodeName,
    attrs: attrs.map(({ name, value }) => ({ name, value: Buffer.from(value, 'latin1').toString() })),
  }));

test('a quick look finds the elements that a parser finds, in as many heads as may be', () => {
  let [sure, all] = [0, 0];
  checkLaw(
    'heads',
    fc.property(soup, (page) => {
      const found = scan(page);
      all++;
      if (found === undefined) return;
      sure++;
      expect(plain(found)).toEqual(plain(parseHead(page).elements));
    }),
    fewer(30_000, 4000),
  );
  expect(sure).toBeGreaterThan(all / 10 - 100);
});

test.each([
  ['minified', '<!doctype html><meta charset=utf-8><title>a</title><link rel=canonical href=/x><body>'],
  [
    'of a framework',
    '<!DOCTYPE html>\n<html lang="en" data-x=\'{"a":1}\'><head><script type="module" src="/a.js"></script><style>a>b{}</style><link rel="canonical" href="https://example.org/?a=1&amp;b=2"/></head>\n<body class="x">',
  ],
  [
    'with conditional comments',
    '<html><head><!--[if lt IE 9]><script src="a"></script><![endif]--><meta name="robots" content="noindex"></head><body>',
  ],
  ['of WordPress', '<html><head><meta name="description" content="It&#8217;s &#8230;"></head><body>'],
  ['of no page', 'just text'],
  ['without an end', '<html><head><title>a</title>'],
])('a head as it is usually written needs no parser: %s', (_, page) => {
  expect(plain(scan(page))).toEqual(plain(parseHead(page).elements));
});

function parseUrl(href: string, base: string): string {
  try {
    return new URL(href, base).href;
  } catch {
    return '';
  }
}

const ADDRESS_PARTS = [
  ...[
    'http://',
    'https://',
    'HTTPS://',
    '//',
    'data:',
    'mailto:',
    'example.org',
    'EXAMPLE.org',
    'a.b-c.example',
    '-a.org',
  ],
  ...[
    '1.2.3.4',
    '0x7f.1',
    'xn--nxasmq6b.com',
    'a_b.org',
    'localhost',
    ':443',
    ':80',
    ':8080',
    'u:p@',
    '[::1]',
    'é.org',
  ],
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '/./',
    '.',
    '..',
    '\\',
    '%2e',
    '%2E%2e',
    '%',
    '%zz',
    'a',
    'B',
    '~',
    '|',
    '^',
    "'",
    '"',
    '<',
    ' ',
  ],
  ...['?', '#', '&', '=', ';', '@', ':', '*', '(', ')', '[', ']', '{', '}', '\n', '\t', 'é', '\ud800', '\0'],
];

test('the address of a link is what a browser makes of it', () => {
  checkLaw(
    'addresses',
    fc.property(
      fc.array(fc.constantFrom(...ADDRESS_PARTS), { maxLength: 8 }),
      fc.constantFrom('', 'https://example.org/', 'http://a.example/b/'),
      (parts, start) => {
        const href = start + parts.join('');
        const link = { nodeName: 'link', attrs: [{ name: 'href', value: href }] };
        const base = `${url}folder/page`;
        expect(listLinks({ elements: [link] }, base)).toMatchObject([{ href: parseUrl(href, base) }]);
        const below = { nodeName: 'base', attrs: link.attrs };
        const [found] = listLinks({ elements: [below, { ...link, attrs: [] }, link] }, base).slice(1);
        expect(found?.href).toBe(parseUrl(href, parseUrl(href, base) || base));
      },
    ),
    fewer(30_000, 4000),
  );
});

const WANTED: WantedFacts = {
  wishes: { noindex: true, canonical: true, links: true, lists: true },
  url,
  urls: 'clean',
};

test('what is taken from a page is the same, whoever has read it, in any encoding', async () => {
  await checkLaw(
    'facts',
    fc.asyncProperty(
      fc.oneof(soup, longSoup),
      fc.constantFrom('utf8' as const, 'latin1' as const, 'utf16le' as const),
      fc.boolean(),
      async (page, encoding, marked) => {
        const bytes = Buffer.from((marked ? '\ufeff' : '') + page, encoding);
        const seen = makePageReader(WANTED)('p.html', bytes);
        const slow = await parsePage(bytes, 'p.html', WANTED);
        const quick = seen === UNSURE ? slow : seen;
        // Of what says nothing, nobody asks in which encoding it does.
        const told = (one: SeenFacts) => ({ lists: [], ...unpackSeen(one), links: unpackLinks(one) });
        expect(told(quick)).toEqual(told(slow));
        expect(await judgeNoindex(bytes)).toBe(seenNoindex(quick));
      },
    ),
    fewer(5000, 800),
  );
});
