/** Reads the arguments of the command line: what is asked for, and what cannot be understood. */

import { parseArgs } from 'node:util';
import { suggest } from '../text/suggest.js';

const OPTIONS = {
  url: { type: 'string' },
  config: { type: 'string' },
  urls: { type: 'string' },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  hash: { type: 'string' },
  history: { type: 'string' },
  record: { type: 'boolean' },
  dumps: { type: 'boolean' },
  robots: { type: 'boolean' },
  'html-links': { type: 'boolean' },
  headers: { type: 'string' },
  page: { type: 'boolean' },
  feed: { type: 'boolean' },
  'page-links': { type: 'boolean' },
  'exit-code': { type: 'boolean' },
  sample: { type: 'string' },
  since: { type: 'string' },
  against: { type: 'string' },
  'max-bytes': { type: 'string' },
  'max-time': { type: 'string' },
  strict: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  verbose: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const COMMANDS = ['describe', 'watch', 'diff', 'audit'] as const;
type Command = (typeof COMMANDS)[number];
const DESCRIBING = [
  'hash',
  'history',
  'record',
  'dumps',
  'robots',
  'html-links',
  'headers',
  'page',
  'feed',
  'page-links',
];
const AUDITING = ['sample', 'since', 'against', 'max-bytes', 'max-time', 'strict'];

/** What the options hold, as it was written. */
export type Values = Readonly<Partial<Record<keyof typeof OPTIONS, string | boolean | (string | boolean)[]>>>;

export interface Arguments {
  readonly command: Command;
  /** A folder; for an audit, perhaps a URL. */
  readonly site: string | undefined;
  readonly values: Values;
  /** All that cannot be understood, a line each. */
  readonly mistakes: readonly string[];
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
  const mistakes = [
    ...tokens.flatMap((token) => (token.kind === 'option' ? findOptionMistake(token) : [])),
    ...findCommandMistakes(command ?? 'describe', values),
    ...(sites.length > 1 ? [`Give only one site, not ${sites.join(', ')}`] : []),
  ];
  return { command: command ?? 'describe', site: sites[0], values, mistakes };
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
  const foreign = [
    ...(command === 'audit' ? DESCRIBING : AUDITING),
    ...(command === 'diff' ? [] : ['exit-code']),
  ];
  const mistakes = foreign
    .filter((name) => name in values)
    .map((name) => `--${name} is not an option of ${command}`);
  if (command === 'watch' && values['record'] === true) {
    mistakes.push('--record does not work with watch. Record what you deploy, in a run of its own');
  }
  return mistakes;
}
