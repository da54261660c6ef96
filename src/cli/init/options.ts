/** Options in configuration files of generators, read by path, with a mark for uncertain values. */

import { matchGroups } from '../../base/text/match.js';
import {
  childOf,
  childrenOf,
  findExport,
  findNode,
  findObject,
  isFunction,
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

/** Reads the options of our plugin in the configuration of a framework. */
export function readPluginOptions(text: string): Options {
  const script = parseScript(text);
  const nodes = script?.statements.flatMap((one) => [...walkNodes(one)]) ?? [];
  const object = nodes.flatMap(findPluginOptions)[0];
  if (script === undefined || object === undefined) return () => (nodes.some(isPlainCall) ? ABSENT : UNSURE);
  return (path) => readPath(script, object, path.split('.'));
}

const isOurs = (one: Node | undefined) => /^resync-?static(?:\/\w+)?$/i.test(nameOf(one) ?? '');

/** Whether a node is `resyncStatic()`. */
const isPlainCall = (node: Node) =>
  isOurs(childOf(node, 'callee')) && childrenOf(node, 'arguments').length === 0;

/** Finds the options in `resyncStatic({})`, `add(resyncStatic, {})`, `['resync-static/nuxt', {}]` and `resyncStatic: {}`. */
function findPluginOptions(node: Node): readonly Node[] {
  const parts = [
    childOf(node, 'callee') ?? childOf(node, 'key'),
    childOf(node, 'value'),
    ...childrenOf(node, 'arguments'),
    ...childrenOf(node, 'elements'),
  ];
  return parts.some(isOurs) ? parts.flatMap((one) => (one?.type === 'ObjectExpression' ? [one] : [])) : [];
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

function readPath(script: Script, from: Node | undefined, path: readonly string[]): OptionValue {
  const { node, isSure } = findNode(script, from, path);
  return node === undefined ? { ...ABSENT, isSure } : doubt(readValue(node), isSure);
}

const doubt = ({ value, isSure }: OptionValue, isPlain: boolean): OptionValue => ({
  value,
  isSure: isSure && isPlain,
});

function readValue(node: Node): OptionValue {
  const value = /^(?:String|Boolean)Literal$/.test(node.type) ? node['value'] : undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return { value, isSure: true };
  // In `process.env.BASE || '/docs/'`, the last value is a proposal.
  const other = childOf(node, 'right') ?? childOf(node, 'alternate');
  return other === undefined ? UNSURE : doubt(readValue(unwrap(other) ?? other), false);
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
