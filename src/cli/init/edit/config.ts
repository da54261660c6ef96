/** Insertion of our plugin into the configuration of a framework, if its place is certain. */

import { lineEndOf } from '../../../site/discovery/lines.js';
import {
  childOf,
  childrenOf,
  isFunction,
  isNamed,
  type Node,
  nameOf,
  parseScript,
  type Script,
  unwrap,
  walkNodes,
} from './tree.js';

/** Our plugin for a framework, and its place in the configuration. */
export interface Plugin {
  /** Module of the plugin, such as `resync-static/astro`. */
  readonly module: string;
  /**
   * Form of the plugin. `call`: a statement in the exported function. `list`: an item of a list. `name`: an item that is only a
   * name, which the framework imports. `option`: the value of an option. `wrap`: a call around the value of an option.
   */
  readonly kind: 'call' | 'list' | 'name' | 'option' | 'wrap';
  /** Name of the option that holds the plugin, or of the method for `call`. */
  readonly option: string;
  /** For `wrap`: names of the option and of the call whose objects hold `option`. Other objects may have an option of that name. */
  readonly owners?: readonly string[];
}

export type PluginOptions = Readonly<Record<string, string | true>>;

/** A text to insert into a script before the character at the index `at`. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Name under which a configuration imports our plugin. */
const PLUGIN = 'resyncStatic';

const joinArguments = (...all: readonly string[]) => all.filter(Boolean).join(', ');

