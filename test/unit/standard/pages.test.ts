/** `pages.json`: what was written is read again, and nothing that is not so. */

import { describe, expect, test } from 'vitest';
import { PAGES_BYTES, parsePages, type SitePages, serializePages } from '../../../src/standard/pages.js';

const BASE = 'https://example.org/';
const AT = new Date('2026-11-20T10:15:00Z');
const ABOUT = { url: `${BASE}about/`, title: 'About "us"', lang: 'en', text: '5481c3f0a1b2c3d4' };
const SITE: SitePages = {
  rule: 1,
  at: AT,
  pages: [
    { url: BASE, created: AT },
    { ...ABOUT, created: new Date('2026-06-08T08:00:00Z'), changed: AT },
  ],
};
const serialize = (site: SitePages, most?: number) => [...serializePages(site, most)].join('');
const TEXT = serialize(SITE);

test('one page a line, read again as it was', () => {
  expect(TEXT.split('\n')[2]).toBe(
    '{"url":"https://example.org/about/","title":"About \\"us\\"","lang":"en","created":"2026-06-08T08:00:00Z","changed":"2026-11-20T10:15:00Z","text":"5481c3f0a1b2c3d4"}',
  );
  expect(JSON.parse(TEXT)).toMatchObject({ generator: 'resync-static', rule: 1, at: '2026-11-20T10:15:00Z' });
  for (const site of [SITE, { ...SITE, pages: [] }]) expect(parsePages(serialize(site), BASE)).toEqual(site);
});

test('more bytes than a later build would read are not written', () => {
  const bytes = Buffer.byteLength(TEXT);
  expect(serialize(SITE, bytes)).toBe(TEXT);
  expect(() => serialize(SITE, bytes - 1)).toThrow(
    expect.objectContaining({
      code: 'write-failed',
      message: expect.stringContaining(`${bytes} bytes for 2 pages`),
    }),
  );
});

describe('what is refused', () => {
  const about = JSON.stringify(ABOUT);
  const withLine = (line: string) => TEXT.replace(/\{"url":"[^"]*about.*\}/, () => line);
  test.each([
    ['nothing', '', /its head/],
    ['a page in its place', '<!doctype html><title>No</title>', /its head/],
    ['another head', TEXT.replace('"rule":1', '"rule":"one"'), /its head/],
    ['a moment that is none', TEXT.replace('"at":"2026-11-20', '"at":"2026-02-30'), /its head/],
    ['half of it', TEXT.slice(0, -20), /not whole/],
    ['a line that is no JSON', withLine('{"url":'), /line 3 is not/],
    ['a list', withLine('["url"]'), /line 3 is not/],
    ['a title that is a number', withLine('{"url":"https://example.org/about/","title":1}'), /line 3 is not/],
    ['a digest that is none', withLine(about.replace('5481', 'x481')), /line 3 is not/],
    ['a member that nobody knows', withLine(about.replace('{', '{"__proto__":{},')), /line 3 is not/],
    ['a line without end', withLine(about.replace('About', 'A'.repeat(20_000))), /line 3 is not/],
    ['another site', withLine(about.replace('example.org', 'example.com')), /not below/],
    ['a page twice', TEXT.replace('about/', ''), /line 3 is not in the order/],
    ['too much', `${TEXT}${' '.repeat(PAGES_BYTES)}`, /more than/],
  ])('%s', (_, text, found) => {
    expect(parsePages(text, BASE)).toMatch(found);
  });
});
