/** The manual has every flag, option, default, exit status, variable, check and error code, and no other. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePages, readOptions } from '../../manual.mjs';
import { resolveAudit } from '../../src/audit/config.js';
import * as table from '../../src/cli/arguments/table.js';
import type { UserConfig } from '../../src/config/options.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { resolveMirror } from '../../src/mirror/config.js';
import * as checks from '../../src/standard/rules/checks.js';
import { resolveChannel } from '../../src/tell/channel/config.js';
import { resolveNotify } from '../../src/tell/notify/config.js';
import { ROOT, readPage } from '../support/documentation.js';
import { callCli } from '../support/site.js';

const { COMMANDS, FLAGS, flagsOf } = table;
const PAGE = 'docs/reference.md';
const SOURCE = 'https://example.org/';
const RESOLVERS: Readonly<Record<string, (user: object) => unknown>> = {
  audit: (user) => resolveAudit({ source: SOURCE, ...user }),
  mirror: (user) => resolveMirror({ source: SOURCE, folder: 'copy', ...user }),
  channel: (user) => resolveChannel({ source: SOURCE, ...user }),
  notify: (user) => resolveNotify({ source: SOURCE, indexnow: 'a'.repeat(8), ...user }),
};
const REQUIRED = { site: 'dist', url: 'https://example.org/' };

/** What a section names in its items. */
const namesOf = (heading: string, pattern: RegExp) => {
  const [, section = ''] = readPage(PAGE).split(`\n${heading}\n`);
  const items = section.split(/^## /m)[0]?.match(/^- .*?(?=: )/gm) ?? [];
  return items.flatMap((item) => item.match(pattern) ?? []);
};

test.each(Object.entries(makePages({ table, checks })))('%s has the tables of the code', (page, text) => {
  expect(readPage(page)).toBe(text);
});

test.each(COMMANDS)(
  '%s --help tells of every flag, variable and exit status of the command',
  async (command) => {
    const { stdout: help } = await callCli([command, '--help']);
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(help).toContain(`\nExample: resync-static ${command === 'describe' ? './dist' : command}`);
    const [, options = ''] = help.split(/\nOptions(?: of all commands)?\n(.*)/s);
    const flags = [...options.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);
    expect(flags).toEqual(flagsOf(command).map(({ name }) => name));

    const [, environment = ''] = /\nEnvironment\n(.*?)\n\n/s.exec(help) ?? [];
    const variables = environment.match(/\b[A-Z][A-Z_]{4,}\b/g) ?? [];
    expect(namesOf('## Environment variables', /[A-Z_]{2,}/g)).toEqual(expect.arrayContaining(variables));
    const [, statuses = ''] = help.split('Exit status');
    expect(namesOf('## Exit status', /\d/g)).toEqual(expect.arrayContaining(statuses.match(/\b\d\b/g) ?? []));
    expect((await callCli(['help', command])).stdout).toBe(help);
  },
);

test('--help alone is short, and names every command', async () => {
  const { stdout: help } = await callCli(['--help']);
  const lines = help.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.filter((line) => line.startsWith('  ')).map((line) => line.trim().split(' ')[0])).toEqual(
    expect.arrayContaining([...COMMANDS]),
  );
});

test.each(FLAGS.filter(({ preset }) => preset.startsWith('`')))(
  '--$name is $preset by default',
  ({ key = '', preset, owners: [command] }) => {
    const given = preset.slice(1, -1);
    const value = key === 'hash' ? given.split(',') : /^\d+$/.test(given) ? Number(given) : given;
    const resolve = RESOLVERS[command ?? ''] ?? ((user: object) => resolveConfig({ ...REQUIRED, ...user }));
    expect(JSON.stringify(resolve({ [key]: value }))).toBe(JSON.stringify(resolve({})));
  },
);

const OPTIONS = readOptions();

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

const VALUES = OPTIONS.filter(
  ({ preset }) => preset.startsWith('`') && !preset.startsWith('`page.') && !preset.startsWith('`og:'),
);

test('defaults are told', () => expect(VALUES.length).toBeGreaterThan(12));

test.each(VALUES)('$name is $preset by default', ({ name, preset }) => {
  const given: unknown = JSON.parse(preset.slice(1, -1).replaceAll("'", '"'));
  const [key = '', inner] = name.split('.');
  const config = { [key]: inner === undefined ? given : { [inner]: given } };
  const without = inner === undefined ? {} : { [key]: {} };
  expect(plain(config)).toEqual(plain(without));
});

/** A resolved configuration without its functions. */
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
  expect(namesOf('## Library', /(?<=^- `)[a-z]+-[a-z-]+(?=`)/gm).sort()).toEqual(codes.sort());
});