/** Writes the options of the plugin in JavaScript; '' if there are none. */
function writeOptions(options: PluginOptions): string {
  const write = (value: string | true) =>
    typeof value === 'string' && /^[^'"\\\r\n]*$/.test(value) ? `'${value}'` : JSON.stringify(value);
  const written = Object.entries(options).map(([name, value]) => `${name}: ${write(value)}`);
  return written.length === 0 ? '' : `{ ${written.join(', ')} }`;
}

function writeItem({ module, kind }: Plugin, options: string): string {
  if (kind !== 'name') return `${PLUGIN}(${options})`;
  return options === '' ? `'${module}'` : `['${module}', ${options}]`;
}

/** Writes the property that holds the plugin or, for `call`, the statement that adds it. */
function writePlaced(plugin: Plugin, options: string, receiver = 'config'): string {
  const { kind, option } = plugin;
  if (kind === 'call') return `${receiver}.${option}(${joinArguments(PLUGIN, options)})`;
  if (kind === 'wrap') return `${option}: ${PLUGIN}(${joinArguments(`${option}()`, options)})`;
  const item = writeItem(plugin, options);
  return `${option}: ${kind === 'option' ? item : `[${item}]`}`;
}

/** Writes the lines that a user can paste to add the plugin. @param text of the configuration */
export function writeLines(plugin: Plugin, options: PluginOptions, text: string): readonly string[] {
  const { kind, module } = plugin;
  const line = `${writePlaced(plugin, writeOptions(options))}${kind === 'call' ? ';' : ','}`;
  const isCommonJs = kind === 'call' && /\bmodule\.exports\b/.test(text);
  return kind === 'name' ? [line] : [`${writeImport(module, isCommonJs)};`, line];
}

/** Returns the text of a new configuration, to which the plugin can be added. */
export const seedOf = ({ kind }: Plugin) =>
  kind === 'call' ? 'export default function (config) {}\n' : 'export default {};\n';

/** Adds the plugin to the text of a configuration; undefined if its place is uncertain. */
export function addPlugin(text: string, plugin: Plugin, options: PluginOptions): string | undefined {
  const script = parseScript(text);
  const exported = script?.findExport();
  const isImported = plugin.kind !== 'name';
  const names = isImported ? /\bresyncStatic\b/g : /(['"])resync-static\/\w+\1/g;
  if (script === undefined || exported === undefined || script.code.match(names) !== null) return undefined;
  // Of the plugins that a configuration must import, only that for Eleventy, `call`, is known to work in CommonJS.
  if (exported.isCommonJs && isImported && plugin.kind !== 'call') return undefined;
  const placed = placePlugin(script, exported.value, plugin, writeOptions(options));
  if (placed === undefined) return undefined;
  const imported = isImported ? [makeImport(script, plugin.module, exported.isCommonJs)] : [];
  const result = applyInsertions(script, [...imported, ...placed]);
  const parsed = parseScript(result);
  const isSound =
    parsed?.statements.length === script.statements.length + imported.length &&
    parsed.code.match(names)?.length === imported.length + 1;
  return isSound ? result : undefined;
}

/** Applies insertions to a script; those at the same index keep their order. */
function applyInsertions({ text, code }: Script, insertions: readonly Insertion[]): string {
  const count = (mark: string) => code.split(mark).length;
  // Inserted strings get the quotation marks that the script uses more often.
  const quote = (added: string) => (count('"') > count("'") ? added.replaceAll("'", '"') : added);
  const fromTheEnd = [...insertions].reverse().sort((a, b) => b.at - a.at);
  return fromTheEnd.reduce(
    (result, { at, text: added }) => result.slice(0, at) + quote(added) + result.slice(at),
    text,
  );
}

function placePlugin(script: Script, value: Node, plugin: Plugin, options: string): Insertion[] | undefined {
  const { kind, option, owners = [] } = plugin;
  if (kind === 'call') {
    const body = childOf(value, 'body');
    const receiver = nameOf(childrenOf(value, 'params')[0]);
    if (!isFunction(value) || body?.type !== 'BlockStatement' || receiver === undefined) return undefined;
    // The statement goes to the end of the function: plugins run in the order in which they were added.
    return insertItem(script, body, `${writePlaced(plugin, options, receiver)}${semicolonOf(script)}`);
  }
  const object = script.findObject(value);
  if (object === undefined) return undefined;
  if (kind === 'wrap') {
    const owned = [...walkNodes(object)].flatMap((one) => {
      const name = nameOf(childOf(one, 'key') ?? childOf(one, 'callee'));
      const values = [childOf(one, 'value'), ...childrenOf(one, 'arguments')];
      return owners.some((owner) => owner === name) ? values.map((value) => script.resolve(value)) : [];
    });
    const found = owned.flatMap((one) => childrenOf(one, 'properties')).filter((one) => isNamed(one, option));
    const call = found.length === 1 ? script.resolve(childOf(found[0], 'value')) : undefined;
    if (call?.type !== 'CallExpression') return undefined;
    const end = options === '' ? ')' : `, ${options})`;
    return [
      { at: call.start, text: `${PLUGIN}(` },
      { at: call.end, text: end },
    ];
  }
  const properties = childrenOf(object, 'properties');
  const property = properties.find((one) => isNamed(one, option));
  if (property !== undefined) {
    const list = kind === 'option' ? undefined : unwrap(childOf(property, 'value'));
    return list?.type === 'ArrayExpression'
      ? insertItem(script, list, writeItem(plugin, options))
      : undefined;
  }
  // A spread object may contain the option, which a new property would override.
  if (properties.some(({ type }) => type === 'SpreadElement')) return undefined;
  return insertItem(script, object, writePlaced(plugin, options));
}

/** Makes the insertions that add an item at the end of an array, an object or a block, in the style of the script. */
function insertItem({ text, code }: Script, list: Node, item: string): Insertion[] {
  const [key, space] = LISTS[list.type as keyof typeof LISTS];
  const items = childrenOf(list, key);
  const [first, last] = [items[0], items.at(-1)];
  const start = lineEndOf(text) + indentAt(text, list.start);
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const indent = first === undefined ? start + unit : lineEndOf(text) + indentAt(text, first.start);
  const isOpen = code.slice(list.start, first?.start ?? list.end).includes('\n');
  if (last?.type === 'ReturnStatement') return [{ at: last.start, text: `${item}${indent}` }];
  // Before a comment at the end of a line, into which an item would disappear.
  const at = (isOpen ? text : code).slice(0, list.end - 1).trimEnd().length;
  if (key === 'body') return [{ at, text: `${indent}${item}${isOpen ? '' : start}` }];
  if (last === undefined) return [{ at, text: isOpen ? `${indent}${item},` : space + item + space }];
  const hasComma = /^\s*,/.test(code.slice(last.end));
  const comma = hasComma ? [] : [{ at: last.end, text: ',' }];
  return [...comma, { at, text: isOpen ? `${indent}${item}${hasComma ? ',' : ''}` : ` ${item}` }];
}

/** Types of nodes that hold a list, with the key of the list, and the space within brackets on one line. */
const LISTS = {
  ArrayExpression: ['elements', ''],
  ObjectExpression: ['properties', ' '],
  BlockStatement: ['body', ' '],
} as const;

/** Returns the white space with which the line of an index begins. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

const writeImport = (module: string, isCommonJs: boolean) =>
  isCommonJs ? `const { default: ${PLUGIN} } = require('${module}')` : `import ${PLUGIN} from '${module}'`;

/** Makes the insertion that imports our plugin: after other imports, or before the first statement and its comments. */
function makeImport(script: Script, module: string, isCommonJs: boolean): Insertion {
  const { text, code, directives, statements } = script;
  const newline = lineEndOf(text);
  const line = `${writeImport(module, isCommonJs)}${semicolonOf(script)}`;
  const isImport = ({ type, start, end }: Node) =>
    type === 'ImportDeclaration' || /^(?:const|var|let)\b[^;]*\brequire\(/.test(code.slice(start, end));
  const last = statements.filter(isImport).at(-1) ?? directives.at(-1);
  if (last !== undefined) {
    // The import goes after a comment that ends the line of the last import.
    const space = /^[ \t]*(?=[\r\n]|$)/.exec(code.slice(last.end))?.[0].length ?? 0;
    return { at: last.end + space, text: `${newline}${line}` };
  }
  const head = /^\ufeff?(?:(?:#!|\/\/)[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const gap = /^\r?\n/.test(text.slice(head)) ? '' : newline;
  return { at: head, text: `${line}${newline}${gap}` };
}

/** Returns the semicolon for a statement; '' if the script is written without semicolons. */
function semicolonOf({ code }: Script): string {
  return /^(?:import|const)\b/m.test(code) && !/;[ \t]*$/m.test(code) ? '' : ';';
}
