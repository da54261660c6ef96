/** The file of sums: what is written is what sha256sum writes, and nothing else is read. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Words } from '../../../src/base/text/say.js';
import { parseSums, renderSums, SUMS_BYTES } from '../../../src/standard/sums.js';
import { makeSite } from '../../support/site.js';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const read = (text: string) => parseSums(Buffer.from(text));

const A = digest('a');
const B = digest('b');
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3s0FgTqpwkZKC3XPtSGBWNf1WW5zP2XnXjqXz3N3Yq';

test('a line for each file, in the order of the paths', () => {
  const digests = new Map([
    ['resourcesync/resourcelist.xml', B],
    ['.well-known/resourcesync', A],
  ]);
  const text = renderSums({ digests, signers: new Map() });
  expect(text).toBe(`${A}  .well-known/resourcesync\n${B}  resourcesync/resourcelist.xml\n`);
});

// The lines are those of sha256sum 9.1.
test.each([
  ['a\\b', `\\${A}  a\\\\b\n`],
  ['n\nl', `\\${A}  n\\nl\n`],
  ['c\rr', `\\${A}  c\\rr\n`],
  ['Grüße & 5 %', `${A}  Grüße & 5 %\n`],
  [' \\n ', `\\${A}   \\\\n \n`],
  ['\ufeffb', `${A}  \ufeffb\n`],
])('the name %j is written as sha256sum does, and read back', (path, line) => {
  const sums = { digests: new Map([[path, A]]), signers: new Map() };
  expect(renderSums(sums)).toBe(line);
  expect(read(line)).toEqual(sums);
});

test('keys of sets of others stand in lines that sha256sum ignores', () => {
  const uri = 'https://example.org/texts/resourcesync/capabilitylist.xml';
  const sums = { digests: new Map([['a', A]]), signers: new Map([[uri, [KEY, 'ssh-rsa AAAA']]]) };
  const text = renderSums(sums);
  expect(text).toBe(`# ${uri} ${KEY}\n# ${uri} ssh-rsa AAAA\n${A}  a\n`);
  expect(read(text)).toEqual(sums);
});

test('the moment stands in the first line, and sha256sum passes it by', () => {
  const folder = makeSite({ a: 'a' });
  const sums = { moment: '2026-01-01T10:00:00Z', digests: new Map([['a', A]]), signers: new Map() };
  const text = renderSums(sums);
  expect(text).toBe(`# moment 2026-01-01T10:00:00Z\n${A}  a\n`);
  expect(read(text)).toEqual(sums);
  const check = (input: string) =>
    spawnSync('sha256sum', ['--strict', '-c'], { cwd: folder, input, encoding: 'utf8' });
  expect(check(text)).toMatchObject({ status: 0, stdout: 'a: OK\n', stderr: '' });
  expect(check(text.replace(A, B)).status).toBe(1);
});

describe('what is no such file is refused, with the line', () => {
  test.each([
    ['no line', '', 'does not end with a line break'],
    ['no last line break', `${A}  a`, 'does not end with a line break'],
    ['CRLF', `${A}  a\r\n`, 'line 1 is not in the format of sha256sum'],
    ['an empty line', `${A}  a\n\n`, 'line 2 is not in the format of sha256sum: '],
    ['one space', `${A} a\n`, 'line 1 is not'],
    ['the mark of binary files', `${A} *a\n`, 'line 1 is not'],
    ['upper case', `${A.toUpperCase()}  a\n`, 'line 1 is not'],
    ['a shorter digest', `${A.slice(1)}  a\n`, 'line 1 is not'],
    ['a form of BSD', `SHA256 (a) = ${A}\n`, 'line 1 is not'],
    ['an escape that there is not', `\\${A}  a\\t\n`, 'line 1 is not'],
    ['a mark of escapes without one', `\\${A}  a\n`, 'line 1 is not'],
    ['a backslash at the end', `\\${A}  a\\\n`, 'line 1 is not'],
    ['a moment that is none', `# moment soon\n${A}  a\n`, 'line 1 is not'],
    ['a moment further down', `${A}  a\n# moment 2026-01-01T10:00:00Z\n`, 'line 2 is not'],
    ['two moments', `${'# moment 2026-01-01T10:00:00Z\n'.repeat(2)}${A}  a\n`, 'line 2 is not'],
    ['another comment', `# hello\n${A}  a\n`, 'line 1 is not'],
    ['a comment that is a key of no URL', `# ftp://example.org ${KEY}\n`, 'line 1 is not'],
    ['a file twice', `${A}  a\n${B}  a\n`, 'line 2 names a file again: a'],
    ['a way up', `${A}  ../a\n`, 'line 1 names a path outside of the site: ../a'],
    ['a way up in between', `${A}  b/../../a\n`, 'outside of the site'],
    ['an absolute path', `${A}  /etc/passwd\n`, 'outside of the site'],
    ['a folder', `${A}  b/\n`, 'outside of the site'],
    ['a dot', `${A}  ./a\n`, 'outside of the site'],
    ['a NUL', `${A}  a\0\n`, 'outside of the site'],
    ['an escape for a terminal', `${A} \u001b[2Ja\n`, '\\u001b[2Ja'],
  ])('%s', (_, text, words) => {
    const found = read(text);
    expect(found).toBeInstanceOf(Words);
    expect(String(found)).toContain(words);
  });

  test('what is not UTF-8', () => {
    expect(String(parseSums(Buffer.concat([Buffer.from(`${A}  `), Buffer.from([0xff, 10])])))).toBe(
      'it is not UTF-8',
    );
  });

  test('what is too much', () => {
    expect(String(parseSums(Buffer.alloc(SUMS_BYTES + 1, 10)))).toContain('more than 64000000 bytes');
  });
});
