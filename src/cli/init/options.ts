/** Options in configuration files of generators, read by path, with a mark for uncertain values. */

import { matchGroups } from '../../base/text/match.js';
import {
  childOf,
  childrenOf,
  findExport,
  findObject,
  isFunction,
  isNamed,
  isStraight,
  type Node,
  nameOf,
  parseScript,
  resolve,
  type Script,
  unwrap,
} from './edit/tree.js';

/** The value of an option. */
export interface OptionValue {
  /** Undefined if the option is missing or computed. If not `isSure`, it is only a proposal. */
  readonly value: string | boolean | undefined;
  readonly isSure: boolean;
}

/**
 * Returns an option by its path: `build.outDir`; `plugins.sitemap().hostname` for the argument of a call in a list;
 * `kit.adapter().pages` for that of a call that is a value.
 */
export type Options = (path: string) => OptionValue;

const ABSENT: OptionValue = { value: undefined, isSure: true };
const UNSURE: OptionValue = { value: undefined, isSure: false };

/** @param isCaseless whether names are case-insensitive, as in Hugo */
export function readOptions(file: string, text: string, isCaseless = false): Options {
  const plain = text.replace(/^\ufeff/, '');
  const extension = file.slice(file.lastIndexOf('.') + 1);
  if (/^(?:ya?ml|toml|py)$/.test(extension)) return readLines(plain, extension, isCaseless);
  return /^jsonc?$/.test(extension) ? readJson(plain) : readScript(plain);
}

/** Joins configurations; the first one that has an option counts. */
export function joinOptions(all: readonly Options[]): Options {
  return (path) => firstValue(all.map((options) => options(path)));
}

export function firstValue(all: readonly OptionValue[]): OptionValue {
  return all.find(({ value, isSure }) => value !== undefined || !isSure) ?? ABSENT;
}

function readJson(text: string): Options {
  // JSON, also with comments, is an expression of JavaScript if it is in parentheses.
  const script = parseScript(`(${text}\n)`);
  const value = script && childOf(script.statements[0] ?? {}, 'expression');
  return script === undefined ? () => UNSURE : (path) => readPath(script, value, path.split('.'));
}

function readScript(text: string): Options {
  const script = parseScript(text);
  if (script === undefined) return () => UNSURE;
  const constants = script.statements
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((statement) => childrenOf(childOf(statement, 'declaration') ?? {}, 'declarations'));
  const exported = findExport(script)?.value;
  const body = exported && isFunction(exported) ? childOf(exported, 'body') : undefined;
  const statements = childrenOf(body ?? {}, 'body');
  const object = exported && findObject(script, exported);
  // Conditions, loops and computed results make all options uncertain.
  const isKnown =
    object !== undefined ||
    (exported === undefined
      ? constants.length > 0
      : body?.type === 'BlockStatement' && isStraight(statements));
  return (path) => {
    const [first = '', ...rest] = path.split('.');
    const constant = constants.find((one) => nameOf(childOf(one, 'id')) === first);
    if (constant !== undefined) return readPath(script, childOf(constant, 'init'), rest);
    const called = statements.flatMap((one) => findArgument(childOf(one, 'expression'), first)).at(-1);
    if (called !== undefined) return doubt(readPath(script, called, rest), isKnown);
    return object === undefined ? { ...ABSENT, isSure: isKnown } : readPath(script, object, [first, ...rest]);
  };
}

/** Finds the argument of a call such as `config.setOutputDirectory('www')`, by the step `setOutputDirectory()`. */
function findArgument(call: Node | undefined, step: string): readonly Node[] {
  const callee = call?.type === 'CallExpression' ? childOf(call, 'callee') : undefined;
  const method = callee?.type === 'MemberExpression' ? nameOf(childOf(callee, 'property')) : undefined;
  return call !== undefined && `${method}()` === step ? childrenOf(call, 'arguments').slice(0, 1) : [];
}

