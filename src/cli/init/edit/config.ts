/** Insertion of our plugin into the configuration of a framework, if its place is certain. */

import { lineEndOf } from '../../../site/discovery/lines.js';
import { applyInsertions, endOfLine, type Insertion, indentAt, indentStepOf, insertItem } from './insert.js';
import {
  childOf,
  childrenOf,
  findExport,
  findNode,
  findObject,
  isFunction,
  isNamed,
  type Node,
  nameOf,
  parseScript,
  type Script,
  unwrap,
} from './tree.js';

/** The place of a plugin in a configuration. */
export type PluginPlace =
  /** A statement in the function that the configuration exports. */
  | { readonly kind: 'call' }
  /** An item of a list of the object that it exports. */
  | { readonly kind: 'list'; readonly option: string }
  /** A name in such a list, which the framework imports by itself. */
  | { readonly kind: 'name'; readonly option: string }
  /** An option of that object, which holds one function. */
  | { readonly kind: 'option'; readonly option: string }
  /** A call around the value of an option, which is at one of these paths. */
  | { readonly kind: 'wrap'; readonly option: string; readonly paths: readonly string[] };

export interface PluginEdit {
  /** `resync-static/astro`. */
  readonly module: string;
  readonly place: PluginPlace;
  readonly options: PluginOptions;
}

export type PluginOptions = Readonly<Record<string, string | true>>;

/** The name under which the plugin is imported. */
const PLUGIN = 'resyncStatic';

