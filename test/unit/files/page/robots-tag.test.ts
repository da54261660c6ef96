/** Rules of `_headers` for URLs, and the meaning of directives for robots. */

import { describe, expect, test } from 'vitest';
import { tagSaysNoindex } from '../../../../src/files/page/facts/noindex.js';
import { readTagRules } from '../../../../src/files/page/robots-tag.js';

const SITE = 'https://example.org/';

describe('X-Robots-Tag', () => {
  test.each([
    ['noindex', true],
    ['NOINDEX, nofollow', true],
    ['nofollow,noindex', true],
    ['none', true],
    ['googlebot: noindex, nofollow', true],
    ['otherbot: noindex', false],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST', false],
    ['max-snippet: 20, noindex', true],
    ['nofollow', false],
    ['noindexed', false],
    ['', false],
  ])('%s', (value, says) => {
    expect(tagSaysNoindex(value)).toBe(says);
  });
});

describe('rules', () => {
  test.each<[pattern: string, path: string, matches: boolean]>([
    ['/*', '', true],
    ['/a', 'a', true],
    ['/a', 'a/', false],
    ['/a/*', 'a/b/c.html', true],
    ['/*.pdf', 'x/y.pdf', true],
    ['/*.pdf', 'x/y.pdf.html', false],
    ['/:one/b', 'a/b', true],
    ['/:one/b', 'a/a/b', false],
    ['/:one', '', false],
    ['/a.c', 'abc', false],
    ['/é/*', '%C3%A9/x', true],
    ['/%c3%a9/*', '%C3%A9/x', true],
    ['https://example.org/a', 'a', true],
    ['https://:name.org/a', 'a', true],
    ['https://:project.pages.dev/*', 'a', false],
    ['https://example.org', '', true],
  ])('%s matches /%s: %s', (pattern, path, matches) => {
    const text = Buffer.from(`${pattern}\n  X-Robots-Tag: noindex\n`).toString('latin1');
    expect(readTagRules(text, SITE)?.(SITE + path) ?? false).toBe(matches);
  });

  test('count in their order, and a later one may take an earlier one back', () => {
    const text = '/*\n X-Robots-Tag: noindex\n/a\n ! X-Robots-Tag\n/a\n X-Robots-Tag: nofollow\n';
    const says = readTagRules(text, SITE);
    expect([says?.(`${SITE}a`), says?.(`${SITE}b`)]).toEqual([false, true]);
  });

  test.each([
    ['no rule', '', SITE],
    ['other headers', '/*\n  X-A: noindex\n', SITE],
    ['a site under a path', '/*\n  X-Robots-Tag: noindex\n', `${SITE}docs/`],
    ['no noindex', '/*\n  X-Robots-Tag: nofollow\n', SITE],
  ])('there is nothing to go by where there is %s', (_, text, url) => {
    expect(readTagRules(text, url)).toBeUndefined();
  });

  test('a pattern of a stranger ends in time', () => {
    const says = readTagRules(`/${'*a'.repeat(900)}b\n  X-Robots-Tag: noindex\n`, SITE);
    expect(says?.(SITE + 'a'.repeat(1900))).toBe(false);
  });
});
