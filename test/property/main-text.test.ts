/** The laws of main texts: how a page is written makes no difference, nor does what is outside of its main text; a word does. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePages } from '../../src/files/page/record.js';
import { checkLaw, fewer } from '../support/seed.js';

const place = { uri: 'https://example.org/a/b', url: 'https://example.org/' };

/** A way to write markup. */
interface Style {
  /** Whether end tags are left out where they may be. */
  readonly minified: boolean;
  readonly quote: '"' | "'";
  readonly reversed: boolean;
  readonly comment: string;
  readonly space: string;
  readonly references: boolean;
}
type Write = (style: Style) => string;
/** Parts of a page; the word `WORD` is replaced in an edit. */
const style: fc.Arbitrary<Style> = fc.record({
  minified: fc.boolean(),
  quote: fc.constantFrom('"', "'"),
  reversed: fc.boolean(),
  comment: fc.constantFrom('', '<!-- <main> a -->', '<!-->', '<script>"<nav>"</script>'),
  space: fc.constantFrom('', '\n', '\r\n  '),
  references: fc.boolean(),
});

const words = fc.array(fc.constantFrom(...'sea añil & שלום <b 海辺 1<2'.split(' ')), {
  minLength: 1,
  maxLength: 4,
});
const escapeText = (text: string, { references }: Style) =>
  text.replace(/[&<]/g, (sign) =>
    references ? `&#${sign.charCodeAt(0)};` : ({ '&': '&amp;', '<': '&lt;' }[sign] ?? ''),
  );
const text: fc.Arbitrary<Write> = words.map((some) => (how) => escapeText(some.join(' '), how));

function writeTag(name: string, attributes: Readonly<Record<string, string>>, how: Style): string {
  const all = Object.entries(attributes).map(
    ([key, value]) => `${key}=${how.quote}${escapeText(value, how)}${how.quote}`,
  );
  return `<${[name, ...(how.reversed ? all.reverse() : all)].join(' ')}>`;
}

const image: Write = (how) => writeTag('img', { alt: 'a & b', 'aria-label': 'c' }, how);
const remark: Write = ({ comment }) => (comment === '<!-->' ? comment : '');
const inline: fc.Arbitrary<Write> = fc.oneof(
  { weight: 3, arbitrary: text },
  text.map(
    (inner): Write =>
      (how) =>
        `<em>${inner(how)}</em>`,
  ),
  text.map(
    (inner): Write =>
      (how) =>
        `${writeTag('a', { href: '../c?d&e', title: 'f' }, how)}${inner(how)}</a>`,
  ),
  fc.constantFrom(image, remark),
);
const line: fc.Arbitrary<Write> = fc
  .array(inline, { minLength: 1, maxLength: 4 })
  .map((parts) => (how) => parts.map((part) => part(how)).join(' '));

/** An element whose end tag may be missing, as the last of its parent and where another such element follows. */
const openable =
  (name: string, inner: Write): Write =>
  (how) =>
    `<${name}>${how.space}${inner(how)}${how.minified ? '' : `</${name}>`}${how.space}`;
const items = (name: string, item: string) =>
  fc.array(line, { minLength: 1, maxLength: 3 }).map(
    (parts): Write =>
      (how) =>
        `<${name}>${how.space}${parts.map((part) => openable(item, part)(how)).join('')}</${name}>`,
  );

const { block } = fc.letrec<{ block: Write; blocks: Write }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    line.map((inner) => openable('p', inner)),
    items('ul', 'li'),
    items('dl', 'dd'),
    line.map(
      (inner): Write =>
        (how) =>
          `<table><tr><td>${inner(how)}${how.minified ? '' : '</td></tr>'}</table>`,
    ),
    line.map(
      (inner): Write =>
        (how) =>
          `<h2>${inner(how)}</h2>${how.space}`,
    ),
    text.map(
      (inner): Write =>
        (how) =>
          `<pre>a\n  ${inner(how)}</pre>`,
    ),
    tie('blocks').map(
      (inner): Write =>
        (how) =>
          `<div>${how.space}${inner(how)}</div>`,
    ),
    tie('blocks').map(
      (inner): Write =>
        (how) =>
          `<section>${inner(how)}${how.comment}</section>`,
    ),
  ),
  blocks: fc
    .array(tie('block'), { maxLength: 3 })
    .map((parts) => (how) => parts.map((part) => part(how)).join(how.comment)),
}));
const blocks = fc.array(block, { minLength: 1, maxLength: 4 }).map(
  (parts): Write =>
    (how) =>
      parts.map((part) => part(how)).join(how.comment),
);

/** Markup that is outside of any main text, wherever it stands. */
const outside: fc.Arbitrary<Write> = fc
  .tuple(
    fc.constantFrom('nav', 'aside', 'footer', 'div hidden', 'div role=search', 'div data-pagefind-ignore'),
    blocks,
  )
  .map(
    ([tag, inner]) =>
      (how) =>
        `<${tag}>${inner(how)}</${tag.split(' ')[0]}>`,
  );

/** The main text begins and ends in one of these ways. */
const MAINS = [
  ['<header>x</header><main>', '</main>'],
  ['<div role=main>', '</div>y'],
  ['<article>', '</article>y'],
  ['y<main>z</main><div data-pagefind-body>', '</div>'],
  ['', ''],
] as const;

const page = fc
  .tuple(fc.constantFrom(...MAINS), fc.array(blocks, { minLength: 1, maxLength: 3 }))
  .map(([[begin, end], parts]) => (how: Style, around: Write, word = 'word') => {
    const head = how.minified
      ? '<!doctype html><title>T</title>'
      : `<!DOCTYPE html><html><head><title>T</title></head>${how.space}<body>`;
    const main = parts.map((part) => `${part(how)}${around(how)}`).join(`<p>${word}</p>`);
    return `${head}${around(how)}${begin}<p>${word}</p>${main}${end}${around(how)}${how.minified ? '' : '</body></html>'}`;
  });
const kindOf = (before: string, after: string) =>
  comparePages(Buffer.from(before), Buffer.from(after), place);

test('how a page is written makes no difference', () => {
  checkLaw(
    'styles',
    fc.property(page, outside, style, style, (write, around, one, other) => {
      expect(kindOf(write(one, around), write(other, around))).toBe('markup');
    }),
    fewer(5000, 200),
  );
});

test('what is outside of the main text makes none to it', () => {
  checkLaw(
    'outside',
    fc.property(page, outside, outside, style, (write, one, other, how) => {
      expect(kindOf(write(how, one), write(how, other))).not.toBe('text');
    }),
    fewer(5000, 200),
  );
});

test('a word of the main text does', () => {
  checkLaw(
    'words',
    fc.property(page, outside, style, style, (write, around, one, other) => {
      expect(kindOf(write(one, around), write(other, around, 'another'))).toBe('text');
    }),
    fewer(5000, 200),
  );
});
