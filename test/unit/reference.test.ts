/** `docs/reference.md` has every flag, option, default, exit status, variable and error code, and no other. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveAudit } from '../../src/audit/config.js';
import { COMMANDS, FLAGS, findCommand, flagsOf } from '../../src/cli/arguments/table.js';
import type { UserConfig } from '../../src/config/options.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { resolveMirror } from '../../src/mirror/config.js';
import { resolveChannel } from '../../src/tell/channel/config.js';
import { resolveNotify } from '../../src/tell/notify/config.js';
import { ROOT, readPage, readRows } from '../support/documentation.js';
import { callCli } from '../support/site.js';

const PAGE = 'docs/reference.md';
const SOURCE = 'https://example.org/';
const RESOLVERS: Readonly<Record<string, (user: object) => unknown>> = {
  audit: (user) => resolveAudit({ source: SOURCE, ...user }),
  mirror: (user) => resolveMirror({ source: SOURCE, folder: 'copy', ...user }),
  channel: (user) => resolveChannel({ source: SOURCE, ...user }),
  notify: (user) => resolveNotify({ source: SOURCE, indexnow: 'a'.repeat(8), ...user }),
};
const REQUIRED = { site: 'dist', url: 'https://example.org/' };

/** The names in the first cells of a section's tables. */
const namesOf = (heading: string, pattern: RegExp) =>
  readRows(PAGE, heading).flatMap(([cell = '']) => cell.match(pattern) ?? []);

const escapeCell = (text: string) => text.replaceAll('|', '\\|');

test('the commands are those of the table', () => {
  const rows = COMMANDS.map((command) => {
    const { operands, text } = findCommand(command);
    return [`\`${escapeCell(`${command} ${operands}`)}\``, text];
  });
  expect(readRows(PAGE, '## Commands')).toEqual([['command', 'what it does'], ...rows]);
});

test('the flags are those of the table, section by section', () => {
  const sections = [...new Set(FLAGS.map(({ owners }) => owners))];
  const rows = sections.flatMap((section) => {
    const isShared = section.length === COMMANDS.length;
    const flags = FLAGS.filter(({ owners }) => owners === section);
    const written = flags.map(({ name, value, choice, short, preset, text, isRepeatable }) => [
      `\`--${name}${choice === undefined ? '' : `[=${choice}]`}${value === undefined ? '' : ` ${escapeCell(value)}`}\`${short === undefined ? '' : `, \`-${short}\``}`,
      ...(isShared ? [] : [preset]),
      `${escapeCell(text)}${isRepeatable ? '; repeatable' : ''}`,
    ]);
    return [['flag', ...(isShared ? [] : ['default']), 'what it does'], ...written];
  });
  expect(readRows(PAGE, '## Flags')).toEqual(rows);
});

test('what stands before a table of flags names who takes them', () => {
  const [, page = ''] = readPage(PAGE).split('\n## Flags\n');
  const [text = ''] = page.split('\n## ');
  const heads = text.match(/^For .*:$/gm) ?? [];
  const sections = [...new Set(FLAGS.map(({ owners }) => owners))];
  expect(heads).toHaveLength(sections.length);
  for (const [index, section] of sections.entries()) {
    if (section.length === COMMANDS.length) continue;
    const [, commands = '', besides = ''] = /^For (.*?)(?:, besides (.*))?:$/.exec(heads[index] ?? '') ?? [];
    expect(commands.match(/(?<=`)[a-z]+(?=`)/g)).toEqual(section);
    const others = flagsOf(section[0] ?? 'describe').filter(
      ({ owners }) => owners !== section && owners.length < COMMANDS.length,
    );
    if (!besides.startsWith('those above'))
      expect((besides.match(/--[a-z-]+/g) ?? []).sort()).toEqual(
        others.map(({ name }) => `--${name}`).sort(),
      );
  }
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
    expect(namesOf('## Exit status', /^\d$/g)).toEqual(
      expect.arrayContaining(statuses.match(/\b\d\b/g) ?? []),
    );
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

/** The name of each option, and its default if the row shows a value. */
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
  expect(
    namesOf('## Library', /^`[a-z]+-[\w-]+`$/g)
      .map((cell) => cell.slice(1, -1))
      .sort(),
  ).toEqual(codes.sort());
});
