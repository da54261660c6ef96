/** Edits to package.json and to lists of lines: nothing changes but what is added. */

import { expect, test } from 'vitest';
import { addScript, parseManifest } from '../../../../src/cli/init/edit/manifest.js';
import { ignores } from '../../../../src/cli/init/plan/plan.js';
import { appendLines } from '../../../../src/site/discovery/lines.js';

const POSTBUILD = { name: 'postbuild', command: 'resync-static', after: 'build' };

test.each([
  [
    'two spaces',
    '{\n  "scripts": {\n    "build": "a"\n  },\n  "files": ["a", "b"]\n}\n',
    '{\n  "scripts": {\n    "build": "a",\n    "postbuild": "resync-static"\n  },\n  "files": ["a", "b"]\n}\n',
  ],
  [
    'tabs, CRLF, a script after it, and no line break at the end',
    '{\r\n\t"scripts": {\r\n\t\t"build": "a",\r\n\t\t"test": "b"\r\n\t}\r\n}',
    '{\r\n\t"scripts": {\r\n\t\t"build": "a",\r\n\t\t"postbuild": "resync-static",\r\n\t\t"test": "b"\r\n\t}\r\n}',
  ],
  [
    'one line',
    '{"scripts":{"build":"a","test":"b"}}',
    '{"scripts":{"build":"a", "postbuild": "resync-static","test":"b"}}',
  ],
  [
    'a byte order mark',
    '\ufeff{ "scripts": { "build": "a" } }',
    '\ufeff{ "scripts": { "build": "a", "postbuild": "resync-static" } }',
  ],
])('a script is added: %s', (_, before, after) => {
  expect(addScript(before, POSTBUILD)).toBe(after);
});

test('a command is added to a script', () => {
  const text = '{ "scripts": { "build": "a --b=\\"c\\"" } }';
  expect(addScript(text, { name: 'build', command: 'resync-static', after: 'build' })).toBe(
    '{ "scripts": { "build": "a --b=\\"c\\" && resync-static" } }',
  );
});

test.each([
  ['no such script', '{ "scripts": {} }'],
  ['no scripts', '{}'],
  ['the same key twice', '{ "scripts": { "build": "a" }, "scripts": { "build": "b" } }'],
  ['JavaScript in place of JSON', '{ scripts: { build: "a" } }'],
  ['a comment', '{ "scripts": { "build": "a" } /* b */ }'],
])('%s: nothing is added', (_, text) => {
  expect(addScript(text, POSTBUILD)).toBeUndefined();
});

test('what is no manifest is none', () => {
  for (const text of ['', '[]', '"a"', 'null', '{ "scripts": 1 }'])
    expect(parseManifest(text)).toBeUndefined();
});

test.each([
  ['_site', '_site', true],
  ['a\r\n/_site/\r\n', '_site/', true],
  ['dist/**', 'dist', true],
  ['.vitepress', '.vitepress/dist', true],
  ['_sites', '_site', false],
  ['# dist', 'dist', false],
])('%j ignores %s: %s', (text, folder, isThere) => {
  expect(ignores(text, folder)).toBe(isThere);
});

test('lines are added as the others end', () => {
  expect(appendLines('', ['a'])).toBe('a\n');
  expect(appendLines('b', ['a', 'c'])).toBe('b\na\nc\n');
  expect(appendLines('b\r\n', ['a'])).toBe('b\r\na\r\n');
});
