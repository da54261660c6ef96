/** The laws of editing: one link, in the head, nothing else changed, and nothing to do the second time. */

import fc from 'fast-check';
import { parse, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { expect, test } from 'vitest';
import { linkPage } from '../../src/files/page/html.js';
import { addHeaders } from '../../src/site/discovery/headers.js';
import { addSitemaps } from '../../src/site/discovery/lines.js';
import { checkLaw, fewer } from '../support/seed.js';

const url = 'https://example.org/';
const list = 'https://example.org/resourcesync/capabilitylist.xml';

const PIECES = [
  ...'<!doctype html>|<html>|<HTML lang=en>|</html>|<head>|<HEAD a="</head>">|</head>|</HEAD>'.split('|'),
  ...'<body>|</body>|<frameset>|<title>|</title>|<meta charset=utf-8>|<meta name=a>|<base href=/b/>'.split(
    '|',
  ),
  ...'<script>|</script>|<style>|</style>|<template>|</template>|<noscript>|</noscript>'.split('|'),
  ...'<!--|-->|<!-- </head> -->|<![CDATA[|]]>|<?xml version="1.0"?>|<svg>|</svg>|<math>'.split('|'),
  ...'<p>|</p>|<img src=a>|<table>|<tr>|<td>|<a|>|"|=|/|&amp;|&#32;|&#3| |\n|\r\n|\r|\t|a|é|😀|\ufeff'.split(
    '|',
  ),
  ...'<plaintext>|<textarea>|</br>|<link rel=a href=b>'.split('|'),
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));

function headOf(document: Tree.Document): Tree.Element {
  const html = document.childNodes.find(({ nodeName }) => nodeName === 'html') as Tree.Element;
  return html.childNodes.find(({ nodeName }) => nodeName === 'head') as Tree.Element;
}

test('a page gets one link, in its head, and is otherwise as before', () =>
  checkLaw(
    'pages',
    fc.property(soup, (page) => {
      const links = { uri: `${url}a`, capabilityLists: [list], url };
      const outcome = linkPage(Buffer.from(page), links);
      if (!Buffer.isBuffer(outcome)) {
        expect(outcome).toBe('fragment');
        return;
      }
      const linked = outcome.toString();
      const tag = `<link rel="resourcesync" href="${list}">`;
      expect(linked.split(tag).join('')).toBe(page);
      // A parser does not take the byte order mark away, a decoder does.
      const document = parse(linked.replace(/^\ufeff/, ''));
      const head = headOf(document);
      const found = head.childNodes.filter(
        (node) => 'attrs' in node && node.attrs.some(({ value }) => value === list),
      );
      expect(found).toHaveLength(1);
      head.childNodes = head.childNodes.filter((node) => !found.includes(node));
      // Space between a doctype and what comes next may now stand in the head.
      const told = (tree: Tree.Document) => serialize(tree).replace(/\s/g, '');
      expect(told(document)).toBe(told(parse(page.replace(/^\ufeff/, ''))));
      expect(linkPage(outcome, links)).toBeUndefined();
    }),
    fewer(3000, 400),
  ));

const LINES = [
  ...['', 'User-agent: *', 'Disallow: /a', '# Sitemap: x', `Sitemap: ${list}`],
  ...['sitemap : https://example.org/b', '/*', '/.well-known/resourcesync', '  Content-Type: text/plain'],
  ...['  X-A: 1', `  Link: <${list}>; rel="resourcesync"`, 'https://example.org/*', '! X-A'],
  ...['  Link: </a>; rel=preload', '\xe9'],
];
const lines = fc
  .tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([texts, end, finished]) => texts.join(end) + (finished ? end : ''));

/** Returns true if all lines of one text are in another, in their order. */
function isWithin(part: string, whole: string): boolean {
  const rest = whole.split('\n').map((line) => line.trim());
  return part.split('\n').every((line) => {
    const at = rest.indexOf(line.trim());
    return at >= 0 && rest.splice(0, at + 1).length > 0;
  });
}

test('robots.txt keeps its lines, and a second time changes nothing', () =>
  checkLaw(
    'robots.txt',
    fc.property(lines, (before) => {
      const after = addSitemaps(before, [`${url}x`, list]);
      expect(after.startsWith(before)).toBe(true);
      expect(addSitemaps(after, [`${url}x`, list])).toBe(after);
    }),
  ));

test('_headers keeps its lines, and a second time changes nothing', () =>
  checkLaw(
    '_headers',
    fc.property(lines, (before) => {
      const wanted = [
        { path: '/.well-known/resourcesync', headers: ['Content-Type: application/xml'] },
        { path: '/*', headers: [`Link: <${list}>; rel="resourcesync"`] },
      ];
      const after = addHeaders(before, wanted, url);
      // Links of ours that stand elsewhere go.
      const kept = before.replace(/^.*rel="resourcesync".*\n?/gm, '').trimEnd();
      if (!before.includes('resourcesync')) expect(isWithin(kept, after)).toBe(true);
      expect(addHeaders(after, wanted, url)).toBe(after);
    }),
  ));
