/** The command `explain` prints what the manual says of a notice or a finding. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCheckWords } from '../../bundle.mjs';
import { NOTICE_CODES } from '../../src/base/notices.js';
import { readManual } from '../../src/cli/manual.js';
import { findExplanations } from '../../src/cli/words/explanations.js';
import { CHECKS } from '../../src/standard/rules/checks.js';
import { ROOT, readPage } from '../support/documentation.js';
import { callCli } from '../support/site.js';

const { notices, findings } = findExplanations((page) => readPage(`docs/${page}.md`));

test('every notice is explained, and what to do about every finding', () => {
  expect(Object.keys(notices).sort()).toEqual([...NOTICE_CODES].sort());
  const named = findings.flatMap(([codes]) => codes);
  expect(Object.keys(CHECKS)).toEqual(expect.arrayContaining([...named]));
  expect(new Set(named).size).toBe(named.length);
  expect(findings.at(-1)?.[0]).toEqual([]);
  expect(Object.keys(CHECKS).filter((code) => code in notices)).toEqual([]);
});

test('every check has words', () => {
  expect(Object.keys(readCheckWords()).sort()).toEqual(Object.keys(CHECKS).sort());
});

test('there are no marks of Markdown in it', async () => {
  const all: { readonly text: string }[] = JSON.parse((await callCli(['explain', '--json'])).stdout);
  const texts = all.map(({ text }) => text);
  expect(texts.filter((text) => text.trim() === '' || /`|\]\(|\*\*\w|^#/m.test(text))).toEqual([]);
});

test('a notice, paragraph by paragraph', async () => {
  const { status, stdout, stderr } = await callCli(['explain', 'no-publication']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(
    /^no-publication \(notice\)\n\nNote\. git has no earlier state .*\n\n- If git ignores/,
  );
  expect(stdout).toMatch(/\n\nSee which history to choose \(resync-static help history\)\.\n$/);
});

test.each([
  ['hash-differs', 'error', '§7', 'A file has another checksum than the listed one.', 'Purge its cache'],
  ['extension', 'note', '§7', 'There are elements or attributes of another namespace.', 'tell its authors'],
])('the finding %s', async (code, severity, section, meaning, advice) => {
  const { status, stdout } = await callCli(['explain', code]);
  expect(status).toBe(0);
  expect(stdout).toContain(`${code} (${severity} of an audit, ${section})\n\n${meaning}`);
  expect(stdout).toContain(advice);
  const report = JSON.parse((await callCli(['explain', code, '--json'])).stdout);
  expect(report).toMatchObject({
    code,
    kind: 'finding',
    severity,
    section,
    text: expect.stringContaining(meaning),
  });
});

test('without a code, it lists notices, findings and errors', async () => {
  const { status, stdout } = await callCli(['explain']);
  expect(status).toBe(0);
  const listed = Array.from(stdout.matchAll(/^ {2}([a-z][a-z\d-]*) {2,}\S/gm), ([, code = '']) => code);
  const codes = readFileSync(join(ROOT, 'src/base/errors.ts'), 'utf8').matchAll(/^ {2}\| '([a-z-]+)'/gm);
  const errors = Array.from(codes, ([, code = '']) => code);
  expect([...listed].sort()).toEqual([...NOTICE_CODES, ...Object.keys(CHECKS), ...errors].sort());
  const { kind, text } = JSON.parse((await callCli(['explain', 'site-empty', '--json'])).stdout);
  expect({ kind, text }).toEqual({ kind: 'error', text: 'the folder has no file to list' });
});

test.each([
  [['no-publicaton'], 'no-publicaton is not a code. Did you mean no-publication?'],
  [['constructor'], 'constructor is not a code. To list all, run resync-static explain'],
  [['set-empty', '--dumps'], '--dumps is not an option of explain'],
])('explain %j is refused', async (args, says) => {
  const { status, stdout, stderr } = await callCli(['explain', ...args]);
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `Error ${says}\n` });
});

test('a manual that was removed is named, without a stack trace', () => {
  expect(() => readManual('removed')).toThrow(
    expect.objectContaining({
      code: 'file-unreadable',
      message: expect.stringMatching(
        /^The manual of resync-static cannot be read: .*docs\/removed\.md \(ENOENT\)\.\nInstall the package again/,
      ),
    }),
  );
});

test('nothing that is printed names a repository that may not exist', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const wrong = sources.filter(
    (name) =>
      name.endsWith('.ts') && readFileSync(join(ROOT, 'src', name), 'utf8').includes('github.com/OWNER'),
  );
  expect(wrong).toEqual([]);
});
