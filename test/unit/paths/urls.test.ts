/** URLs of files. */

import { describe, expect, test } from 'vitest';
import { encodePath, makeUri, type UrlStyle } from '../../../src/paths/urls.js';

describe('makeUri', () => {
  // The table of the contract.
  test.each<[UrlStyle, string, string]>([
    ['directory', 'index.html', '/'],
    ['directory', 'a/index.html', '/a/'],
    ['directory', 'a/b.html', '/a/b.html'],
    ['clean', 'index.html', '/'],
    ['clean', 'a/index.html', '/a/'],
    ['clean', 'a/b.html', '/a/b'],
    ['bare', 'index.html', '/'],
    ['bare', 'a/index.html', '/a'],
    ['bare', 'a/b.html', '/a/b'],
    ['file', 'index.html', '/index.html'],
    ['file', 'a/index.html', '/a/index.html'],
    ['file', 'a/b.html', '/a/b.html'],
    ['clean', 'a/b.css', '/a/b.css'],
    ['clean', 'myindex.html', '/myindex'],
    ['directory', 'a/myindex.html', '/a/myindex.html'],
    ['bare', 'index.html/index.html', '/index.html'],
  ])('%s: %s is served at %s', (style, path, served) => {
    expect(makeUri('https://example.org/', path, style)).toBe(`https://example.org${served}`);
  });

  test('keeps the path of the base', () => {
    expect(makeUri('https://me.github.io/repo/', 'a/index.html', 'bare')).toBe('https://me.github.io/repo/a');
    expect(makeUri('https://me.github.io/repo/', 'index.html', 'bare')).toBe('https://me.github.io/repo/');
  });
});

describe('encodePath', () => {
  test.each([
    ['a b', 'a%20b'],
    ['100%', '100%25'],
    ['a#b?c', 'a%23b%3Fc'],
    ['a\\b', 'a%5Cb'],
    ['[x]{y}|^`"<>', '%5Bx%5D%7By%7D%7C%5E%60%22%3C%3E'],
    ['\n\t\u0001\u007f', '%0A%09%01%7F'],
    // RFC 3986 §3.3 allows these in a segment, and browsers leave them as they are.
    ["!$&'()*+,;=:@-._~", "!$&'()*+,;=:@-._~"],
    ['%24', '%2524'],
    ['é', '%C3%A9'],
    ['e\u0301', 'e%CC%81'],
    ['🙂', '%F0%9F%99%82'],
  ])('%j becomes %s', (path, encoded) => {
    expect(encodePath(path)).toBe(encoded);
  });

  test('refuses a lone surrogate', () => {
    expect(() => encodePath('\ud800')).toThrow(URIError);
  });
});
