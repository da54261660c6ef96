/** The parts of lines that are masked because each build writes others. */

import { describe, expect, test } from 'vitest';
import { maskText } from '../../../../src/diff/text/alike.js';
import { judgeHash, splitHashedName } from '../../../../src/paths/asset-names.js';

describe('two builds of the same sources are alike', () => {
  test.each([
    [
      'Eleventy',
      '<!-- This page was built on Sat, 21 Nov 2026 08:00:00 GMT -->',
      '<!-- This page was built on Tue, 1 Dec 2026 21:16:05 GMT -->',
    ],
    ['SvelteKit, version.name', '{"version":"1732222222222"}', '{"version":"1732309999001"}'],
    ['SvelteKit, global', '__sveltekit_1x8f2k = {', '__sveltekit_abcdef = {'],
    [
      'VitePress, hash map',
      String.raw`<script>window.__VP_HASH_MAP__=JSON.parse("{\"guide_index.md\":\"B3xKq9Zd\",\"index.md\":\"abcdefgh\"}");</script>`,
      String.raw`<script>window.__VP_HASH_MAP__=JSON.parse("{\"guide_index.md\":\"zzzzzzzz\",\"index.md\":\"-_1-A_bc\"}");</script>`,
    ],
    ['Sphinx', 'Last updated on Nov 21, 2026.', 'Last updated on Dec 1, 2026.'],
    [
      'Docusaurus',
      '<script src="/assets/js/main.3f2a1b9c.js" defer></script>',
      '<script src="/assets/js/main.12345678.js" defer></script>',
    ],
    [
      'Nuxt',
      'buildId:"4f6d1a52-7f0e-4c2e-9b8e-0a1b2c3d4e5f"',
      'buildId:"00000000-7f0e-4c2e-9b8e-ffffffffffff"',
    ],
    ['Vite', 'src="/assets/index-B3xKq9Zd.js"', 'src="/assets/index-C_x-Yq7a.js"'],
    ['esbuild', 'src="/chunk-5Q7XKJ2M.js"', 'src="/chunk-XKJQMWTR.js"'],
    ['feed', '<updated>2026-11-21T08:00:00Z</updated>', '<updated>2026-12-01T21:16:05+01:00</updated>'],
    ['query', '<link href="/style.css?v=1732222222">', '<link href="/style.css?v=1732309999">'],
    ['short hash', 'built from 4f3c2b1', 'built from 90ab12c'],
    [
      'long hash',
      'rev 4f3c2b1a4f3c2b1a4f3c2b1a4f3c2b1a4f3c2b1a',
      'rev 0f3c2b1a4f3c2b1a4f3c2b1a4f3c2b1a4f3c2b1b',
    ],
    [
      'integrity',
      'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"',
      'integrity="sha384-AAAAAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8w="',
    ],
    ['nonce', '<script nonce="r4nd0m==">', '<script nonce="otherone">'],
    ['a day', 'Updated 21 November 2026', 'Updated 1 December 2026'],
    ['a day, ordinal', 'Updated 21st of November, 2026', 'Updated 2nd of May, 2027'],
    ['a moment', 'Nov 21, 2026, 9:16 PM', 'December 1st, 2026 at 10:05:09 a.m.'],
    ['a weekday', 'Saturday, November 21, 2026', 'Tuesday, December 1, 2026'],
    ['German', 'Stand: 21. November 2026', 'Stand: 1. März 2027'],
    ['French', 'Mis à jour le 21 novembre 2026 à 21:16', 'Mis à jour le 1er août 2027 à 8:05'],
    ['Spanish', '21 de noviembre de 2026', '1 de enero de 2027'],
    ['a month', 'May 2026', 'November 2026'],
    [
      'JavaScript',
      'Sat Nov 21 2026 08:00:00 GMT+0000 (Coordinated Universal Time)',
      'Tue Dec 01 2026 21:16:05 GMT+0100 (Central European Standard Time)',
    ],
    ['date', 'Sat Nov 21 21:16:00 UTC 2026', 'Tue Dec  1 08:00:00 CET 2026'],
    ['basic ISO', '20261121T211600Z', '20261201T080000Z'],
    ['numbers', 'Read in 12 minutes, 1,234 words', 'Read in 7 minutes, 987 words'],
    ['version', 'v1.2.3', 'v10.0'],
    ['digits before letters', '10px', '9px'],
  ])('%s', (_, before, after) => {
    expect(maskText(before)).toContain('…');
    expect(maskText(after)).toBe(maskText(before));
  });
});

