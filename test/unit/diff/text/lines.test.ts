/** Comparing lines: what is told, in which form, and that no text takes long. */

import { describe, expect, test } from 'vitest';
import { compareLines, countLines, cut, splitLines, writeUnified } from '../../../../src/diff/text/lines.js';

const plenty = () => ({ left: 10_000_000 });

function count(before: string, after: string) {
  return countLines(compareLines(splitLines(before), splitLines(after), plenty()));
}

test.each([
  ['', [], ''],
  ['a', ['a'], ''],
  ['a\nb\n', ['a\n', 'b\n'], ''],
  ['a\r\n\nb', ['a\r\n', '\n', 'b'], ''],
])('%j is split into %j', (text, lines) => {
  expect(splitLines(text)).toEqual(lines);
});

describe('counts', () => {
  test.each([
    ['', '', 0, 0],
    ['', 'a\n', 1, 0],
    ['a\n', '', 0, 1],
    ['a\nb\nc\n', 'a\nB\nc\n', 1, 1],
    ['a\nb\nc\n', 'a\nc\n', 0, 1],
    ['a\nc\n', 'a\nb\nc\n', 1, 0],
    ['a\na\n', 'a\na\na\n', 1, 0],
    ['a', 'a\n', 1, 1],
    ['a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n', 2, 3],
    ['1\na\n2\nb\n3\n', 'x\na\ny\nb\nz\n', 3, 3],
  ])('%j to %j: +%i −%i', (before, after, added, removed) => {
    expect(count(before, after)).toEqual({ added, removed });
  });
});

test('unrelated files and shuffled ones stay within the budget', () => {
  const lines = (length: number, line: (index: number) => string) =>
    Array.from({ length }, (_, n) => line(n));
  const unrelated = { left: 1000 };
  // What only one has needs no comparing.
  expect(
    countLines(
      compareLines(
        lines(50_000, (n) => `a${n}`),
        lines(50_000, (n) => `b${n}`),
        unrelated,
      ),
    ),
  ).toEqual({ added: 50_000, removed: 50_000 });
  const shuffled = { left: 100_000 };
  const found = countLines(
    compareLines(
      lines(50_000, (n) => `${n}`),
      lines(50_000, (n) => `${(n * 7919) % 50_000}`),
      shuffled,
    ),
  );
  expect(found.added).toBe(found.removed);
  expect(found.added).toBeLessThanOrEqual(50_000);
  expect(shuffled.left).toBeGreaterThan(-200_000);
});

test('two unrelated lines of 5 MB are one line each', () => {
  expect(count('a'.repeat(5_000_000), 'b'.repeat(5_000_000))).toEqual({ added: 1, removed: 1 });
});

describe('unified', () => {
  const write = (before: string, after: string) => {
    const [a, b] = [splitLines(before), splitLines(after)];
    return writeUnified(a, b, compareLines(a, b, plenty()));
  };
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

  // As GNU diff -u writes them.
  test.each([
    ['nothing', 'a\n', 'a\n', ''],
    ['one line', 'a\nb\nc\n', 'a\nB\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
    ['from nothing', '', 'a\n', '@@ -0,0 +1 @@\n+a\n'],
    ['to nothing', 'a\nb\n', '', '@@ -1,2 +0,0 @@\n-a\n-b\n'],
    ['no end of line', 'a\nb', 'a\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n'],
    [
      'two hunks',
      numbers(1, 20),
      numbers(1, 20).replace('2\n', 'x\n').replace('18\n', ''),
      '@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n 20\n',
    ],
    [
      'hunks that meet',
      numbers(1, 10),
      numbers(1, 10).replace('2\n', 'x\n').replace('9\n', 'y\n'),
      '@@ -1,10 +1,10 @@\n 1\n-2\n+x\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+y\n 10\n',
    ],
  ])('%s', (_, before, after, diff) => {
    expect(write(before, after)).toBe(diff);
  });

  test('a long one is cut, and says so', () => {
    const diff = write('a\n', 'b\n'.repeat(40_000));
    expect(diff.length).toBeLessThan(65_636);
    expect(diff).toMatch(/the diff is longer than is shown\n$/);
  });

  test('no character is cut in two', () => {
    expect(cut('a😀b', 2)).toBe('a');
    expect(cut('a😀b', 3)).toBe('a😀');
  });
});
