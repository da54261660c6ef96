/** Parses the command line, and collects the mistakes in it. */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeConfigError } from '../../base/options/mistakes.js';
import { findRemoved } from '../../base/options/removed.js';
import { findNearest, suggest } from '../../base/text/suggest.js';
import { isKeyText } from '../../config/options.js';
import { COMMANDS, type Command, FLAGS, type FlagName, findConfigured, flagsOf } from './table.js';

/** Values of flags as the user gave them, unchecked. */
export type Values = Readonly<Partial<Record<FlagName, string | boolean | (string | boolean)[]>>>;

export interface Arguments {
  readonly command: Command;
  /** First operand: a folder, a URL, or the code for `explain`. */
  readonly site: string | undefined;
  /** Second operand: the folder of the copy for `mirror`. */
  readonly folder: string | undefined;
  readonly values: Values;
  /** Topic of the requested help: a command, a page of the manual, or '' for the summary; undefined if no help is wanted. */
  readonly help: string | undefined;
  /** Mistakes in the command line, each in one line; reported together with those in options. */
  readonly mistakes: readonly string[];
  /** Options whose mistakes are in `mistakes`; they are not reported again. */
  readonly reported: readonly string[];
}

/** First line of the error for a wrong command line, or wrong options. */
export const CANNOT_RUN = 'The command cannot run';

/** Parses a command line. @throws ResyncError `config-invalid` for an unknown command */
export function readArguments(argv: readonly string[]): Arguments {
  const options = FLAGS.map(({ name, value, short, isRepeatable }) => [
    name,
    {
      type: value === undefined ? 'boolean' : 'string',
      multiple: isRepeatable,
      ...(short !== undefined && { short }),
    } as const,
  ]);
  const { tokens, positionals, values } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const [word, topic = ''] = positionals;
  const named = COMMANDS.find((name) => name === word);
  const command = named ?? 'describe';
  const operands = named === undefined ? positionals : positionals.slice(1);
  const help = word === 'help' ? topic : values['help'] === true ? (named ?? '') : undefined;
  const wrong = tokens
    .filter((token) => token.kind === 'option')
    .flatMap((token) => {
      const mistake = findFlagMistake(token, command);
      return mistake === undefined ? [] : [{ name: token.name, mistake }];
    });
  // The word after a wrong flag may be its value, so operands are checked only if all flags are right.
  const isJudged = wrong.length === 0;
  const isNameless = isJudged && named === undefined && help === undefined;
  const unknown = isNameless ? findUnknownCommand(operands, values) : undefined;
  if (unknown !== undefined) throw makeConfigError([unknown], CANNOT_RUN);
  const mistakes = [
    ...wrong.map(({ mistake }) => mistake),
    ...findCommandMistakes(command, values),
    ...(isJudged ? findOperandMistakes(command, operands) : []),
  ];
  const reported = FLAGS.filter((flag) => wrong.some(({ name }) => name === flag.name));
  return {
    ...{ command, site: operands[0], folder: operands[1], values, help, mistakes },
    reported: reported.flatMap(({ key }) => key ?? []),
  };
}

function findOperandMistakes(command: Command, operands: readonly string[]): string[] {
  if (command === 'mirror')
    return operands.length > 2 ? [`Give one URL and one folder, not ${operands.join(', ')}`] : [];
  return operands.length > 1 ? [`Give only one site, not ${operands.join(', ')}`] : [];
}

/** Words the mistake of a first operand that seems to be meant as a command, but is neither a command nor a folder; undefined for other operands. */
function findUnknownCommand([word = '', ...others]: readonly string[], values: object): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(word) || existsSync(word)) return undefined;
  const nearest = findNearest(word, COMMANDS);
  // A folder that is not built yet may be named like a command, as `dist` and `diff`; its URL is usually given, too.
  if (others.length === 0 && (word.length <= 4 || 'url' in values)) return undefined;
  const advice =
    nearest === undefined ? `The commands are ${COMMANDS.join(', ')}` : `Did you mean ${nearest}?`;
  return `${word} is not a command, and there is no folder of this name. ${advice}`;
}

/** The part of an option token of `parseArgs` that is used. */
interface FlagToken {
  readonly name: string;
  /** The flag as it was written, with hyphens. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** True if the value of the flag follows an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

function findFlagMistake(
  { name, rawName, value, inlineValue }: FlagToken,
  command: Command,
): string | undefined {
  const flag = FLAGS.find((one) => one.name === name);
  for (const gone of [rawName, `${rawName}=${value}`]) {
    const substitute = findRemoved(gone);
    if (substitute !== undefined) return `${gone} is gone. ${substitute}`;
  }
  if (flag === undefined) {
    const option = findConfigured(name);
    return option === undefined
      ? `${rawName} is not an option. ${suggestFlag(name, command)}`
      : `${rawName} is not an option of the command line. Write ${option} into the configuration file`;
  }
  if (flag.value === undefined)
    return value === undefined ? undefined : `${rawName} takes no value, but has ${JSON.stringify(value)}`;
  if (name === 'sign' && value !== undefined && isKeyText(value))
    return `${rawName} takes the path of a key, and not the key itself, which everybody on this machine could see. Put it into the variable RESYNC_SIGNING_KEY`;
  if (value === undefined || value === '') return `${rawName} needs a value`;
  return inlineValue !== true && value.startsWith('--')
    ? `${rawName} needs a value. If ${value} is the value, write ${rawName}=${value}`
    : undefined;
}

function suggestFlag(name: string, command: Command): string {
  const own = flagsOf(command).map((flag) => flag.name);
  const begun = own.find((one) => one.startsWith(name));
  return begun === undefined ? suggest(name, own, '--') : `Did you mean --${begun}?`;
}

/** Flags that mean nothing without another, which is the first. */
const GO_WITH: Partial<Record<Command, readonly [string, ...string[]]>> = {
  describe: ['rows', 'before', 'into', 'state', 'at'],
  diff: ['gone', 'live'],
};

function findCommandMistakes(command: Command, values: Readonly<Record<string, unknown>>): string[] {
  const own = new Set(flagsOf(command).map(({ name }) => name));
  const foreign = new Set(FLAGS.map(({ name }) => name).filter((name) => name in values && !own.has(name)));
  const mistakes = [...foreign].map((name) => {
    const substitute = findRemoved(`${command} --${name}`);
    return substitute === undefined
      ? `--${name} is not an option of ${command}`
      : `--${name} is gone from ${command}. ${substitute}`;
  });
  const [needed = '', ...flags] = GO_WITH[command] ?? [];
  if (!(needed in values))
    for (const name of flags)
      if (name in values) mistakes.push(`--${name} goes with --${needed}. Add --${needed}`);
  if (command === 'watch' && values['record'] === true) {
    mistakes.push('--record does not work with watch. Record what you deploy, in a run of its own');
  }
  return mistakes;
}
