/** Adds a plugin of ours to the configuration of a framework, where the place for it is beyond doubt. */

import { lineEndOf } from '../../../site/discovery/lines.js';
import { applyInsertions, type Insertion, indentAt, indentStepOf, insertItem } from './insert.js';
import { childOf, childrenOf, type Node, nameOf, parseScript, propertyOf, type Script } from './tree.js';

/** What a framework takes, and where in its configuration. */
export type PluginPlace =
  /** A statement in the function that the configuration exports. */
  | { readonly kind: 'call' }
  /** An item of a list of the object that it exports. */
  | { readonly kind: 'list'; readonly option: string }
  /** An option of that object, which holds one function. */
  | { readonly kind: 'option'; readonly option: string };

/** What is to be added. */
export interface PluginEdit {
  /** `resync-static/astro`. */
  readonly module: string;
  readonly place: PluginPlace;
  /** The argument of the plugin, such as `{ url: 'https://example.org/' }`; '' for none. */
  readonly options: string;
}

/** Why a file is left as it is. */
export type EditRefusal =
  | 'no-script'
  | 'commonjs'
  | 'name-taken'
  | 'no-function'
  | 'no-object'
  | 'spread'
  | 'no-list'
  | 'option-taken'
  | 'unsure';

/** The name under which the plugin is imported. */
const PLUGIN = 'resyncStatic';

/** Returns the text with the plugin in it, or why there is no sure place for it. */
export function addPlugin(
  text: string,
  isTypeScript: boolean,
  edit: PluginEdit,
): { readonly text: string } | { readonly refusal: EditRefusal } {
  const script = parseScript(text, isTypeScript);
  if (script === undefined) return { refusal: 'no-script' };
  if (new RegExp(`\\b${PLUGIN}\\b`).test(script.code)) return { refusal: 'name-taken' };
  const exported = findExport(script);
  if (exported === undefined) return { refusal: edit.place.kind === 'call' ? 'no-function' : 'no-object' };
  // Others load their configuration in ways of their own.
  if (exported.isCommonJs && edit.place.kind !== 'call') return { refusal: 'commonjs' };
  const placed = placePlugin(script, exported.value, edit);
  if (typeof placed === 'string') return { refusal: placed };
  const result = applyInsertions(text, [makeImport(script, edit.module, exported.isCommonJs), ...placed]);
  const parsed = parseScript(result, isTypeScript);
  const isSound =
    parsed !== undefined &&
    parsed.statements.length === script.statements.length + 1 &&
    (parsed.code.match(new RegExp(`\\b${PLUGIN}\\b`, 'g')) ?? []).length === 2;
  return isSound ? { text: result } : { refusal: 'unsure' };
}

function placePlugin(script: Script, value: Node, { place, options }: PluginEdit): Insertion[] | EditRefusal {
  const call = `${PLUGIN}(${matchQuotes(options, script.code)})`;
  switch (place.kind) {
    case 'call':
      return placeCall(script, value, matchQuotes(options, script.code));
    case 'option':
    case 'list': {
      const object = findObject(script, value);
      if (object === undefined) return 'no-object';
      const property = propertyOf(object, place.option);
      if (property !== undefined) {
        if (place.kind === 'option') return 'option-taken';
        const list = unwrap(childOf(property, 'value'));
        const isList = list?.type === 'ArrayExpression' && !hasHoles(list);
        return isList ? insertItem(script, list, call, { hasTrailing: true }) : 'no-list';
      }
      // What is spread may hold the option, and ours would hide it.
      if (childrenOf(object, 'properties').some(({ type }) => type === 'SpreadElement')) return 'spread';
      const item = `${place.option}: ${place.kind === 'list' ? `[${call}]` : call}`;
      return insertItem(script, object, item, { hasTrailing: true });
    }
  }
}

function hasHoles(list: Node): boolean {
  return Array.isArray(list['elements']) && list['elements'].includes(null);
}

/** Puts the call at the end of the function: plugins run in the order in which they were added. */
function placeCall(script: Script, value: Node, options: string): Insertion[] | EditRefusal {
  const body = childOf(value, 'body');
  const [parameter] = childrenOf(value, 'params');
  const name = nameOf(parameter);
  if (!isFunction(value) || body?.type !== 'BlockStatement' || name === undefined) return 'no-function';
  const { text, code } = script;
  const statements = childrenOf(body, 'body');
  const last = statements.at(-1);
  const newline = lineEndOf(text);
  const statement = `${name}.addPlugin(${[PLUGIN, options].filter(Boolean).join(', ')})${semicolonOf(code)}`;
  const isOpen = code.slice(body.start, body.end).includes('\n');
  if (last === undefined || !isOpen) {
    const indent = indentAt(text, value.start);
    const before = last === undefined ? body.start + 1 : last.end;
    const rest = code.slice(before, body.end - 1).includes('\n') ? '' : `${newline}${indent}`;
    return [{ at: before, text: `${newline}${indent}${indentStepOf(text)}${statement}${rest}` }];
  }
  const indent = indentAt(text, last.start);
  if (last.type === 'ReturnStatement') return [{ at: last.start, text: `${statement}${newline}${indent}` }];
  const rest = /^[^\r\n]*/.exec(code.slice(last.end, body.end - 1))?.[0] ?? '';
  const at = rest.trim() === '' ? last.end + rest.length : last.end;
  return [{ at, text: `${newline}${indent}${statement}` }];
}

