/** What of a page is text that a reader sees, read well and read quickly. */

import { describe, expect, test } from 'vitest';
import { readHeadline, readPage, readPageText } from '../../../../src/diff/page/read.js';
import { estimatePageText, findContext } from '../../../../src/site/page/text/seen.js';

const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title>${head}</head><body>${body}</body></html>`;

const READERS = [
  ['parse5', readPageText],
  ['quickly', estimatePageText],
] as const;

describe.each(READERS)('%s', (_, read) => {
  test.each([
    ['a word', page('<p>one</p>'), page('<p>two</p>')],
    ['the title', page(''), page('').replace('<title>T<', '<title>U<')],
    ['where a link leads', page('<a href="/a">x</a>'), page('<a href="/b">x</a>')],
    ['a link without quotation marks', page('<a href=/a>x</a>'), page('<a href=/b>x</a>')],
    ['an alternative text', page('<img src=a alt="one">'), page('<img src=a alt="two">')],
    ['a label', page('<button aria-label="one">'), page('<button aria-label="two">')],
    ['words that run together', page('<p>a</p><p>b</p>'), page('<p>ab</p>')],
    ['a blank between words', page('<b>a</b> <b>b</b>'), page('<b>a</b><b>b</b>')],
    ['text behind a stray <', page('1 < 2'), page('1 < 3')],
    ['text behind capital tags', page('<SCRIPT>a</SCRIPT>one'), page('<SCRIPT>a</SCRIPT>two')],
  ])('%s is seen', (_name, before, after) => {
    expect(read(after)).not.toBe(read(before));
  });

  test.each([
    ['whitespace', page('<p>one two</p>'), page('\n<p>one\n\t two </p>\n')],
    ['a comment', page('<p>a</p><!-- one -->'), page('<p>a</p><!-- two > -->')],
    ['a script', page('<script>one</script>'), page('<script>two</script>')],
    ['JSON in a script', page('<script type=x>{"a":1}</script>'), page('<script type=x>{"a":2}</script>')],
    ['a style', page('', '<style>a{}</style>'), page('', '<style>b{}</style>')],
    ['a template', page('<template><p>a</template>'), page('<template><p>b</template>')],
    ['noscript', page('<noscript><img alt=a></noscript>'), page('<noscript><img alt=b></noscript>')],
    ['a class', page('<p class="a">x</p>'), page("<p class='b>'>x</p>")],
    [
      'a description',
      page('', '<meta name=description content=a>'),
      page('', '<meta name=description content=b>'),
    ],
    [
      'a style sheet',
      page('', '<link rel=stylesheet href=/a.css>'),
      page('', '<link rel=stylesheet href=/b.css>'),
    ],
    ['the source of a picture', page('<img src=a.webp alt=x>'), page('<img src=b.webp alt=x>')],
    ['an element around', page('one <b>two</b>'), page('one <i>two</i>')],
  ])('%s is not', (_name, before, after) => {
    expect(read(after)).toBe(read(before));
  });

  test.each([
    ['nothing', ''],
    ['no page', 'a & b'],
    ['an open tag', '<p'],
    ['an open quotation mark', '<p class="'],
    ['an open comment', '<!-- a'],
    ['an open script', '<script>a'],
    ['NUL and half a character', 'a\0b\ud800'],
    ['what is no name', '<1></></1><!><?x?>'],
  ])('%s does not throw', (_name, markup) => {
    expect(typeof read(markup)).toBe('string');
  });
});

test('a page is read for an index', () => {
  const markup = page(
    '<h1>One &amp; <b>two</b></h1><p>See <a href="/x">there</a><img src=a alt="a [map]"></p><script>no</script><h3>Three</h3>',
    '<meta name="Description" content=" What  it is ">',
  );
  expect(readPage(Buffer.from(markup))).toEqual({
    title: 'T',
    lang: 'en',
    description: 'What it is',
    text: 'T One & two See there a [map ] Three',
    headings: [
      { level: 1, text: 'One & two' },
      { level: 3, text: 'Three' },
    ],
  });
  expect(readPage(Buffer.from('caf\xe9', 'latin1'))).toEqual({
    title: undefined,
    lang: undefined,
    description: undefined,
    text: 'caf\u00e9',
    headings: [],
  });
  expect(readPage(Buffer.from('<div>'.repeat(1000)))).toBeUndefined();
});

test('headings in one another are read once', () => {
  const { headings = [] } = readPage(Buffer.from('<h1><div>a'.repeat(200))) ?? {};
  expect(headings).toHaveLength(1);
});

test.each([
  ['<!doctype html><html lang=de><title> A \n b </title>', { title: 'A b', lang: 'de' }],
  ['<title>A &amp; b</title>', { title: 'A & b', lang: undefined }],
  ['<HTML Lang="pt-BR"><head><TITLE>x</TITLE>', { title: 'x', lang: 'pt-BR' }],
  ['<html lang=""><body><title>in the body</title>', { title: undefined, lang: undefined }],
  ['<html><head><script>"<title>no</title>"</script><title>yes</title>', { title: 'yes', lang: undefined }],
])('of %s, title and language are read', (markup, headline) => {
  expect(readHeadline(markup)).toEqual(headline);
});

test('references to characters are read', () => {
  expect(readPageText(page('a&amp;b&nbsp;c'))).toBe('T a&b c');
});

// Each would take quadratic time somewhere: in the stack of open elements, in elements that are opened again and again,
// in the attributes of a tag, or in looking for an end that is not there.
test.each([
  ['nested', '<div>'.repeat(100_000)],
  ['left open', Array.from({ length: 20_000 }, (_, index) => `<p><b id=${index}>`).join('')],
  ['with attributes', `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')}>`],
  ['put before a table', `<table>${'<b>x</b>y<tr>'.repeat(30_000)}`],
  ['moved', `<a>${'<p>x'.repeat(30_000)}</a>`.repeat(2)],
  ['comments', '<!--'.repeat(100_000)],
  ['quotation marks', '<a b="'.repeat(100_001)],
  ['scripts', '<script>'.repeat(100_000)],
  ['alternative texts', `<img ${'alt="a\' alt=\'b" '.repeat(30_000)}`],
  ['opening', '<'.repeat(400_000)],
  ['blanks', `<a${' '.repeat(400_000)}`],
])('a hostile page, %s, is read in time or refused', (_, markup) => {
  expect(typeof estimatePageText(markup)).toBe('string');
  expect(findContext(markup)).toBeLessThanOrEqual(markup.length);
  expect(['string', 'undefined']).toContain(typeof readPageText(markup));
});

test('a page that is nested too deep is refused', () => {
  expect(readPageText('<div>'.repeat(1000))).toBeUndefined();
  expect(readPageText(`${'<div>'.repeat(400)}a`)).toBe('a');
});

test.each([
  ['<p>a</p>', 8],
  ['<p>a<!-- b', 4],
  ['<!-- a --><p>', 13],
  ['<p><script>let a = 1 < 2;', 3],
  ['<script></script><p>', 20],
  ['<p>a<a class=', 4],
])('what follows %s is read from %i', (lead, place) => {
  expect(findContext(lead)).toBe(place);
});
