/** The output of `--help`: a summary, or all about one command. */

import { ResyncError } from '../../base/errors.js';
import { say, Words } from '../../base/text/say.js';
import { findNearest, suggest } from '../../base/text/suggest.js';
import { wrap } from '../../base/text/wrap.js';
import { COMMANDS, type Command, type CommandFlag, findCommand, flagsOf } from './table.js';

/** The page of the manual about each command. */
const PAGES: Readonly<Record<Command, string>> = {
  describe: 'questions',
  watch: 'watch',
  record: 'history',
  diff: 'diff',
  audit: 'audit',
  mirror: 'mirror',
  channel: 'notification',
  notify: 'notification',
  init: 'init',
  explain: 'notices',
};

/** Returns the argument with which `help` prints a page of the manual: `diff.md`, since `diff` prints the help of the command. */
export function nameTopic(page: string): string {
  if (page === 'README') return 'manual';
  return COMMANDS.some((command) => command === page) ? `${page}.md` : page;
}

/** Environment variables, with the commands that read them. */
const VARIABLES: readonly (readonly [name: string, text: string, commands: readonly Command[]])[] = [
  [
    'SOURCE_DATE_EPOCH',
    'the time that the documents give instead of now, in seconds since 1970',
    ['describe', 'watch', 'diff', 'audit', 'mirror'],
  ],
  [
    'RESYNC_HISTORY',
    'a history for one run, which wins over the configuration',
    ['describe', 'watch', 'diff'],
  ],
  ['RESYNC_SIGNING_KEY', 'an SSH key that signs, or its path, as with --sign', ['describe']],
  ['RESYNC_HEADER', 'a header, as with --header, but hidden from other users', ['mirror']],
  ['NO_COLOR', 'prints without colours', COMMANDS],
];

/** Meaning of the exit statuses of each command; status 2 is common to all. */
const STATUSES: Readonly<Record<Command, string>> = {
  describe: '0 done; 1 the work failed, and the lists still fit together',
  watch: '0 ended with Ctrl-C; 1 the work failed',
  record: '0 it is recorded; 1 it is not, and nothing has changed',
  diff: '0 done; 1 the work failed; with --exit-code and --gone, see above',
  audit: '0 no error was found; 1 there are errors, or the work failed',
  mirror: '0 in sync; 1 not in sync, or the work failed; 3 stopped by --max-delete',
  channel: '0 ended with Ctrl-C; 1 the work failed',
  notify: '0 all were notified; 1 one of them was not, or the work failed',
  init: '0 done; 1 the work failed',
  explain: '0 done',
};

/** An example call of each command, for its help. */
const EXAMPLES: Readonly<Record<Command, string>> = {
  describe: './dist --url https://example.org/',
  watch: 'watch ./dist --url https://example.org/',
  record: 'record ./dist --live',
  diff: 'diff ./dist --url https://example.org/',
  audit: 'audit https://example.org/',
  mirror: 'mirror https://example.org/ copy',
  channel: 'channel https://example.org/',
  notify: 'notify ./dist --hub https://hub.example.org/',
  init: 'init',
  explain: 'explain no-publication',
};

/**
 * Formats the help. @param topic a command, or '' for the summary
 * @param columns width of the terminal
 * @param pages of the manual, which a misspelled topic may mean
 * @throws ResyncError `config-invalid` if there is no such command
 */
export function formatHelp(topic: string, columns = 80, pages: readonly string[] = []): Words {
  const width = Math.max(columns, 60);
  if (topic === '' || topic === 'help') return join(summarize(width));
  const command = COMMANDS.find((name) => name === topic);
  if (command !== undefined) return join(describeCommand(command, width));
  const meant = findNearest(topic, [...COMMANDS, ...pages]);
  const advice =
    meant === undefined
      ? `${suggest('', COMMANDS, '', 'commands')}. To list the pages of the manual: resync-static help manual`
      : `Did you mean ${meant}?`;
  throw new ResyncError(
    'config-invalid',
    say`${topic} is neither a command nor a page of the manual. ${advice}`,
  );
}

