/** Options in configuration files of generators, read by path, with a mark for uncertain values. */

import { parse } from 'smol-toml';
import { matchGroups } from '../../base/text/match.js';
import {
  childOf,
  childrenOf,
  isFunction,
  isNamed,
  isStraight,
  type Node,
  nameOf,
  parseScript,
  type Script,
  unwrap,
  walkNodes,
} from './edit/tree.js';

/** The value of an option. */
export interface OptionValue {
  /** Undefined if the option is missing or computed. If not `isSure`, it is only a proposal. */
  readonly value: string | boolean | undefined;
  readonly isSure: boolean;
  /** Whether a flag of a command has it. */
  readonly isFlag?: boolean;
}

/**
 * Returns an option by its path: `build.outDir`; `plugins.sitemap().hostname` for the argument of a call in a list;
 * `kit.adapter().pages` for that of a call that is a value.
 */
export type Options = (path: string) => OptionValue;

const ABSENT: OptionValue = { value: undefined, isSure: true };
const UNSURE: OptionValue = { value: undefined, isSure: false };

export function readOptions(file: string, text: string): Options {
  const plain = text.replace(/^\ufeff/, '');
  if (/\.(?:ya?ml|py)$/.test(file)) return readLines(plain, !file.endsWith('.py'));
  if (file.endsWith('.toml')) return readToml(plain);
  return /\.jsonc?$/.test(file) ? readJson(plain) : readScript(plain);
}

/** Reads the options of our plugin in the configuration of a framework. */
export function readPluginOptions(text: string): Options {
  const script = parseScript(text);
  for (const node of script?.statements.flatMap((one) => [...walkNodes(one)]) ?? []) {
    // `resyncStatic({})`, `add(resyncStatic, {})`, `['resync-static/nuxt', {}]` and `resyncStatic: {}`.
    const named = childOf(node, 'callee') ?? childOf(node, 'key');
    const given = [...childrenOf(node, 'arguments'), ...childrenOf(node, 'elements')];
    const parts = [named, childOf(node, 'value'), ...given];
    if (!parts.some((one) => /^resync-?static(?:\/\w+)?$/i.test(nameOf(one) ?? ''))) continue;
    const objects = parts.map((one) => script?.resolve(one));
    const object = objects.find((one) => one?.type === 'ObjectExpression');
    if (script !== undefined && object !== undefined)
      return (path) => readPath(script, object, path.split('.'));
    if (node.type === 'CallExpression' && given.length === 0) return () => ABSENT;
  }
  return () => UNSURE;
}

/** Joins configurations; the first one that has an option counts. */
export function joinOptions(all: readonly Options[]): Options {
  return (path) => firstValue(all.map((options) => options(path)));
}

export function firstValue(all: readonly OptionValue[]): OptionValue {
  return all.find(isGiven) ?? ABSENT;
}

export const isGiven = ({ value, isSure }: OptionValue): boolean => value !== undefined || !isSure;

function readToml(text: string): Options {
  try {
    return readJson(JSON.stringify(parse(text)));
  } catch {
    // The generator reports mistakes in its configuration.
    return () => UNSURE;
  }
}

function readJson(text: string): Options {
  // JSON, also with comments, is an expression of JavaScript if it is in parentheses.
  const script = parseScript(`(${text}\n)`);
  const value = script && childOf(script.statements[0], 'expression');
  return script === undefined ? () => UNSURE : (path) => readPath(script, value, path.split('.'));
}

function readScript(text: string): Options {
  const script = parseScript(text);
  if (script === undefined) return () => UNSURE;
  const constants = script.statements
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((statement) => childrenOf(childOf(statement, 'declaration'), 'declarations'));
  const exported = script.findExport()?.value;
  const body = isFunction(exported) ? childOf(exported, 'body') : undefined;
  const statements = childrenOf(body, 'body');
  const object = script.findObject(exported);
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
    // A statement such as `config.setOutputDirectory('www')`, by the step `setOutputDirectory()`.
    const calls = statements.map((one) => childOf(one, 'expression'));
    const call = calls.findLast(
      (one) => `${nameOf(childOf(childOf(one, 'callee'), 'property'))}()` === first,
    );
    const [called] = childrenOf(call, 'arguments');
    if (called !== undefined) return doubt(readPath(script, called, rest), isKnown);
    return object === undefined ? { ...ABSENT, isSure: isKnown } : readPath(script, object, [first, ...rest]);
  };
}

function readPath(script: Script, from: Node | undefined, path: readonly string[]): OptionValue {
  const node = script.resolve(from);
  const [step, ...rest] = path;
  if (step === undefined) return readValue(node);
  const name = step.replace('()', '');
  const readInner = (inner: Node | undefined): OptionValue => {
    if (step === name) return readPath(script, inner, rest);
    const call = script.resolve(inner);
    const [argument] = childrenOf(call, 'arguments');
    if (call?.type !== 'CallExpression') return UNSURE;
    return argument === undefined ? ABSENT : readPath(script, argument, rest);
  };
  if (node?.type === 'ArrayExpression') {
    const call = childrenOf(node, 'elements').find((one) => nameOf(childOf(one, 'callee')) === name);
    return call === undefined ? ABSENT : readInner(call);
  }
  if (node?.type !== 'ObjectExpression') return UNSURE;
  const properties = childrenOf(node, 'properties');
  const at = properties.findLastIndex((one) => isNamed(one, name));
  // Spread objects and computed names may set any option.
  const isPlain = properties
    .slice(at + 1)
    .every((one) => one['computed'] !== true && one.type !== 'SpreadElement');
  return doubt(at === -1 ? ABSENT : readInner(childOf(properties[at], 'value')), isPlain);
}

const doubt = ({ value, isSure }: OptionValue, isPlain: boolean): OptionValue => ({
  value,
  isSure: isSure && isPlain,
});

function readValue(node: Node | undefined): OptionValue {
  const value = /^(?:String|Boolean)Literal$/.test(node?.type ?? '') ? node?.['value'] : undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return { value, isSure: true };
  // In `process.env.BASE || '/docs/'`, the last value is a proposal.
  const other = childOf(node, 'right') ?? childOf(node, 'alternate');
  return other === undefined ? UNSURE : doubt(readValue(unwrap(other)), false);
}

/** Reads lines `key: value` of YAML and `key = value` of Python. Other syntax makes options uncertain. */
function readLines(text: string, isYaml: boolean): Options {
  const [own = ''] = isYaml
    ? text.replace(/^---.*\n/, '').split(/^(?:---|\.\.\.)/m)
    : [text.replace(/("""|''')[\s\S]*?\1/g, '0')];
  // Merged maps and maps in braces may set any option.
  const isOpen =
    isYaml && (/^(?:<<|INHERIT)\s*:/m.test(own) || (own.trim() !== '' && !/^["'\w][^:\n]*:/m.test(own)));
  return (path) => {
    const line = new RegExp(`^(["']?)${path}\\1[ \\t]*${isYaml ? ':(?!\\S)' : '=(?!=)'}(.*)$`, 'gm');
    const rest = [...own.matchAll(line)].at(-1)?.[2];
    return rest === undefined ? (isOpen ? UNSURE : ABSENT) : readScalar(rest.trim(), isYaml);
  };
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
