/** The main text of a page: what it is, what changes it, and what does not. */

import { describe, expect, test } from 'vitest';
import { readPage } from '../../../../src/files/page/page.js';
import { readPageHead } from '../../../../src/files/page/page-head.js';
import { comparePages, readRecord } from '../../../../src/files/page/record.js';

const url = 'https://example.org/';
const place = { uri: `${url}docs/page`, url };
const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title>${head}</head><body>${body}</body></html>`;
const compare = (before: string, after: string) =>
  comparePages(Buffer.from(before), Buffer.from(after), place);
const textOf = (markup: string) => readPage(Buffer.from(markup))?.text;

test.each([
  [
    'what is marked for Pagefind',
    '<main>a</main><p data-pagefind-body>b</p>c<b data-pagefind-body>d',
    'T b d',
  ],
  ['the first main', '<h1>a</h1><main>b</main><main>c</main>', 'T b'],
  ['the first main by its role', 'a<div role="main">b</div>c', 'T b'],
  ['a main that is not closed', 'a<main>b<p>c', 'T b c'],
  ['a main that is not hidden', '<main hidden>a</main><main>b</main>', 'T b'],
  [
    'no main in a template, a comment or a script',
    '<template><main>a</main></template><!-- <main>b</main> --><script>"<main>"</script>c',
    'T c',
  ],
  ['the only article', 'a<article>b</article>c', 'T b'],
  ['an article with others in it', 'a<article>b<article>c</article></article>d', 'T b c'],
  ['the body, where there are several articles', 'a<article>b</article><article>c</article>', 'T a b c'],
  ['no article that is left out', 'a<aside><article>b</article></aside>', 'T a'],
  ['the body', 'a<p>b', 'T a b'],
  ['a body without its tag', '', 'T'],
  [
    'nothing of nav, aside and footer',
    '<main>a<nav>b</nav><aside>c</aside><footer>d</footer>e</main>',
    'T a e',
  ],
  ['a header in a main', '<header>a</header><main><header>b</header>c</main>', 'T b c'],
  ['no header in a body', '<header>a</header>b', 'T b'],
  [
    'nothing of certain roles',
    'a<p role=navigation>b</p><p role=banner>b</p><p role=contentinfo>b</p><p role=complementary>b</p><p role="Search x">b</p>c',
    'T a c',
  ],
  ['nothing that is hidden or ignored', 'a<p hidden>b</p><p data-pagefind-ignore=all>c</p>d', 'T a d'],
  ['nothing of an item that ends without a tag', '<ul><li hidden>a<li>b</ul>', 'T b'],
  [
    'nothing that no reader sees',
    'a<script>b</script><style>b</style><noscript>b<p>c</noscript><template>b<template>b</template>b</template><iframe>b</iframe> d',
    'T a d',
  ],
  [
    'words, alternative texts and labels',
    '<img alt="a [b]"><button aria-label=c>d</button><input placeholder=e value=f><input type=hidden value=g>',
    'T a [b] c d e f',
  ],
  ['a drawing with its title', '<svg><title>a</title><style>b</style><path/></svg>c', 'T a c'],
  [
    'sections of CDATA in drawings and formulas, and in elements of them that hold HTML',
    '<svg><style><![CDATA[a>b]]></style><text><![CDATA[c < d > &amp; <b>]]> e</text><title><![CDATA[f]]></title><desc><![CDATA[>g]]></svg> <math><mi><![CDATA[h]]></math>',
    'T c < d > &amp; <b> e f >g h',
  ],
  ['a section of CDATA that is left open', '<svg><text><![CDATA[a>b</svg>', 'T a>b</svg></body></html>'],
  [
    'none of the comments that look like sections of CDATA, up to their >',
    '<![CDATA[a>b]]><svg><foreignObject><p><![CDATA[c]]></svg><title><![CDATA[d</title><!--[CDATA[e]]>--><svg><!--![CDATA[f]]>--></svg>',
    'T b]]> <![CDATA[d',
  ],
  ['what an end tag of a letter style does not leave', 'a<b>b<main>c</b>d</main>e', 'T cd'],
  [
    'nothing of a nav in a paragraph, a link or a form',
    '<p>a<nav>b</p>c</nav>d<a>e<nav>f</a>g</nav>h<form>i<nav>j</form>k</nav>l',
    'T a de h i l',
  ],
  [
    'what follows the end of a form that has paragraphs in it',
    '<main><form role=search><p>a</form>b</main>',
    'T b',
  ],
  [
    'what an end tag of an item in a list that is left open does not leave',
    '<li>a<ul>b<article>c</li>d',
    'T c d',
  ],
  [
    'nothing that a part of a table outside of any makes of it',
    '<td>a<main>b<td>c</td>d<tr>e</main>f',
    'T bc de',
  ],
  ['nothing of attributes of an end tag', `a<p>b</p x="1>2" y = '>' z=>c</p x=">" <i>d`, 'T a b c d'],
  ['what stray end tags leave as it is', '</main></nav><main>a</nav></section></td></p>b</main>c', 'T a b'],
  ['what follows a drawing that is left open', '<svg><path>a<p>b', 'T a b'],
])('the main text is %s', (_, body, text) => {
  expect(textOf(page(body))).toBe(text);
});

describe.each([
  ['a main', (text: string) => page(`<nav>n</nav><main>${text}</main>`)],
  ['a body', (text: string) => page(text)],
])('in %s', (_, make) => {
  test.each([
    ['a word', '<p>one</p>', '<p>two</p>'],
    ['where a link leads', '<a href="/a">x</a>', '<a href="/b">x</a>'],
    ['an alternative text', '<img src=a alt="one">', '<img src=a alt="two">'],
    ['words that run together', '<p>a</p><p>b</p>', '<p>ab</p>'],
    ['a blank between words', '<b>a</b> <b>b</b>', '<b>a</b><b>b</b>'],
    ['text behind a stray <', '1 < 2', '1 < 3'],
    ['an indent of code', '<pre>if a:\n  b\n  c</pre>', '<pre>if a:\n  b\nc</pre>'],
    ['a line break of code', '<pre>a\n\nb</pre>', '<pre>a\nb</pre>'],
    ['where a form begins', '<textarea>a  b</textarea>', '<textarea>a b</textarea>'],
    ['another page', '<a href="other#a">x</a>', '<a href="page#a">x</a>'],
    ['another host', '<a href="https://a.example/">x</a>', '<a href="https://b.example/">x</a>'],
    ['a link without a target', '<a href="">x</a>', '<a>x</a>'],
  ])('%s is text', (_name, before, after) => {
    expect(compare(make(before), make(after))).toBe('text');
  });

  test.each([
    ['white space', '<p>one two</p>', '\n<p>one\n\t two </p>\n'],
    ['a comment', '<p>a</p><!-- one -->', '<p>a</p><!-- two > -->'],
    ['a script', '<script>one</script>', '<script>two</script>'],
    ['a class', '<p class="a">x</p>', "<p class='b>'>x</p>"],
    ['the source of a picture', '<img src=a.webp alt=x>', '<img src=b.webp alt=x>'],
    ['an element around', 'one <b>two</b>', 'one <i>two</i>'],
    ['references', 'a &amp; b &eacute; c', 'a &#38; b é c'],
    ['the order of attributes', '<a title=t href=/x>', '<a href="/x" title="t">'],
    ['an attribute that is empty', '<img alt="">', '<img>'],
    ['the hash of an asset', '<a href="/a-abcdef12.pdf">', '<a href="/a-12abcdef.pdf">'],
    ['a token of a form', '<input type=hidden value=a>', '<input type=hidden value=b>'],
    ['the way a link is written', '<a href="/docs/x">', '<a href="https://example.org/docs/./x">'],
    ['the way to the page itself', '<a href="#a">', '<a href="page#a">'],
    [
      'end tags that may be missing',
      '<ul><li>a</li><li>b</li></ul><p>c</p><p>d</p>',
      '<ul><li>a<li>b</ul><p>c<p>d',
    ],
    ['the first line break of code', '<pre>\na</pre>', '<pre>a</pre>'],
    ['line breaks of another system', '<pre>a\nb</pre>', '<pre>a\r\nb</pre>'],
  ])('%s is markup', (_name, before, after) => {
    expect(compare(make(before), make(after))).toBe('markup');
  });

  test.each([
    ['the title', '<title>T<', '<title>U<', 'text'],
    ['a description', '</head>', '<meta name=description content=b></head>', 'markup'],
    ['a base that moves where links lead', '</head>', '<base href="/b/"></head>', 'text'],
  ] as const)('%s counts', (_name, old, now, kind) => {
    const before = make('<a href="x">x</a>');
    expect(compare(before, before.replace(old, now))).toBe(kind);
  });
});

test('what is outside of a main text is layout', () => {
  const make = (outside: string) =>
    page(`<header>${outside}</header><main>a</main><footer>${outside}</footer>`);
  expect(compare(make('1 page'), make('2 pages'))).toBe('layout');
  expect(compare(make('<a href=/a>a</a>'), make('<a href=/b>a</a>'))).toBe('layout');
});

test('another domain and a page that moved change nothing', () => {
  const digest = (markup: string, uri: string, root: string) =>
    readRecord(Buffer.from(markup), { uri, url: root })?.text;
  const links = (root: string) => page(`<a href="${root}x">x</a> <a href="#top">top</a> <a href="/y">y</a>`);
  const here = digest(links(url), `${url}a/b`, url);
  expect(digest(links('https://other.example/'), 'https://other.example/a/b', 'https://other.example/')).toBe(
    here,
  );
  expect(digest(links(url), `${url}moved`, url)).toBe(here);
});

test('a page is read for an index', () => {
  const markup = page(
    '<h1>One &amp; <b>two</b></h1><p>See <a href="/x">there</a><img src=a alt="a [map]"></p><script>no</script><h3>Three</h3><nav><h2>No</h2></nav>',
    '<meta name="Description" content=" What  it is ">',
  );
  expect(readPage(Buffer.from(markup))).toEqual({
    title: 'T',
    lang: 'en',
    description: 'What it is',
    text: 'T One & two See there a [map] Three',
    headings: [
      { level: 1, text: 'One & two' },
      { level: 3, text: 'Three' },
    ],
  });
});

test.each([
  ['<!doctype html><html lang=de><title> A \n b </title>', 'A b', 'de'],
  ['<title>A &amp; b</title><title>c</title>', 'A & b', undefined],
  ['<HTML Lang="pt-BR"><head><TITLE>x</TITLE>', 'x', 'pt-BR'],
  ['<html lang=""><body><title>in the body</title>', undefined, undefined],
  ['<html><head><script>"<title>no</title>"</script><title>yes</title>', 'yes', undefined],
])('of %s, title and language are read', (markup, title, lang) => {
  expect(readPage(Buffer.from(markup))).toMatchObject({ title, lang });
});

test.each([
  ['UTF-8', Buffer.from('<title>é'), 'é', undefined],
  [
    'UTF-8 by a mark, whatever is declared',
    Buffer.from('\ufeff<meta charset=latin1><title>é'),
    'é',
    undefined,
  ],
  ['UTF-16', Buffer.from('\ufeff<title>é', 'utf16le'), 'é', undefined],
  ['UTF-16 the other way', Buffer.from('\ufeff<title>é', 'utf16le').swap16(), 'é', undefined],
  ['UTF-8, whatever claims to be UTF-16', Buffer.from('<meta charset=utf-16><title>é'), 'é', undefined],
  ['windows-1252', Buffer.from('<title>\x93\xe9\x94', 'latin1'), '“é”', undefined],
  [
    'windows-1252, which is called Latin-1',
    Buffer.from('<meta charset="iso-8859-1"><title>\x93\xe9\x80', 'latin1'),
    '“é€',
    undefined,
  ],
  [
    'windows-1252, where another one is named too late',
    Buffer.from(`<!--${'x'.repeat(1500)}--><meta charset=koi8-r><title>\xe9`, 'latin1'),
    'é',
    undefined,
  ],
  [
    'windows-1252, where UTF-8 is named and it is none',
    Buffer.from('<meta charset=utf-8><title>\xe9', 'latin1'),
    'é',
    undefined,
  ],
  [
    'ISO-2022-JP, whose bytes are ASCII',
    Buffer.from('<meta charset="iso-2022-jp"><title>\x1b$BF|\x1b(B', 'latin1'),
    '日',
    undefined,
  ],
  [
    'UTF-8, where a description speaks of an encoding',
    Buffer.from('<meta name=a content="charset=koi8-r"><title>é'),
    'é',
    undefined,
  ],
  ['windows-1251', Buffer.from('<meta charset="windows-1251"><title>\xc4\xe0', 'latin1'), 'Да', undefined],
  ['gb2312', Buffer.from('<meta charset=gb2312><title>\xc4\xe3', 'latin1'), '你', undefined],
  [
    'Shift_JIS',
    Buffer.from(
      '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><title>\x8a\x43',
      'latin1',
    ),
    '海',
    undefined,
  ],
  ['euc-kr', Buffer.from("<meta charset='euc-kr'><title>\xb9\xd9", 'latin1'), '바', undefined],
  [
    'UTF-8, where a comment declares another',
    Buffer.from('<!-- <meta charset=gb2312> --><title>é'),
    'é',
    undefined,
  ],
  [
    'windows-1252, and told',
    Buffer.from('<meta charset="x-unheard-of"><title>\xe9', 'latin1'),
    'é',
    'x-unheard-of',
  ],
])('a page is read in %s', (_, bytes, title, unknownEncoding) => {
  expect(readPage(bytes)?.title).toBe(title);
  expect(readPageHead(bytes).head.title).toBe(title);
  expect(readRecord(bytes, place)?.isEncodingUnknown).toBe(unknownEncoding !== undefined);
});

// Each would take quadratic time somewhere, or more depth than calls have.
test.each([
  ['nested', '<div>'.repeat(50_000)],
  ['nested and closed', '<div>'.repeat(50_000) + '</div>'.repeat(50_000)],
  ['nested in a main', `<main>${'<div>'.repeat(50_000)}`],
  ['with end tags of nothing', `${'<span>'.repeat(50_000)}${'</p></i></table>'.repeat(50_000)}`],
  ['with end tags that do not reach', `<span>${'<div>'.repeat(500)}${'</span>'.repeat(100_000)}`],
  ['with paragraphs in depth', `${'<p><button>'.repeat(20_000)}${'<p>a'.repeat(20_000)}`],
  ['left open', Array.from({ length: 20_000 }, (_, index) => `<p><b id=${index}>`).join('')],
  ['with attributes', `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')}>`],
  ['with the same attribute', `<img ${'alt=a '.repeat(100_000)}>`],
  ['put before a table', `<table>${'<b>x</b>y<tr>'.repeat(30_000)}`],
  ['comments', '<!--'.repeat(100_000)],
  ['sections of CDATA', '<![CDATA[>'.repeat(100_000)],
  ['sections of CDATA in a drawing', `<svg>${'<![CDATA[>]]>'.repeat(50_000)}${'<![CDATA[>'.repeat(50_000)}`],
  ['quotation marks', '<a b="'.repeat(100_001)],
  ['scripts', '<script>'.repeat(100_000)],
  ['scripts in comments of scripts', `<script><!--${'<script></script>'.repeat(5_000)}`],
  ['what browsers with scripts do not see', '<noscript></noscript>'.repeat(30_000)],
  ['opening', '<'.repeat(400_000)],
  ['blanks', `<a${' '.repeat(400_000)}`],
  ['headings', '<h1><div>a'.repeat(20_000)],
  ['mains', '<main>a'.repeat(50_000)],
  ['articles', '<article>a</article>'.repeat(50_000)],
  ['templates', '<template>'.repeat(50_000)],
  ['drawings', '<svg><foreignObject>'.repeat(20_000)],
])('a hostile page, %s, is read in time', (_, markup) => {
  const bytes = Buffer.from(markup);
  expect(readRecord(bytes, place)).toBeDefined();
});

test('what is longer than 16 MB is not read', () => {
  const bytes = Buffer.alloc(17_000_000, 'a');
  expect(readRecord(bytes, place)).toBeUndefined();
  expect(readPage(bytes)).toBeUndefined();
  expect(comparePages(bytes, Buffer.from('a'), place)).toBe('text');
});