function join(lines: readonly string[]): Words {
  return Words.asWritten(`${lines.join('\n')}\n`);
}

function summarize(width: number): string[] {
  const commands = COMMANDS.map(
    (command) => [usageOf(command), cutPlain(findCommand(command).text)] as const,
  );
  return [
    ...wrap(
      'Adds lists of all URLs and all changes to a static site, so that others can copy it and keep the copy up to date (ResourceSync, ANSI/NISO Z39.99).',
      width,
    ),
    '',
    'Usage: resync-static <command> [options]; the default command is describe',
    ...alignRows(commands, 29, width),
    '',
    '<site> is the folder that the build writes, such as ./dist.',
    '',
    'Examples',
    ...(['init', 'describe', 'audit'] as const).map((command) => `  resync-static ${EXAMPLES[command]}`),
    '',
    'resync-static help <command> explains a command and its options.',
    'resync-static --version prints the version.',
    'resync-static help manual lists the pages of the manual.',
  ];
}

function describeCommand(command: Command, width: number): string[] {
  const flags = flagsOf(command);
  const own = flags.filter(({ commands }) => commands.length < COMMANDS.length);
  const shared = flags.filter(({ commands }) => commands.length === COMMANDS.length);
  const show = (some: readonly CommandFlag[]) => some.map((flag) => showFlag(flag, command));
  const variables = VARIABLES.filter(([, , commands]) => commands.includes(command));
  const status = `Exit status: ${STATUSES[command]}; 2 the command line or the configuration is wrong.`;
  const groups = [
    ['Options', show(own)],
    ['Options of all commands', show(shared)],
    ['Environment', variables.map(([name, text]) => [name, text] as const)],
  ] as const;
  return [
    `Usage: resync-static ${usageOf(command)} [options]`,
    '',
    ...wrap(`${command} ${makePlain(findCommand(command).text)}.`, width),
    `Example: resync-static ${EXAMPLES[command]}`,
    '',
    ...groups.flatMap(([title, rows]) =>
      rows.length === 0 ? [] : [title, ...alignRows(rows, 22, width), ''],
    ),
    ...wrap(status, width),
    `More: resync-static help ${nameTopic(PAGES[command])}`,
  ];
}

/** Returns a command with its operands, such as `audit <site | URL>`. */
function usageOf(command: Command): string {
  return `${command} ${findCommand(command).operands}`;
}

function showFlag(
  { name, short, value, text, preset, isRepeatable, owners }: CommandFlag,
  command: Command,
): [string, string] {
  const written = `--${name}${short === undefined ? '' : `, -${short}`}${value === undefined ? '' : ` ${value}`}`;
  const unsaid = ['off', 'none'].includes(preset) || preset.startsWith('see ') || !owners.includes(command);
  const rest = `${isRepeatable ? '; may be repeated' : ''}${unsaid ? '' : `; default: ${makePlain(preset)}`}`;
  return [written, makePlain(text) + rest];
}

/** Removes the backticks of a text in Markdown, and a reference to the manual at its end. */
function makePlain(markdown: string): string {
  return markdown.replace(/; see \[.*$/, '').replaceAll('`', '');
}

/** Returns a description in Markdown as plain text, up to its first semicolon. */
function cutPlain(markdown: string): string {
  return makePlain(markdown).replace(/;.*$/, '');
}

/** Aligns names and texts in two columns; a name that is too wide gets a line of its own. */
function alignRows(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
  columns: number,
): string[] {
  return rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrap(text, columns - width - 2);
    const indented = rest.map((line) => ' '.repeat(width + 2) + line);
    return name.length < width
      ? [`  ${name.padEnd(width)}${first}`, ...indented]
      : [`  ${name}`, ' '.repeat(width + 2) + first, ...indented];
  });
}
