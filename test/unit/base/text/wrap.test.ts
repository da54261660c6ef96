/** Lines that fit a terminal. */

import { expect, test } from 'vitest';
import { say, Words } from '../../../../src/base/text/say.js';
import { wrapWords } from '../../../../src/cli/terminal.js';

const wrap = (text: string, columns: number | undefined) =>
  wrapWords(Words.asWritten(text), columns).toString().split('\n');

test.each<[string, number | undefined, string[]]>([
  ['short', 42, ['short']],
  ['no terminal, no width', undefined, ['no terminal, no width']],
  ['too narrow to be of use for anybody', 10, ['too narrow to be of use for anybody']],
  ['one two three four five six', 20, ['one two three four', '  five six']],
  ['  one two three four five', 20, ['  one two three four', '    five']],
  ['Skipped  1 dot-file, 2 error pages', 28, ['Skipped  1 dot-file, 2 error', '         pages']],
  ['Skipped  1 dot-file', 20, ['Skipped  1 dot-file']],
  ['see https://example.org/a/long/one now', 20, ['see', '  https://example.org/a/long/one', '  now']],
  ['  npm run x   says what it does', 24, ['  npm run x   says what', '    it does']],
  [
    '  npm run something-long    says what it does',
    30,
    ['  npm run something-long says', '    what it does'],
  ],
  ['one\ntwo three four five six\n', 20, ['one', 'two three four five', '  six', '']],
  ['a b', 20, ['a b']],
])('%j in %s columns', (text, columns, lines) => {
  expect(wrap(text, columns)).toEqual(lines);
});

test('colours take no room', () => {
  const bold = '\u001b[1mListed\u001b[22m';
  const text = Words.asWritten(`${bold}   12 resources, 5 kB in all`);
  expect(wrapWords(text, 30).toString()).toBe(`${bold}   12 resources, 5 kB in\n         all`);
  expect(wrapWords(say`${bold} x`, 200).toString()).toBe(say`${bold} x`.toString());
});