function readPath(script: Script, node: Node | undefined, [step, ...rest]: readonly string[]): OptionValue {
  const value = resolve(script, node);
  if (step === undefined) return readValue(value);
  const name = step.replace('()', '');
  const read = (inner: Node | undefined) =>
    step === name ? readPath(script, inner, rest) : readArgument(script, inner, rest);
  if (value?.type === 'ObjectExpression') {
    const properties = childrenOf(value, 'properties');
    const at = properties.findLastIndex((one) => isNamed(one, name));
    // Spread objects and computed names may set any option.
    const isSure = properties
      .slice(at + 1)
      .every((one) => one['computed'] !== true && one.type !== 'SpreadElement');
    const said = at === -1 ? ABSENT : read(childOf(properties[at] ?? {}, 'value'));
    return doubt(said, isSure);
  }
  if (value?.type !== 'ArrayExpression') return UNSURE;
  const calls = childrenOf(value, 'elements').filter(({ type }) => type === 'CallExpression');
  const call = calls.find((one) => nameOf(childOf(one, 'callee')) === name);
  return call === undefined ? ABSENT : read(call);
}

function readArgument(script: Script, node: Node | undefined, path: readonly string[]): OptionValue {
  const call = resolve(script, node);
  if (call?.type !== 'CallExpression') return UNSURE;
  const [argument] = childrenOf(call, 'arguments');
  return argument === undefined ? ABSENT : readPath(script, argument, path);
}

const doubt = ({ value, isSure }: OptionValue, isPlain: boolean): OptionValue => ({
  value,
  isSure: isSure && isPlain,
});

function readValue(node: Node | undefined): OptionValue {
  if (node === undefined) return UNSURE;
  const value = /^(?:String|Boolean)Literal$/.test(node.type) ? node['value'] : undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return { value, isSure: true };
  // In `process.env.BASE || '/docs/'`, the last value is a proposal.
  const other = childOf(node, 'right') ?? childOf(node, 'alternate');
  return other === undefined ? UNSURE : doubt(readValue(unwrap(other)), false);
}

/** Reads lines `key: value` of YAML and `key = value` of TOML and Python. Other syntax makes options uncertain. */
function readLines(text: string, language: string, isCaseless: boolean): Options {
  const isYaml = /^ya?ml$/.test(language);
  const fold = (path: string) => (isCaseless ? path.toLowerCase() : path);
  const said = new Map<string, OptionValue>();
  let table = '';
  let end: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      continue;
    }
    if (isYaml && /^(?:---|\.\.\.)/.test(line) && said.size > 0) break;
    const header = language === 'toml' ? /^\s*\[{1,2}([^\]]+)\]/.exec(line)?.[1] : undefined;
    if (header !== undefined) table = `${header.trim()}.`;
    const [, , name, rest = ''] =
      (isYaml
        ? /^(["']?)([^\s"'#&*!|>{[-][^"']*?)\1\s*:(?:\s+(.*))?$/
        : language === 'toml'
          ? /^\s*(["']?)([\w.-]+)\1\s*=\s*(.*)$/
          : /^()(\w+)\s*=(?!=)\s*(.*)$/
      ).exec(line) ?? [];
    if (name === undefined) continue;
    said.set(fold(`${table}${name}`), readScalar(rest.trim(), isYaml));
    const [, mark = '', more = ''] = matchGroups(/("""|''')(.*)$/, isYaml ? '' : rest);
    if (mark !== '' && !more.includes(mark)) end = mark;
  }
  // Merged maps and maps in braces may set any option.
  const isOpen = isYaml && (/^(?:<<|INHERIT)\s*:/m.test(text) || (said.size === 0 && text.trim() !== ''));
  return (path) => said.get(fold(path)) ?? (isOpen ? UNSURE : ABSENT);
}

function readScalar(text: string, isYaml: boolean): OptionValue {
  const [, double, single] = matchGroups(/^(?:"((?:[^"\\])*)"|'([^']*)')\s*(?:#.*)?$/, text);
  const quoted = double ?? single;
  if (quoted !== undefined) return { value: quoted, isSure: true };
  const bare = text.replace(/(?:^|\s+)#.*$/, '');
  if (bare === '') return ABSENT;
  if (/^(?:true|yes|on)$/i.test(bare)) return { value: true, isSure: true };
  if (/^(?:false|no|off)$/i.test(bare)) return { value: false, isSure: true };
  const isPlain = isYaml && /^[^\s"'&*!|>{[%@`?-]/.test(bare);
  return isPlain ? { value: bare, isSure: true } : UNSURE;
}
