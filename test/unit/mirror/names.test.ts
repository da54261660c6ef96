/** Which file a URL becomes in a mirror. */

import { describe, expect, test } from 'vitest';
import { pathOf } from '../../../src/mirror/names/path.js';
import { PathChooser } from '../../../src/mirror/names/taken.js';

const BASE = 'https://example.org/';
const OPAQUE = /^~[\da-f]{24}(?:\.[a-z0-9]{1,10})?$/i;

describe('pathOf', () => {
  test.each([
    ['', undefined, 'index.html'],
    ['a/b.html', 'text/html', 'a/b.html'],
    ['a/', 'text/html', 'a/index.html'],
    ['about', 'text/html', 'about.html'],
    ['about', 'text/html; charset=utf-8', 'about.html'],
    ['LICENSE', 'text/plain', 'LICENSE'],
    ['LICENSE', undefined, 'LICENSE'],
    ['a%20b/caf%C3%A9.txt', undefined, 'a b/café.txt'],
    ['.well-known/security.txt', undefined, '.well-known/security.txt'],
    ['a/../b.txt', undefined, 'b.txt'],
    ['a/%2e%2e/%2E%2E/b.txt', undefined, 'b.txt'],
  ])('%s (%s) → %s', (path, type, expected) => expect(pathOf(BASE + path, BASE, type)).toBe(expected));

  test.each([
    ...['a.html?x=1', 'a/?', 'a//b.txt', 'a%2Fb.txt', 'a%5Cb.txt', 'a\\..\\..\\b.txt%00', '%2e%2e%2fpasswd'],
    ...['..%5c..%5cpasswd', '%c0%ae%c0%ae/passwd', '%252e%252e%3a', '.git/hooks/pre-commit', '.GIT/config'],
    ...['.%67it/config', '%EF%BC%8Egit/config', '%E2%80%8C.git/config', 'git~1/config', '.htaccess'],
    ...['.resync-mirror/state-000001', 'a/.hidden', 'CON', 'con.txt', 'a/Lpt1.html', 'COM%C2%B9'],
    ...['c:/windows', 'a.txt:stream', 'a%00.txt', 'a%0Ab', 'end.', 'end%20', 'e%CC%81.txt'],
    '~0123456789abcdef01234567.txt',
    `${'x'.repeat(241)}.txt`,
    Array.from({ length: 80 }, () => 'x'.repeat(50)).join('/'),
  ])('%s gets a name of its own', (path) => expect(pathOf(BASE + path, BASE, undefined)).toMatch(OPAQUE));

  test('of a site below a path, and of other places', () => {
    const base = 'https://me.github.io/repo/';
    expect(pathOf(`${base}a.html`, base, undefined)).toBe('a.html');
    expect(pathOf('https://me.github.io/other/a.html', base, undefined)).toBe('me.github.io/other/a.html');
    expect(pathOf('http://[::1]:8080/a.html', base, undefined)).toBe('___1__8080/a.html');
  });
});

test.each([
  ['a a/b.txt a/', 'a ~ ~'],
  ['a/b.txt a', 'a/b.txt ~'],
  ['a/ a/index.html', 'a/index.html ~'],
  ['A.txt a.txt', 'A.txt ~'],
  ['stra%C3%9Fe STRASSE', 'straße ~'],
  ['a%E2%80%8Db ab', 'a\u200db ~'],
])('%j become %j, where ~ is a name of its own', (paths, expected) => {
  const chooser = new PathChooser(BASE, []);
  const names = paths.split(' ').map((path) => chooser.choose(BASE + path, undefined));
  expect(names.map((name) => name.replace(OPAQUE, '~')).join(' ')).toBe(expected);
  expect(new Set(names).size).toBe(names.length);
});

test('a name that is given stays', () => {
  const chooser = new PathChooser(BASE, ['a.txt', 'b/c.txt']);
  expect(chooser.choose(`${BASE}A.txt`, undefined)).toMatch(OPAQUE);
  expect(chooser.choose(`${BASE}B`, undefined)).toMatch(OPAQUE);
  expect(chooser.choose(`${BASE}d.txt`, undefined)).toBe('d.txt');
});