describe('what is no time, hash or number stays', () => {
  test.each([
    '<h1>Heading</h1>',
    '<li class="my-articles">Some utf8 and h264</li>',
    'The decade of the facade',
    'src="/assets/my-articles.css"',
    '"name":"somewhat"',
    'a … b',
    '',
  ])('%s', (line) => {
    expect(maskText(line)).toBe(line);
  });

  test.each([
    ['<h1>', '<h2>'],
    ['<p>Costs less</p>', '<p>Costs more</p>'],
    ['<a href="/about/">', '<a href="/contact/">'],
    ['src="/assets/index-B3xKq9Zd.js"', 'src="/assets/other-B3xKq9Zd.js"'],
    ['src="/assets/index-B3xKq9Zd.js"', 'src="/assets/index-B3xKq9Zd.css"'],
  ])('%s is not like %s', (before, after) => {
    expect(maskText(after)).not.toBe(maskText(before));
  });
});

test('the line is one that people recognise', () => {
  expect(maskText('<!-- This page was built on 2026-11-21T08:00:00.123Z -->')).toBe(
    '<!-- This page was built on … -->',
  );
  expect(maskText('Nov 21, 2026, 9:16 PM')).toBe('…');
  expect(maskText('<link href="/assets/index-B3xKq9Zd.css?v=12">')).toBe(
    '<link href="/assets/index-….css?v=…">',
  );
});

test.each([
  ['digits', '1'.repeat(60_000)],
  ['letters', 'a'.repeat(60_000)],
  ['letters and digits', 'a1'.repeat(30_000)],
  ['hexadecimal digits and dashes', 'abcdef12-'.repeat(7000)],
  ['months', 'november '.repeat(7000)],
  ['colons', '1:'.repeat(30_000)],
  ['quotation marks', ':"\\"'.repeat(15_000)],
  ['names', 'a.b-'.repeat(15_000)],
  ['nonces', ' nonce="'.repeat(8000)],
  ['blanks', ' '.repeat(60_000)],
  ['more than is looked at', '1 '.repeat(600_000)],
])('a hostile line of %s is masked in time', (_, line) => {
  // Quadratic time would be more than the test has.
  expect(maskText(line).length).toBeLessThanOrEqual(line.length);
});

describe('names', () => {
  test.each([
    ['index-B3xKq9Zd.js', 'index-', 'B3xKq9Zd', '.js', 'strong'],
    ['index-MyButton.js', 'index-', 'MyButton', '.js', 'weak'],
    ['guide_index.md.B3xKq9Zd.lean.js', 'guide_index.md.', 'B3xKq9Zd', '.lean.js', 'strong'],
    ['start.BkQ8-x_2.js', 'start.', 'BkQ8-x_2', '.js', 'strong'],
    ['main.3f2a1b9c.js', 'main.', '3f2a1b9c', '.js', 'strong'],
    ['main.12345678.js', 'main.', '12345678', '.js', 'weak'],
    ['style.4f3c2b1a4f3c2b1a4f3c.min.css.map', 'style.', '4f3c2b1a4f3c2b1a4f3c', '.min.css.map', 'strong'],
    ['4f3c2b1a4f3c2b1a4f3c.png', '', '4f3c2b1a4f3c2b1a4f3c', '.png', 'strong'],
    [
      '4f6d1a52-7f0e-4c2e-9b8e-0a1b2c3d4e5f.json',
      '',
      '4f6d1a52-7f0e-4c2e-9b8e-0a1b2c3d4e5f',
      '.json',
      'strong',
    ],
  ])('%s', (name, head, hash, tail, strength) => {
    expect(splitHashedName(name)).toEqual({ head, hash, tail, strength });
  });

  test.each([
    'index.js',
    'my-articles.css',
    'jquery-3.7.1.min.js',
    'sitemap.xml',
    'heading12.png',
    `${'a'.repeat(300)}.js`,
    '',
  ])('%s has no hash', (name) => {
    expect(splitHashedName(name)).toBeUndefined();
  });

  test.each([
    ['deadbeef', undefined],
    ['dead1ee', 'strong'],
    ['covid19vaccine', undefined],
    ['AbCdEfGh', 'strong'],
  ])('%s: %s', (token, strength) => {
    expect(judgeHash(token)).toBe(strength);
  });
});
