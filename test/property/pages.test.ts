/** The laws of reading heads: of any page, what a browser reads of it. */

import fc from 'fast-check';
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { expect, test } from 'vitest';
import { listLinks } from '../../src/files/page/elements.js';
import { readHead } from '../../src/files/page/head.js';
import type { Tag } from '../../src/files/page/tokens.js';
import { checkLaw, fewer } from '../support/seed.js';

const url = 'https://example.org/';

/** Pieces of heads, as people, generators and accidents write them. */
const PARTS = [
  ...'<!doctype html>|<!DOCTYPE html PUBLIC "a>b">|<html>|<HTML lang=en>|<html a="x>y">|</html>'.split('|'),
  ...'<head>|<HEAD class=a>|</head>|</HEAD >|</head a>|<body>|</body>|<frameset>|</br>'.split('|'),
  ...'<meta charset=utf-8>|<meta charset="latin1">'.split('|'),
  '<meta http-equiv="content-type" content="text/html; charset=x">',
  ...`<meta name="robots" content="noindex">|<META NAME='Googlebot' CONTENT='NOINDEX, follow'/>`.split('|'),
  ...'<meta name=robots content=none>|<meta content="all" name="robots">'.split('|'),
  '<meta name="robots" content="no&#105;ndex">',
  '<meta name=robots content="noindex" content="all">',
  '<meta name="description" content="it&#8217;s &#xE9; &#x1F600;&#39;&#150;">',
  ...'<link rel=via href="a&#233;&#8230;">|<link rel=canonical href=/x>'.split('|'),
  '<link rel="canonical" href="https://example.org/p">',
  '<link rel="license via" href="a?b&amp;c=1&d">',
  ...`<link rel="alternate" type="application/pdf" href=" é.pdf ">|<link href='a&copy=1' rel=via>`.split('|'),
  ...'<link rel="stylesheet" href="a.css"/>|<link rel=resourcesync href=/c.xml>'.split('|'),
  ...'<link rel=via href=a"b>|<link rel="via" href="/a" rel="license" href="/b">'.split('|'),
  ...'<link rel="icon" rel="via" href="/i">|<link rel="icon" href="a>b"/>'.split('|'),
  ...'<link rel="Icon license" href="/l" >|<link href="/l" rel="license"/ >'.split('|'),
  '<meta name="robots" content="noindex" content="all">',
  ...'<meta content="a > noindex" name="robots"/>|<meta name="robots" data-a=">" content="none">'.split('|'),
  ...'<meta name="description" content="a > b">|<meta name="description" content="it&rsquo;s">'.split('|'),
  ...'<meta name="a"content="b">|<link rel="via" href>|<link rel=via href="" type>|<meta charset>'.split('|'),
  ...'<meta name=robots content=noindex charset="">|<base href="/b/">|<base target=_top>|<title>'.split('|'),
  ...'</title>|<title>A &lt; b <b></title>|</title  >|<script>|</script>'.split('|'),
  ...'<script>if (a < b) "</head>";</script>|<script><!-- <script> </script>'.split('|'),
  ...'<script src=a async></script>|<style>|</style>|<style>a > b { c: "<!--" }</style>|<noscript>'.split(
    '|',
  ),
  ...'</noscript>|<noscript><img></noscript>|<template>|</template>|<!--|-->|--!>|<!-->|<!--->'.split('|'),
  ...'<!-- a <meta charset=b> -->|<!--[if IE]><link rel=via href=q><![endif]-->|<![CDATA['.split('|'),
  ...'<?xml version="1.0"?>|<noframes>|</noframes>|<basefont>|<bgsound src=a>|<svg>|<p>|</p>'.split('|'),
  ...`<img src=a>|<a|<|</|<1|>|"|'|=|/|é|😀|&|&amp;|&nbsp;`.split('|'),
  '<link rel=via\thref = "x" />',
  '<link rel="via" href="a\rb">',
  '\r\n',
  ...' \n\f\t\v\u00a0\0a\ufeff',
];
const soup = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 12 })
  .chain((parts) =>
    fc.constantFrom('', '<!doctype html><html><head>').map((start) => start + parts.join('')),
  );

/** The elements that `readHead` has to read, by the tree that a browser makes. */
function parseHead(page: string) {
  const head = childOf(childOf(parse(page), 'html'), 'head');
  const elements = head.childNodes.filter(
    (node): node is Tree.Element =>
      defaultTreeAdapter.isElementNode(node) && ['meta', 'link', 'base'].includes(node.nodeName),
  );
  return elements.map(({ nodeName, attrs }) => [nodeName, plain(attrs)]);
}

function childOf(parent: Tree.ParentNode, name: string): Tree.Element {
  const found = parent.childNodes.find(({ nodeName }) => nodeName === name);
  if (found === undefined || !defaultTreeAdapter.isElementNode(found)) throw new Error(`no <${name}>`);
  return found;
}

/** The attributes that `readHead` reads. A parser makes one line break of two characters, and a character of NUL. */
function plain(attributes: readonly { readonly name: string; readonly value: string }[]): string[] {
  return attributes
    .filter(({ name }) => /^(?:lang|charset|content|http-equiv|name|property|rel|type|href)$/.test(name))
    .map(({ name, value }) => `${name}=${value.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')}`);
}

function read(page: string) {
  return readHead(page).elements.map(({ name, attributes }) => [name, plain(attributes)]);
}

test('of any page, the elements of its head are those that a parser finds', () => {
  checkLaw(
    'heads',
    fc.property(soup, (page) => {
      expect(read(page)).toEqual(parseHead(page));
    }),
    fewer(30_000, 2500),
  );
});

function parseUrl(href: string, base: string): string {
  try {
    return new URL(href, base).href;
  } catch {
    return '';
  }
}

const ADDRESS_PARTS = [
  ...'http:// https:// HTTPS:// // data: mailto: example.org EXAMPLE.org a.b-c.example -a.org'.split(' '),
  ...'1.2.3.4 0x7f.1 xn--nxasmq6b.com a_b.org localhost :443 :80 :8080 u:p@ [::1] é.org / // /.'.split(' '),
  ...'/.. /./ . .. %2e %2E%2e % %zz a B ~ | ^ < ? # & = ; @ : * ( ) [ ] { } é'.split(' '),
  ...['\\', "'", '"', ' ', '\n', '\t', '\ud800', '\0'],
];

function element(name: string, href?: string): Tag {
  const place = { start: 0, end: 0 };
  const attributes = href === undefined ? [] : [{ name: 'href', value: href, ...place }];
  return { name, attributes, isClosed: false, ...place };
}

test('the address of a link is what a browser makes of it', () => {
  checkLaw(
    'addresses',
    fc.property(
      fc.array(fc.constantFrom(...ADDRESS_PARTS), { maxLength: 8 }),
      fc.constantFrom('', 'https://example.org/', 'http://a.example/b/'),
      (parts, start) => {
        const href = start + parts.join('');
        const link = element('link', href);
        const base = `${url}folder/page`;
        expect(listLinks({ elements: [link] }, base)).toMatchObject([{ href: parseUrl(href, base) }]);
        const [found] = listLinks({ elements: [element('base', href), element('link'), link] }, base).slice(
          1,
        );
        expect(found?.href).toBe(parseUrl(href, parseUrl(href, base) || base));
      },
    ),
    fewer(30_000, 2500),
  );
});
