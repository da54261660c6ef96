/** Reads options by path in configuration files of generators, with a mark for uncertain values. */

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
  walkNodes,
} from './edit/tree.js';

/** Value of an option that is computed, or that something unreadable may set. */
export const UNKNOWN = Symbol('unknown');

/** The value of an option; undefined if it is missing. */
export type OptionValue = string | boolean | undefined | typeof UNKNOWN;

/**
 * Returns the value of an option by its path: `build.outDir`; `plugins.sitemap().hostname` in the argument of a call in a list;
 * `kit.adapter().pages` in the argument of a call that is a value.
 */
export type Options = (path: string) => OptionValue;

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
    // Options are found in `resyncStatic({})`, `add(resyncStatic, {})`, `['resync-static/nuxt', {}]` and `resyncStatic: {}`.
    const named = childOf(node, 'callee') ?? childOf(node, 'key');
    const given = [...childrenOf(node, 'arguments'), ...childrenOf(node, 'elements')];
    const parts = [named, childOf(node, 'value'), ...given];
    if (!parts.some((one) => /^resync-?static(?:\/\w+)?$/i.test(nameOf(one) ?? ''))) continue;
    const objects = parts.map((one) => script?.resolve(one));
    const object = objects.find((one) => one?.type === 'ObjectExpression');
    if (script !== undefined && object !== undefined)
      return (path) => readPath(script, object, path.split('.'));
    if (node.type === 'CallExpression' && given.length === 0) return () => undefined;
  }
  return () => UNKNOWN;
}

/** Joins the options of several configurations; the first one that has an option counts. */
export function joinOptions(all: readonly Options[]): Options {
  return (path) => all.map((options) => options(path)).find((one) => one !== undefined);
}

function readToml(text: string): Options {
  try {
    return readJson(JSON.stringify(parse(text)));
  } catch {
    // Mistakes in the syntax are not reported: the generator itself does that.
    return () => UNKNOWN;
  }
}

function readJson(text: string): Options {
  // JSON, also with comments, is an expression of JavaScript if it is in parentheses.
  const script = parseScript(`(${text}\n)`);
  const value = script && childOf(script.statements[0], 'expression');
  return script === undefined ? () => UNKNOWN : (path) => readPath(script, value, path.split('.'));
}

function readScript(text: string): Options {
  const script = parseScript(text);
  if (script === undefined) return () => UNKNOWN;
  const constants = script.statements
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((statement) => childrenOf(childOf(statement, 'declaration'), 'declarations'));
  const exported = script.findExport()?.value;
  const body = isFunction(exported) ? childOf(exported, 'body') : undefined;
  const statements = childrenOf(body, 'body');
  const object = script.findObject(exported);
  // Conditions, loops and computed results make all options of a script uncertain.
  const isKnown =
    object !== undefined ||
    (exported === undefined
      ? constants.length > 0
      : body?.type === 'BlockStatement' && isStraight(statements));
  return (path) => {
    const [first = '', ...rest] = path.split('.');
    const constant = constants.find((one) => nameOf(childOf(one, 'id')) === first);
    if (constant !== undefined) return readPath(script, childOf(constant, 'init'), rest);
    // The path `setOutputDirectory()` means a statement such as `config.setOutputDirectory('www')`.
    const calls = statements.map((one) => childOf(one, 'expression'));
    const call = calls.findLast(
      (one) => `${nameOf(childOf(childOf(one, 'callee'), 'property'))}()` === first,
    );
    const [called] = childrenOf(call, 'arguments');
    if (!isKnown) return UNKNOWN;
    if (called !== undefined) return readPath(script, called, rest);
    return object && readPath(script, object, [first, ...rest]);
  };
}

function readPath(script: Script, from: Node | undefined, path: readonly string[]): OptionValue {
  const node = script.resolve(from);
  const [step, ...rest] = path;
  if (step === undefined) {
    const value = /^(?:String|Boolean)Literal$/.test(node?.type ?? '') ? node?.['value'] : undefined;
    return typeof value === 'string' || typeof value === 'boolean' ? value : UNKNOWN;
  }
  const name = step.replace('()', '');
  const readInner = (inner: Node | undefined): OptionValue => {
    if (step === name) return readPath(script, inner, rest);
    const call = script.resolve(inner);
    const [argument] = childrenOf(call, 'arguments');
    if (call?.type !== 'CallExpression') return UNKNOWN;
    return argument && readPath(script, argument, rest);
  };
  if (node?.type === 'ArrayExpression') {
    const call = childrenOf(node, 'elements').find((one) => nameOf(childOf(one, 'callee')) === name);
    return call && readInner(call);
  }
  if (node?.type !== 'ObjectExpression') return UNKNOWN;
  const properties = childrenOf(node, 'properties');
  const at = properties.findLastIndex((one) => isNamed(one, name));
  // Spread objects and computed names may set any option.
  const isOpen = properties
    .slice(at + 1)
    .some((one) => one['computed'] === true || one.type === 'SpreadElement');
  if (isOpen) return UNKNOWN;
  return at === -1 ? undefined : readInner(childOf(properties[at], 'value'));
}

/** Reads lines `key: value` of YAML and `key = value` of Python. Other syntax makes options uncertain. */
function readLines(text: string, isYaml: boolean): Options {
  const [own = ''] = isYaml
    ? text.replace(/^---.*\n/, '').split(/^(?:---|\.\.\.)/m)
    : [text.replace(/("""|''')[\s\S]*?\1/g, '0')];
  // Merged maps of YAML, and maps in braces, may set any option.
  const isOpen =
    isYaml && (/^(?:<<|INHERIT)\s*:/m.test(own) || (own.trim() !== '' && !/^["'\w][^:\n]*:/m.test(own)));
  return (path) => {
    const line = new RegExp(`^(["']?)${path}\\1[ \\t]*${isYaml ? ':(?!\\S)' : '=(?!=)'}(.*)$`, 'gm');
    const rest = [...own.matchAll(line)].at(-1)?.[2];
    return rest === undefined ? (isOpen ? UNKNOWN : undefined) : readScalar(rest.trim(), isYaml);
  };
}

function readScalar(text: string, isYaml: boolean): OptionValue {
  const [, double, single] = matchGroups(/^(?:"((?:[^"\\])*)"|'([^']*)')\s*(?:#.*)?$/, text);
  const quoted = double ?? single;
  if (quoted !== undefined) return quoted;
  const bare = text.replace(/(?:^|\s+)#.*$/, '');
  if (bare === '') return undefined;
  if (/^(?:true|yes|on)$/i.test(bare)) return true;
  if (/^(?:false|no|off)$/i.test(bare)) return false;
  const isPlain = isYaml && /^[^\s"'&*!|>{[%@`?-]/.test(bare);
  return isPlain ? bare : UNKNOWN;
}