/** Writes options in JavaScript; '' if there are none. */
function writeOptions(options: PluginEdit['options']): string {
  const write = (value: string | true) =>
    typeof value === 'string' && /^[^'"\\\r\n]*$/.test(value) ? `'${value}'` : JSON.stringify(value);
  const written = Object.entries(options).map(([name, value]) => `${name}: ${write(value)}`);
  return written.length === 0 ? '' : `{ ${written.join(', ')} }`;
}

/** Writes the plugin as an item of a list, or as a value. */
function writePlugin({ module, place, options }: PluginEdit, ...before: readonly string[]): string {
  const given = [...before, writeOptions(options)].filter(Boolean).join(', ');
  if (place.kind !== 'name') return `${PLUGIN}(${given})`;
  return given === '' ? `'${module}'` : `['${module}', ${given}]`;
}

/** Writes the lines that add the plugin, for a user to paste. */
export function writeLines(edit: PluginEdit): readonly string[] {
  const { module, place, options } = edit;
  const line = (): string => {
    switch (place.kind) {
      case 'call':
        return `config.addPlugin(${[PLUGIN, writeOptions(options)].filter(Boolean).join(', ')});`;
      case 'wrap':
        return `${place.option}: ${writePlugin(edit, `${place.option}()`)},`;
      case 'option':
        return `${place.option}: ${writePlugin(edit)},`;
      default:
        return `${place.option}: [${writePlugin(edit)}],`;
    }
  };
  return [...(place.kind === 'name' ? [] : [`import ${PLUGIN} from '${module}';`]), line()];
}

/** Returns an empty configuration. */
export const seedOf = ({ kind }: PluginPlace) =>
  kind === 'call' ? 'export default function (config) {}\n' : 'export default {};\n';

/** Returns the text with the plugin added, or undefined if its place is uncertain. */
export function addPlugin(text: string, edit: PluginEdit): string | undefined {
  const script = parseScript(text);
  const exported = script && findExport(script);
  const isImported = edit.place.kind !== 'name';
  const names = isImported ? /\bresyncStatic\b/g : /(['"])resync-static\/\w+\1/g;
  if (script === undefined || exported === undefined || script.code.match(names) !== null) return undefined;
  // Of the places that need an import, only `call`, for Eleventy, is known to work in CommonJS.
  if (exported.isCommonJs && isImported && edit.place.kind !== 'call') return undefined;
  const placed = placePlugin(script, exported.value, edit);
  if (placed === undefined) return undefined;
  const imported = isImported ? [makeImport(script, edit.module, exported.isCommonJs)] : [];
  const result = applyInsertions(text, [...imported, ...placed]);
  const parsed = parseScript(result);
  const isSound =
    parsed?.statements.length === script.statements.length + imported.length &&
    parsed.code.match(names)?.length === imported.length + 1;
  return isSound ? result : undefined;
}

function placePlugin(script: Script, value: Node, edit: PluginEdit): Insertion[] | undefined {
  const { place, options } = edit;
  const written = matchQuotes(writeOptions(options), script.code);
  if (place.kind === 'call') return placeCall(script, value, written);
  const object = findObject(script, value);
  if (place.kind === 'wrap') {
    const found = place.paths.map((path) => object && findNode(script, object, path.split('.')).node);
    const node = found.find((one) => one?.type === 'CallExpression');
    const after = written === '' ? ')' : `, ${written})`;
    return (
      node && [
        { at: node.start, text: `${PLUGIN}(` },
        { at: node.end, text: after },
      ]
    );
  }
  const plugin = matchQuotes(writePlugin(edit), script.code);
  const isList = place.kind === 'list' || place.kind === 'name';
  const property = object && childrenOf(object, 'properties').find((one) => isNamed(one, place.option));
  if (property !== undefined) {
    const list = isList ? unwrap(childOf(property, 'value')) : undefined;
    return list?.type === 'ArrayExpression' ? insertItem(script, list, plugin) : undefined;
  }
  // A spread object may contain the option, which ours would override.
  const isSpread =
    object !== undefined && childrenOf(object, 'properties').some(({ type }) => type === 'SpreadElement');
  if (object === undefined || isSpread) return undefined;
  return insertItem(script, object, `${place.option}: ${isList ? `[${plugin}]` : plugin}`);
}

/** Puts the call at the end of the function: plugins run in the order in which they were added. */
function placeCall(script: Script, value: Node, options: string): Insertion[] | undefined {
  const body = childOf(value, 'body');
  const [parameter] = childrenOf(value, 'params');
  const name = nameOf(parameter);
  if (!isFunction(value) || body?.type !== 'BlockStatement' || name === undefined) return undefined;
  const { text, code } = script;
  const newline = lineEndOf(text);
  const statement = `${name}.addPlugin(${[PLUGIN, options].filter(Boolean).join(', ')})${semicolonOf(code)}`;
  const last = childrenOf(body, 'body').at(-1);
  const isOpen = code.slice(body.start, body.end).includes('\n');
  if (last === undefined) {
    const indent = newline + indentAt(text, value.start);
    const added = `${indent}${indentStepOf(text)}${statement}${isOpen ? '' : indent}`;
    return [{ at: body.start + 1, text: added }];
  }
  if (!isOpen) return undefined;
  const indent = newline + indentAt(text, last.start);
  if (last.type === 'ReturnStatement') return [{ at: last.start, text: `${statement}${indent}` }];
  return [{ at: endOfLine(code, last.end), text: `${indent}${statement}` }];
}

/** Inserts the import after the others, or before the first statement and its comments. */
function makeImport(script: Script, module: string, isCommonJs: boolean): Insertion {
  const { text, code, directives, statements } = script;
  const newline = lineEndOf(text);
  const quoted = matchQuotes(`'${module}'`, code);
  const line = isCommonJs
    ? `const { default: ${PLUGIN} } = require(${quoted})${semicolonOf(code)}`
    : `import ${PLUGIN} from ${quoted}${semicolonOf(code)}`;
  const isImport = ({ type, start, end }: Node) =>
    type === 'ImportDeclaration' || /^(?:const|var|let)\b[^;]*\brequire\(/.test(code.slice(start, end));
  const last = statements.filter(isImport).at(-1) ?? directives.at(-1);
  if (last !== undefined) return { at: endOfLine(code, last.end), text: `${newline}${line}` };
  const head = /^\ufeff?(?:(?:#!|\/\/)[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const gap = /^\r?\n/.test(text.slice(head)) ? '' : newline;
  return { at: head, text: `${line}${newline}${gap}` };
}

/** Returns '' if the script is written without semicolons. */
function semicolonOf(code: string): string {
  return /^(?:import|const)\b/m.test(code) && !/;[ \t]*$/m.test(code) ? '' : ';';
}

/** Writes strings with the quotation marks that the script uses more often. */
function matchQuotes(written: string, code: string): string {
  const count = (mark: string) => code.split(mark).length;
  return count('"') > count("'") ? written.replaceAll("'", '"') : written;
}
