/** Comparing lines: what is found, and that no text takes long. */

import { expect, test } from 'vitest';
import { splitLines } from '../../../../src/base/text/match.js';
import { compareLines, cut, type Hunk } from '../../../../src/diff/text/lines.js';

const countLines = (hunks: readonly Hunk[]) => ({
  added: hunks.reduce((sum, { added }) => sum + added, 0),
  removed: hunks.reduce((sum, { removed }) => sum + removed, 0),
});

test.each([
  ['', [], ''],
  ['a', ['a'], ''],
  ['a\nb\n', ['a\n', 'b\n'], ''],
  ['a\r\n\nb', ['a\r\n', '\n', 'b'], ''],
])('%j is split into %j', (text, lines) => {
  expect(splitLines(text)).toEqual(lines);
});

test('unrelated files and shuffled ones stay within the budget', () => {
  const lines = (length: number, line: (index: number) => string) =>
    Array.from({ length }, (_, n) => line(n));
  const unrelated = { left: 1000 };
  // Lines that only one file has need no comparison.
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

test('no character is cut in two', () => {
  expect(cut('a😀b', 2)).toBe('a');
  expect(cut('a😀b', 3)).toBe('a😀');
});
