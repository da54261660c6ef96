/** The notices of a run: which are told, how much each matters, and that each is explained. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeNotices, NOTICE_CODES, type Notice, selectNotices } from '../../../src/base/notices.js';
import { resolveConfig } from '../../../src/config/resolve.js';
import { describe, type UserConfig } from '../../../src/index.js';
import { uploadsDotFolders } from '../../../src/site/project.js';
import { readPage } from '../../support/documentation.js';
import { makeSite } from '../../support/site.js';

test('the manual says how much each matters', () => {
  const told = Array.from(readPage('docs/notices.md').matchAll(/^### (.*)\n\n(Detail|Note|Warning)[.;]/gm));
  const severities = Object.fromEntries(told.map(([, code = '', word = '']) => [code, word.toLowerCase()]));
  expect(severities).toEqual(
    Object.fromEntries(
      judgeNotices(
        NOTICE_CODES.map((code) => ({ code }) as Notice),
        {},
      ).map(({ code, severity }) => [code, severity]),
    ),
  );
});

test.each<[Notice, string]>([
  [{ code: 'changes-known-from', from: '', truncated: false }, 'detail'],
  [{ code: 'changes-known-from', from: '', truncated: true }, 'warning'],
  [{ code: 'no-history', wanted: true }, 'detail'],
  [{ code: 'no-history', wanted: false }, 'note'],
  [{ code: 'pages-not-linked', reason: 'fragment', count: 1, example: 'a' }, 'detail'],
  [{ code: 'pages-not-linked', reason: 'other-source', count: 1, example: 'a' }, 'warning'],
  [{ code: 'no-publication', ref: 'refs/resync-static/dist' }, 'note'],
])('%j is a %s', (notice, severity) => {
  expect(judgeNotices([notice], {})).toEqual([{ ...notice, severity }]);
});

const LASTING: Notice = { code: 'changes-known-from', from: '', truncated: false };

test.each([
  ['the first run', { newest: undefined }, false, ['detail', 'note']],
  ['a later run', { newest: '2026-11-20T10:15:00Z' }, false, ['note']],
  ['a later run with --verbose', { newest: '2026-11-20T10:15:00Z' }, true, ['detail', 'note']],
  ['a run without a history', undefined, false, ['note']],
])('%s prints what may be news', (_, publication, isVerbose, severities) => {
  const notices = judgeNotices([LASTING, { code: 'not-recorded' }], {});
  const printed = selectNotices({ notices, publication }, isVerbose);
  expect(printed.map(({ severity }) => severity)).toEqual(severities);
});

test('what is silenced is not told, and nothing else', () => {
  const notices = [
    { code: 'not-recorded' },
    { code: 'set-empty', set: 'a' },
  ] as const satisfies readonly Notice[];
  expect(judgeNotices(notices, { 'not-recorded': false, 'set-empty': true })).toEqual([
    { ...notices[1], severity: 'warning' },
  ]);
});

test.each([
  [
    { 'changes-known-form': false },
    'notices.changes-known-form is not an option. Did you mean changes-known-from?',
  ],
  [{ constructor: false }, 'notices.constructor is not an option. '],
  [{ 'set-empty': 'no' }, 'notices.set-empty must be true or false, but is "no"'],
])('%j is a mistake', (notices, message) => {
  const config = { site: 'dist', url: 'https://example.org/', notices } as UserConfig;
  expect(() => resolveConfig(config)).toThrow(message);
});

test.each([
  ["          include-hidden-files: 'true'\r\n", true],
  ['          include-hidden-files: false\n', false],
  ['          # include-hidden-files: true\n', false],
])('a workflow with %j uploads dot-folders: %s', (line, uploads) => {
  const workflow = { '.github/workflows/deploy.yml': `on: push\n${line}` };
  const folder = makeSite({ ...workflow, 'site/dist/index.html': '' });
  expect(uploadsDotFolders(join(folder, 'site/dist'))).toBe(uploads);
});

test.each([
  ['gh-pages -d dist --dotfiles', true],
  ['npm run build && gh-pages -t -d dist', true],
  ['gh-pages --dist dist', false],
  ['gh-pages -d dist; tar -t x', false],
  ['other-tool --dotfiles', false],
])('a script with %j uploads dot-folders: %s', (deploy, uploads) => {
  const project = JSON.stringify({ scripts: { deploy }, devDependencies: { 'gh-pages': '6.0.0' } });
  expect(uploadsDotFolders(join(makeSite({ 'package.json': project, 'dist/a': '' }), 'dist'))).toBe(uploads);
});

test('such a workflow ends the notice about GitHub Pages', async () => {
  const folder = makeSite({ 'dist/index.html': '' });
  const tellCodes = async () => {
    const config = { site: join(folder, 'dist'), url: 'https://me.github.io/', history: 'none' };
    return (await describe(config)).notices.map(({ code }) => code);
  };
  expect(await tellCodes()).toContain('github-pages-dot-folders');
  makeSite({ '.github/workflows/deploy.yml': 'with:\n  include-hidden-files: true\n' }, folder);
  expect(await tellCodes()).not.toContain('github-pages-dot-folders');
});
