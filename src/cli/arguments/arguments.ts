/** Reads the arguments of the command line: what is asked for, and what cannot be understood. */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findNearest, suggest } from '../../base/text/suggest.js';

const OPTIONS = {
  url: { type: 'string' },
  config: { type: 'string' },
  urls: { type: 'string' },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  hash: { type: 'string' },
  history: { type: 'string' },
  source: { type: 'string' },
  record: { type: 'boolean' },
  dumps: { type: 'boolean' },
  archives: { type: 'boolean' },
  robots: { type: 'boolean' },
  'html-links': { type: 'boolean' },
  headers: { type: 'string' },
  versions: { type: 'boolean' },
  withdraw: { type: 'string', multiple: true },
  page: { type: 'boolean' },
  feed: { type: 'boolean' },
  'page-links': { type: 'boolean' },
  channels: { type: 'string' },
  noindex: { type: 'string' },
  'exit-code': { type: 'boolean' },
  sample: { type: 'string' },
  since: { type: 'string' },
  against: { type: 'string' },
  'max-bytes': { type: 'string' },
  'max-time': { type: 'string' },
  strict: { type: 'boolean' },
  host: { type: 'string' },
  build: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  set: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  from: { type: 'string' },
  'max-delete': { type: 'string' },
  'no-delete': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  verify: { type: 'boolean' },
  changes: { type: 'string' },
  concurrency: { type: 'string' },
  rate: { type: 'string' },
  every: { type: 'string' },
  follow: { type: 'boolean' },
  at: { type: 'string' },
  wait: { type: 'string' },
  channel: { type: 'string', multiple: true },
  hub: { type: 'string', multiple: true },
  indexnow: { type: 'string' },
  'indexnow-endpoint': { type: 'string' },
  port: { type: 'string' },
  connections: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  verbose: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const COMMANDS = ['describe', 'watch', 'diff', 'audit', 'mirror', 'channel', 'notify', 'init'] as const;
type Command = (typeof COMMANDS)[number];
const DESCRIBING = [
  'hash',
  'history',
  'source',
  'record',
  'dumps',
  'archives',
  'robots',
  'html-links',
  'headers',
  'versions',
  'withdraw',
  'page',
  'feed',
  'page-links',
  'channels',
  'noindex',
];
const BOUNDING = ['max-bytes', 'max-time'];
const AUDITING = ['sample', 'since', 'against', 'strict', ...BOUNDING];
const BEGINNING = ['host', 'build', 'yes'];
const MIRRORING = [
  ...['set', 'allow', 'header', 'from', 'max-delete', 'no-delete', 'dry-run', 'verify', 'changes'],
  ...['concurrency', 'rate', 'follow'],
];
/** How a folder becomes URLs. */
const LISTING = ['url', 'config', 'urls', 'include', 'exclude'];
const SERVING = ['port', 'connections'];
const TELLING = ['at', 'wait', 'channel', 'hub', 'indexnow', 'indexnow-endpoint'];
/** What each command does not take of the options of others. */
const FOREIGN: Readonly<Record<Command, readonly string[]>> = {
  describe: [...AUDITING, ...MIRRORING, ...SERVING, ...TELLING, ...BEGINNING, 'every', 'exit-code'],
  watch: [...AUDITING, ...MIRRORING, ...SERVING, ...TELLING, ...BEGINNING, 'every', 'exit-code'],
  diff: [...AUDITING, ...MIRRORING, ...SERVING, ...TELLING, ...BEGINNING, 'every'],
  audit: [...DESCRIBING, ...MIRRORING, ...SERVING, ...TELLING, ...BEGINNING, 'every', 'exit-code'],
  mirror: [
    ...[...DESCRIBING, ...SERVING, ...TELLING, ...BEGINNING, ...LISTING, 'exit-code'],
    ...AUDITING.filter((name) => !BOUNDING.includes(name)),
  ],
  channel: [
    ...[...DESCRIBING, ...AUDITING, ...MIRRORING, ...TELLING, ...LISTING],
    ...['build', 'yes', 'exit-code'],
  ],
  notify: [
    ...[...DESCRIBING, ...MIRRORING, ...SERVING, ...BEGINNING, 'every', 'exit-code'],
    ...AUDITING.filter((name) => name !== 'since'),
    ...['urls', 'include', 'exclude'],
  ],
  init: [
    ...[...DESCRIBING, ...AUDITING, ...MIRRORING, ...SERVING, ...TELLING],
    ...['every', 'exit-code', 'config', 'include', 'exclude'],
  ],
};

/** What the options hold, as it was written. */
export type Values = Readonly<Partial<Record<keyof typeof OPTIONS, string | boolean | (string | boolean)[]>>>;

export interface Arguments {
  readonly command: Command;
  /** A folder; for `audit` and `notify`, perhaps a URL. */
  readonly site: string | undefined;
  /** Where a mirror puts its copy. */
  readonly folder: string | undefined;
  readonly values: Values;
  /** All that cannot be understood, a line each. */
  readonly mistakes: readonly string[];
  /** The options of a configuration whose flags are among these mistakes: nothing more is to be said of them. */
  readonly told: readonly string[];
}

export function readArguments(argv: readonly string[]): Arguments {
  const { tokens, positionals, values } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const command = COMMANDS.find((name) => name === positionals[0]);
  const sites = command === undefined ? positionals : positionals.slice(1);
  const wrong = tokens
    .filter((token) => token.kind === 'option')
    .map((token) => ({ name: token.name, mistakes: findOptionMistake(token) }))
    .filter(({ mistakes }) => mistakes.length > 0);
  const unknown = command === undefined ? findUnknownCommand(sites) : undefined;
  const mistakes = [
    ...(unknown === undefined ? [] : [unknown]),
    ...new Set(wrong.flatMap((one) => one.mistakes)),
    ...findCommandMistakes(command ?? 'describe', values),
    ...(unknown === undefined ? findSiteMistakes(command ?? 'describe', sites) : []),
  ];
  // Of a command that does not exist, nobody knows what it needs.
  const told = [
    ...wrong.map(({ name }) => nameOption(name)),
    ...(unknown === undefined ? [] : ['site', 'url']),
  ];
  return { command: command ?? 'describe', site: sites[0], folder: sites[1], values, mistakes, told };
}

/** `maxBytes` for `max-bytes`. */
function nameOption(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Words that other programs take for commands. What is also the name of a folder that builds write is not among them. */
const VERBS = new Set(
  'add check deploy generate help info install list ls new publish push run serve start status sync update validate verify version'.split(
    ' ',
  ),
);

/** A word in the place of a command that is neither one nor a folder. */
function findUnknownCommand([word, ...others]: readonly string[]): string | undefined {
  if (word === undefined || !/^[a-z][a-z-]*$/.test(word) || existsSync(word)) return undefined;
  const nearest = findNearest(word, COMMANDS);
  // A folder that is yet to be built may be called much like a command, as `dist` is like `diff`.
  const isMeant =
    VERBS.has(word) ||
    others.length > 0 ||
    (nearest !== undefined && nearest[0] === word[0] && word.length > 4);
  if (!isMeant) return undefined;
  const advice =
    word === 'help' || word === 'version'
      ? `Did you mean --${word}?`
      : nearest === undefined || VERBS.has(word)
        ? `The commands are ${COMMANDS.join(', ')}`
        : `Did you mean ${nearest}?`;
  return `${word} is not a command, and there is no folder of this name. ${advice}`;
}

function findSiteMistakes(command: Command, sites: readonly string[]): string[] {
  if (command === 'mirror')
    return sites.length > 2 ? [`Give one URL and one folder, not ${sites.join(', ')}`] : [];
  return sites.length > 1 ? [`Give only one site, not ${sites.join(', ')}`] : [];
}

/** An option, as `parseArgs` tells of it. */
interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value follows an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

function findOptionMistake({ name, rawName, value, inlineValue }: OptionToken): string[] {
  const option = Object.entries(OPTIONS).find(([known]) => known === name)?.[1];
  if (option === undefined) {
    return [`${rawName} is not an option. ${suggest(name, Object.keys(OPTIONS), '--')}`];
  }
  if (option.type === 'boolean') {
    return value === undefined ? [] : [`${rawName} takes no value, but has ${JSON.stringify(value)}`];
  }
  if (value === undefined || value === '') return [`${rawName} needs a value`];
  if (inlineValue !== true && value.startsWith('--')) {
    return [`${rawName} needs a value. If ${value} is the value, write ${rawName}=${value}`];
  }
  return [];
}

function findCommandMistakes(command: Command, values: Readonly<Record<string, unknown>>): string[] {
  const mistakes = FOREIGN[command]
    .filter((name) => name in values)
    .map((name) => `--${name} is not an option of ${command}`);
  if (command === 'watch' && values['record'] === true) {
    mistakes.push('--record does not work with watch. Record what you deploy, in a run of its own');
  }
  return mistakes;
}
