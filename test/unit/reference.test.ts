/** `docs/reference.md` has every flag, option, default, exit status, variable and error code, and no other. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { ROOT, readRows } from '../support/documentation.js';
import { runCli } from '../support/site.js';

const PAGE = 'docs/reference.md';
const REQUIRED = { site: 'dist', url: 'https://example.org/' };

/** The names in the first cells of a section's tables. */
const namesOf = (heading: string, pattern: RegExp) =>
  readRows(PAGE, heading).flatMap(([cell = '']) => cell.match(pattern) ?? []);

test('flags, exit statuses and variables are those of --help', async () => {
  const { stdout: help } = await runCli(['--help']);
  const flags = help.match(/--[a-z][a-z-]+/g) ?? [];
  // Two commands may share one.
  expect([...new Set(namesOf('## Flags', /--[a-z-]+/g))].sort()).toEqual([...new Set(flags)].sort());

  const [, environment = ''] = help.split('\nEnvironment\n');
  const variables = environment.match(/\b[A-Z][A-Z_]{4,}\b/g) ?? [];
  expect(variables).toHaveLength(3);
  expect(namesOf('## Environment variables', /[A-Z_]{2,}/g)).toEqual(expect.arrayContaining(variables));

  const [, statuses = ''] = help.split('Exit status');
  expect(namesOf('## Exit status', /^\d$/g)).toEqual(statuses.match(/\b\d\b/g));
});

/** Of each option, the words in its row: its name and, where it is a value, its default. */
const OPTIONS = readRows(PAGE, '## Configuration file').flatMap(([cell = '', value = '']) => {
  const [, name] = /^`([\w.]+)`$/.exec(cell) ?? [];
  return name === undefined ? [] : [{ name, value }];
});

/** The names of a part of the schema: what a mistake in it proposes. */
function proposedFor(config: object): string[] {
  try {
    resolveConfig({ ...REQUIRED, ...config } as UserConfig);
  } catch (error) {
    const lists = String(error).match(/(?:\w+, )+(?:and |or )?\w+/g) ?? [];
    const longest = lists.reduce((one, other) => (other.length > one.length ? other : one), '');
    return longest.split(/, (?:and |or )?/);
  }
  throw new Error('no mistake was found');
}

test.each([
  ['', { qqqqqqqqqqqqqqqq: 1 }],
  ['changes.', { changes: { qqqqqqqqqqqqqqqq: 1 } }],
  ['archives.', { archives: { qqqqqqqqqqqqqqqq: 1 } }],
  ['dumps.', { dumps: { qqqqqqqqqqqqqqqq: 1 } }],
  ['sets.', { sets: [{ name: 'a', qqqqqqqqqqqqqqqq: 1 }] }],
])('the options %s… are those of the schema', (prefix, config) => {
  const names = OPTIONS.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  const own = names.map((name) => name.slice(prefix.length)).filter((name) => !name.includes('.'));
  expect(own.sort()).toEqual(proposedFor(config).sort());
});

const VALUES = OPTIONS.filter(({ value }) => value.startsWith('`'));

test('defaults are told', () => expect(VALUES.length).toBeGreaterThan(12));

test.each(VALUES)('$name is $value by default', ({ name, value }) => {
  const given: unknown = JSON.parse(value.slice(1, -1).replaceAll("'", '"'));
  const [key = '', inner] = name.split('.');
  const config = { [key]: inner === undefined ? given : { [inner]: given } };
  const without = inner === undefined ? {} : { [key]: {} };
  expect(plain(config)).toEqual(plain(without));
});

/** What a configuration comes to, without its functions. */
function plain(config: object): unknown {
  return JSON.parse(JSON.stringify(resolveConfig({ ...REQUIRED, ...config } as UserConfig)));
}

test('every error code is told', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));
  const [, rest = ''] = sources.join('\n').split('export type ErrorCode =');
  const [union = ''] = rest.split(';\n');
  const codes = [...union.matchAll(/\| '([\w-]+)'/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(
    namesOf('## Library', /^`[a-z]+-[\w-]+`$/g)
      .map((cell) => cell.slice(1, -1))
      .sort(),
  ).toEqual(codes.sort());
});
