/** Parses the command line, and collects all mistakes in it. */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findRemoved } from '../../base/options/removed.js';
import { findNearest, suggest } from '../../base/text/suggest.js';
import { DEFAULTS, isKeyText } from '../../config/options.js';
import {
  COMMANDS,
  type Command,
  type CommandFlag,
  FLAGS,
  type FlagName,
  findConfigured,
  flagsOf,
} from './table.js';

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
  /** Mistakes in the command line, each in one line. */
  readonly mistakes: readonly string[];
  /** Options whose mistakes are in `mistakes`, or follow from those; they are not reported again. */
  readonly reported: readonly string[];
}

export function readArguments(argv: readonly string[]): Arguments {
  const options = FLAGS.map(({ name, value, short, isRepeatable }) => [
    name,
    {
      type: value === undefined ? 'boolean' : 'string',
      multiple: isRepeatable,
      ...(short !== undefined && { short }),
    } as const,
  ]);
  const { tokens, values } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = tokens.filter((token) => token.kind === 'option');
  const words = tokens.filter((token) => token.kind === 'positional');
  // A word after an unknown flag counts as the value of that flag, unless the flag looks like a switch.
  const valuesBehind = new Set(
    flags
      .filter(({ name, value }) => value === undefined && isUnknown(name) && !isSwitch(name, words[0]?.value))
      .map(({ index }) => index + 1),
  );
  const positionals = words.filter(({ index }) => !valuesBehind.has(index)).map(({ value }) => value);
  const [word, topic = ''] = positionals;
  const named = COMMANDS.find((name) => name === word);
  const command = named ?? 'describe';
  const sites = named === undefined ? positionals : positionals.slice(1);
  const wrong = flags
    .map((token) => ({ ...token, mistake: findFlagMistake(token, command) }))
    .filter(({ mistake }) => mistake !== undefined);
  const unknown = named === undefined ? findUnknownCommand(sites) : undefined;
  const mistakes = [
    ...(unknown === undefined ? [] : [unknown]),
    ...new Set(wrong.flatMap(({ mistake = [] }) => mistake)),
    ...findCommandMistakes(command, values),
    ...(unknown === undefined ? findSiteMistakes(command, sites) : []),
  ];
  const meant = wrong
    .filter(({ rawName }) => findRemoved(rawName) === undefined)
    .map(({ name }) => findMeant(name, command));
  const reported = [
    ...meant.flatMap((flag) => flag?.key ?? []),
    // An unknown command may need no site, and an unknown flag may have taken the site for its value.
    ...(unknown === undefined && !meant.includes(undefined) ? [] : ['site', 'url']),
  ];
  const help = word === 'help' ? topic : values['help'] === true ? (named ?? '') : undefined;
  return { command, site: sites[0], folder: sites[1], values, help, mistakes, reported };
}

/** Names of commands in other programs, without usual names of output folders such as `build`. */
const VERBS = new Set(
  'add check deploy generate info install list ls new publish push run serve start status sync update validate verify version'.split(
    ' ',
  ),
);

/** Writes a message about a first word that is neither a command nor a folder; undefined unless it seems to be meant as a command. */
function findUnknownCommand([word, ...others]: readonly string[]): string | undefined {
  if (word === undefined || !/^[a-z][a-z-]*$/.test(word) || existsSync(word)) return undefined;
  const nearest = findNearest(word, COMMANDS);
  // A folder that is not built yet may be named like a command, as `dist` and `diff`.
  const isMeant =
    VERBS.has(word) ||
    others.length > 0 ||
    (nearest !== undefined && nearest[0] === word[0] && word.length > 4);
  if (!isMeant) return undefined;
  const advice =
    word === 'version'
      ? 'Did you mean --version?'
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
    const removed = findRemoved(gone);
    if (removed !== undefined) return `${gone} is gone. ${removed.sentence}`;
  }
  if (flag === undefined) {
    const option = findConfigured(name);
    return option === undefined
      ? `${rawName} is not an option. ${suggestFlag(name, command)}`
      : `${rawName} is not an option of the command line. Write ${option} into the configuration file`;
  }
  if (flag.value === undefined) {
    return value === undefined || value === flag.choice
      ? undefined
      : `${rawName} takes no value, but has ${JSON.stringify(value)}`;
  }
  if (name === 'sign' && value !== undefined && isKeyText(value))
    return `${rawName} takes the path of a key, and not the key itself, which everybody on this machine could see. Put it into the variable RESYNC_SIGNING_KEY`;
  if (value === undefined || value === '') return `${rawName} needs a value`;
  return inlineValue !== true && value.startsWith('--')
    ? `${rawName} needs a value. If ${value} is the value, write ${rawName}=${value}`
    : undefined;
}

/** Finds the flag that a wrong name probably means, preferably a flag of the command. */
function findMeant(name: string, command: Command): CommandFlag | undefined {
  const find = (flags: readonly CommandFlag[]) => {
    const names = flags.map((flag) => flag.name);
    const meant = names.find((one) => one.startsWith(name)) ?? findNearest(name, names);
    return flags.find((flag) => flag.name === meant);
  };
  return find(flagsOf(command)) ?? find(FLAGS);
}

function suggestFlag(name: string, command: Command): string {
  const own = flagsOf(command).map((flag) => flag.name);
  const begun = own.find((one) => one.startsWith(name));
  return begun === undefined ? suggest(name, own, '--') : `Did you mean --${begun}?`;
}

function isUnknown(name: string): boolean {
  return FLAGS.every((flag) => flag.name !== name);
}

/** Tests if an unknown flag is probably a switch, which takes no value. @param word where a command may be */
function isSwitch(name: string, word: string | undefined): boolean {
  const option = Object.entries(DEFAULTS).find(([key]) => key === findConfigured(name));
  if (option !== undefined) return typeof option[1] === 'boolean';
  const removed = findRemoved(`--${name}`);
  if (removed !== undefined) return !removed.takesValue;
  const meant = findMeant(name, COMMANDS.find((command) => command === word) ?? 'describe');
  return meant !== undefined && meant.value === undefined && findConfigured(name) === undefined;
}

/** Flags of `describe` that mean nothing without `--rows`. */
const OF_ROWS = ['before', 'into', 'state', 'at'];

function findCommandMistakes(command: Command, values: Readonly<Record<string, unknown>>): string[] {
  const own = new Set(flagsOf(command).map(({ name }) => name));
  const foreign = new Set(FLAGS.map(({ name }) => name).filter((name) => name in values && !own.has(name)));
  const mistakes = [...foreign].map((name) => {
    const removed = findRemoved(`${command} --${name}`);
    return removed === undefined
      ? `--${name} is not an option of ${command}`
      : `--${name} is gone from ${command}. ${removed.sentence}`;
  });
  if (command === 'describe' && values['rows'] === undefined)
    for (const name of OF_ROWS)
      if (name in values) mistakes.push(`--${name} goes with --rows. Name the rows, too`);
  if (command === 'watch' && values['record'] === true) {
    mistakes.push('--record does not work with watch. Record what you deploy, in a run of its own');
  }
  return mistakes;
}
