/** The tables of the documentation name the checks that there are, and say of them what is so. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/standard/rules/checks.js';
import { ROOT } from '../support/documentation.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

const [standard = '', promised = ''] = read('docs/conformance.md').split('\n## What we promise\n');

test('docs/findings.md lists every check, with its severity and section', () => {
  const listed = rowsOf(read('docs/findings.md')).filter(([, severity = '']) =>
    /^(?:error|warning|note)$/.test(severity),
  );
  const expected = Object.entries(CHECKS).map(([code, { severity, section }]) => [
    `\`${code}\``,
    severity,
    section,
  ]);
  expect(listed.map((row) => row.slice(0, 3)).sort()).toEqual(expected.sort());
});

test('docs/conformance.md names checks that exist, or says why there is none', () => {
  const demands = rowsOf(standard).slice(1);
  expect(demands.length).toBeGreaterThan(70);
  for (const [section, demand, checks = ''] of demands) {
    const codes = [...checks.matchAll(/`([a-z0-9-]+)`/g)].map(([, code]) => code);
    expect(Object.keys(CHECKS), `${section} ${demand}`).toEqual(expect.arrayContaining(codes));
    if (codes.length === 0) expect(checks).toMatch(/^none: \w/);
  }
  const sections = new Set(demands.map(([section]) => section));
  for (const section of [
    '§6.1',
    '§6.3.2',
    '§6.3.3',
    '§7',
    '§8',
    '§9',
    '§10.1',
    '§10.2',
    '§11.1',
    '§11.2',
    '§12.1',
    '§12.2',
    '§13.1',
    '§13.2',
    '§14.4',
    '§14.8',
    'Appendix A',
    'Archives §3',
    'Archives §5',
  ]) {
    expect(sections).toContain(section);
  }
});

test('docs/conformance.md names a test for each promise', () => {
  const promises = rowsOf(promised).slice(1);
  expect(promises.length).toBeGreaterThan(50);
  const missing = promises.filter(([, , file = '', title = '']) => {
    const path = `test/${file.slice(1, -1)}.test.ts`;
    const text = existsSync(join(ROOT, path)) ? read(path) : '';
    return !["'", '"', '`'].some((quote) => text.includes(quote + title.slice(1, -1) + quote));
  });
  expect(missing).toEqual([]);
});
