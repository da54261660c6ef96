/** Text of others, escaped where it is printed. */

import { describe, expect, test } from 'vitest';
import { escapeMarkdown, makeWorkflowCommand } from '../../../../action/escape.js';
import { ResyncError } from '../../../../src/base/errors.js';
import { escapeForTerminal, escapeJson, joinWords, say, sayLines } from '../../../../src/base/text/say.js';

test.each([
  ['ordinary ünïcödé عربى 日本 ❤️ \\u001b', 'ordinary ünïcödé عربى 日本 ❤️ \\u001b'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['\u009b31m\u007f', '\\u009b31m\\u007f'],
  ['a\r\n\tb\u0085c\u2028d\u2029', 'a\\u000d\\u000a\\u0009b\\u0085c\\u2028d\\u2029'],
  ['\u202eexe.txt\u2066\u061c', '\\u202eexe.txt\\u2066\\u061c'],
  ['zero\u200bwidth\u00ad\ufeff\u3164', 'zero\\u200bwidth\\u00ad\\ufeff\\u3164'],
  ['\u{e0041}\ud800', '\\u{e0041}\\ud800'],
  ['::error::x', '\\u003a:error::x'],
  ['  ::error::x', '  \\u003a:error::x'],
  ['a ##[error]b ##vso[task]c', 'a #\\u0023[error]b #\\u0023vso[task]c'],
])('on a terminal, %j is %s, and stays so', (text, shown) => {
  expect(escapeForTerminal(text)).toBe(shown);
  expect(escapeForTerminal(shown)).toBe(shown);
});

test.each([
  ['a ##[error]b ##vso[task]c \\##[d]', 'a #\\u0023[error]b #\\u0023vso[task]c \\\\#\\u0023[d]'],
  ['\u009b31m\u007f\u202e\u2028', '\\u009b31m\\u007f\\u202e\\u2028'],
  ['\u{e0041}\ud800', '\\udb40\\udc41\\ud800'],
  ['\u001b\n::error::x', '\\u001b\\n::error::x'],
  ['ordinary ünïcödé عربى 日本 ❤️ #1 ##', 'ordinary ünïcödé عربى 日本 ❤️ #1 ##'],
])('in JSON, %j is written as %s, and means the same', (text, shown) => {
  const json = escapeJson(JSON.stringify({ [text]: [text] }, undefined, 2));
  expect(json).toBe(`{\n  "${shown}": [\n    "${shown}"\n  ]\n}`);
  expect(JSON.parse(json)).toEqual({ [text]: [text] });
});

describe('words', () => {
  test('keep what the template says, and escape its values once', () => {
    const inner = say`\n  ${'a\nb'}`;
    expect(String(say`One:${inner}\n${'::error::x'}${7}`)).toBe('One:\n  a\\u000ab\n\\u003a:error::x7');
    expect(String(joinWords([say`a\nb`, 'c\nd'], ', '))).toBe('a\nb, c\\u000ad');
  });

  test('put together no command at the beginning of a line', () => {
    expect(String(say`mistakes:\n  ${':'}: is not an option`)).toBe('mistakes:\n  \\u003a: is not an option');
  });

  test('keep the lines of a program apart from ours', () => {
    expect(String(say`git: ${sayLines('one\r\n::error::two\u001b[2K\n\tthree\n')}`)).toBe(
      'git: one\n  \\u003a:error::two\\u001b[2K\n    three',
    );
  });

  test('are what an error is made of', () => {
    // @ts-expect-error A message whose values nobody has escaped is refused by the compiler.
    const careless = () => new ResyncError('not-ours', `${'name'} is in the way`);
    expect(careless().message).toBe('name is in the way');
    expect(new ResyncError('not-ours', say`${'a\n'} is in the way.\nMove it.`).message).toBe(
      'a\\u000a is in the way.\nMove it.',
    );
  });
});

test('a workflow command is one line, whatever its message and properties hold', () => {
  expect(makeWorkflowCommand('error', { title: 'a:b,c%\n::d' }, '100%\n::error::x\r\u001b[1m')).toBe(
    '::error title=a%3Ab%2Cc%25\\u000a%3A%3Ad::100%25%0A\\u003a:error::x\\u000d\\u001b[1m\n',
  );
  expect(makeWorkflowCommand('notice', {}, 'b')).toBe('::notice::b\n');
});

test.each([
  ...['# heading', '[a](javascript:b)', '![a](b)', '<img src=x>', '</td>', 'a | b', '`code`', '*a* _b_ ~c~'],
  ...['https://evil.example', 'www.evil.example', '&lt;', '- item', '\\|', '\u001b[1m\n\n# x'],
])('in Markdown, nothing in %j means anything', (text) => {
  const written = escapeMarkdown(text);
  // Only references to characters are left, and a reference never has a meaning in Markdown.
  expect(written.replace(/&#\d+;/g, '')).toMatch(/^[\p{L}\p{N} ]*$/u);
  const read = written.replace(/&#8203;/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  expect(read).toBe(escapeForTerminal(text));
});

test('in Markdown, nobody is mentioned', () => {
  expect(escapeMarkdown('@somebody #12')).toBe('&#64;&#8203;somebody &#35;&#8203;12');
});

test.each([
  ['http://localhost:8080/@scope/a.html', 'http://localhost:8080/@scope/a.html'],
  ['http://[::1]:8080/@a', 'http://[::1]:8080/@a'],
  ['https://me:s3cret@example.org:80/@a', 'https://…@a'],
  ['https://me:s3/cret@example.org/', 'https://…@example.org/'],
  ['https:/me:s3cret@example.org/', 'https:/…@example.org/'],
  ['https://token@example.org/', 'https://…@example.org/'],
])('of %s, a message has %s', (url, shown) => {
  expect(new ResyncError('config-invalid', say`${url}`).message).toBe(shown);
});