/** What the script exports as its configuration. */
function findExport(script: Script): { readonly value: Node; readonly isCommonJs: boolean } | undefined {
  const { statements } = script;
  const exported = statements.find(({ type }) => type === 'ExportDefaultDeclaration');
  const declaration = exported && resolve(script, childOf(exported, 'declaration'));
  if (declaration !== undefined) return { value: declaration, isCommonJs: false };
  const assigned = statements.flatMap((statement) => {
    const expression = childOf(statement, 'expression');
    const left = expression?.type === 'AssignmentExpression' ? childOf(expression, 'left') : undefined;
    const isExport = left !== undefined && script.code.slice(left.start, left.end) === 'module.exports';
    return isExport && expression !== undefined ? [resolve(script, childOf(expression, 'right'))] : [];
  });
  const [value] = assigned;
  return value !== undefined && assigned.length === 1 ? { value, isCommonJs: true } : undefined;
}

/** Follows a name to the one constant or function that it stands for. */
function resolve({ statements }: Script, value: Node | undefined): Node | undefined {
  const found = unwrap(value);
  if (found?.type !== 'Identifier') return found;
  const name = nameOf(found);
  const declared = statements.flatMap((statement) => {
    if (statement.type === 'FunctionDeclaration') {
      return nameOf(childOf(statement, 'id')) === name ? [statement] : [];
    }
    if (statement.type !== 'VariableDeclaration' || statement['kind'] !== 'const') return [];
    const own = childrenOf(statement, 'declarations').filter((one) => nameOf(childOf(one, 'id')) === name);
    return own.flatMap((one) => unwrap(childOf(one, 'init')) ?? []);
  });
  return declared.length === 1 ? declared[0] : undefined;
}

/** The object that a configuration is: as such, in `defineConfig(…)`, or returned by a function. */
function findObject(script: Script, value: Node): Node | undefined {
  if (value.type === 'ObjectExpression') return value;
  if (value.type === 'CallExpression') {
    const [argument, ...others] = childrenOf(value, 'arguments');
    const isDefining = /^define\w*Config$/.test(nameOf(childOf(value, 'callee')) ?? '');
    const inner = isDefining && others.length === 0 ? resolve(script, argument) : undefined;
    return inner?.type === 'CallExpression' || inner === undefined ? undefined : findObject(script, inner);
  }
  if (!isFunction(value)) return undefined;
  const body = unwrap(childOf(value, 'body'));
  if (body?.type === 'ObjectExpression') return body;
  const statements = body === undefined ? [] : childrenOf(body, 'body');
  const last = statements.at(-1);
  // A condition or a loop before it may return another one.
  const isPlain = statements
    .slice(0, -1)
    .every(({ type }) => /^(?:Variable|Function)Declaration$/.test(type));
  const returned =
    last?.type === 'ReturnStatement' && isPlain ? unwrap(childOf(last, 'argument')) : undefined;
  return returned?.type === 'ObjectExpression' ? returned : undefined;
}

function isFunction({ type }: Node): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
}

/** Without what TypeScript says of a value, and without parentheses. */
function unwrap(value: Node | undefined): Node | undefined {
  const isWrapped =
    value !== undefined &&
    /^(?:TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(value.type);
  return isWrapped ? unwrap(childOf(value, 'expression')) : value;
}

/** Comes after the other imports; without any, before the first statement and what is said of it. */
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
  if (last !== undefined) {
    const rest = /^[^\r\n]*/.exec(code.slice(last.end))?.[0] ?? '';
    // Another statement may stand on the same line.
    if (rest.trim() === '') return { at: last.end + rest.length, text: `${newline}${line}` };
    return { at: last.end, text: `${newline}${line}${newline}` };
  }
  const head = /^\ufeff?(?:(?:#!|\/\/)[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const gap = /^\r?\n/.test(text.slice(head)) ? '' : newline;
  return { at: head, text: `${line}${newline}${gap}` };
}

/** Leaves the semicolon out where the script shows that it does so. */
function semicolonOf(code: string): string {
  const isUsed = /;[ \t]*$/m.test(code);
  const isOmitted = /^[ \t]*(?:import\b.*['"]|(?:const|let|return)\b.*[\w)\]}'"`])[ \t]*$/m.test(code);
  return isOmitted && !isUsed ? '' : ';';
}

/** Writes strings with the quotation marks that the script uses more often. */
function matchQuotes(written: string, code: string): string {
  const count = (mark: string) => code.split(mark).length;
  return count('"') > count("'") ? written.replaceAll("'", '"') : written;
}
