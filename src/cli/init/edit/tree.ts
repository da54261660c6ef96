/** Syntax trees of scripts and JSON, with offsets in the text, and search for their exports. */

import { createJiti } from 'jiti';

/** A node of Babel. */
export interface Node {
  readonly type: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A script that could be parsed. */
export interface Script {
  readonly text: string;
  /** The text with comments replaced by spaces, of the same length. */
  readonly code: string;
  readonly directives: readonly Node[];
  readonly statements: readonly Node[];
}

/**
 * Parses JavaScript or TypeScript with Babel, which is part of jiti. A plugin copies the tree before it is transformed.
 *
 * @returns undefined if the text is not a script
 */
export function parseScript(text: string): Script | undefined {
  const seen: unknown[] = [];
  const look = { pre: (file: { readonly ast: unknown }) => void seen.push(structuredClone(file.ast)) };
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false });
  jiti.transform({ source: text, ts: true, babel: { plugins: [look] } });
  const [tree] = seen;
  // After a syntax error, the plugin is not called.
  const program = isObject(tree) ? childOf(tree, 'program') : undefined;
  if (program === undefined || !isObject(tree)) return undefined;
  return {
    text,
    code: blank(text, childrenOf(tree, 'comments')),
    directives: childrenOf(program, 'directives'),
    statements: childrenOf(program, 'body'),
  };
}

function blank(text: string, comments: readonly Node[]): string {
  return comments.reduce(
    (code, { start, end }) =>
      code.slice(0, start) + code.slice(start, end).replace(/[^\r\n]/g, ' ') + code.slice(end),
    text,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['start'] === 'number';
}

/** Yields a node and all below it, the outer ones first. */
export function* walkNodes(node: Node): Generator<Node, void> {
  yield node;
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* walkNodes(child);
}

export function childOf(node: Readonly<Record<string, unknown>>, key: string): Node | undefined {
  const child = node[key];
  return isNode(child) ? child : undefined;
}

/** Returns the nodes of a list without holes, as in `[, 1]`. */
export function childrenOf(node: Readonly<Record<string, unknown>>, key: string): readonly Node[] {
  const children = node[key];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** Returns the name of an identifier, or the value of a string. */
export function nameOf(node: Node | undefined): string | undefined {
  const name =
    node?.type === 'Identifier' ? node['name'] : node?.type === 'StringLiteral' ? node['value'] : '';
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Whether a property of an object has this name, and it is not computed. */
export function isNamed(property: Node, name: string): boolean {
  return property['computed'] !== true && nameOf(childOf(property, 'key')) === name;
}

/** Finds the exported configuration. */
export function findExport(
  script: Script,
): { readonly value: Node; readonly isCommonJs: boolean } | undefined {
  const { statements } = script;
  const exported = statements.find(({ type }) => type === 'ExportDefaultDeclaration');
  const declaration = exported && resolve(script, childOf(exported, 'declaration'));
  if (declaration !== undefined) return { value: declaration, isCommonJs: false };
  const isExport = (left: Node | undefined) =>
    left !== undefined && script.code.slice(left.start, left.end) === 'module.exports';
  const [assigned, ...others] = statements
    .map((statement) => childOf(statement, 'expression') ?? statement)
    .filter((one) => one.type === 'AssignmentExpression' && isExport(childOf(one, 'left')));
  const value = assigned && resolve(script, childOf(assigned, 'right'));
  return value !== undefined && others.length === 0 ? { value, isCommonJs: true } : undefined;
}

/** Resolves an identifier to its constant or function. */
export function resolve({ statements }: Script, value: Node | undefined): Node | undefined {
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

/** Finds the object of a configuration: plain, in `defineConfig(…)`, or returned by a function. */
export function findObject(script: Script, value: Node): Node | undefined {
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
  // A condition or a loop before it may return another object.
  const isReturned = last?.type === 'ReturnStatement' && isStraight(statements.slice(0, -1));
  const returned = isReturned ? unwrap(childOf(last, 'argument')) : undefined;
  return returned?.type === 'ObjectExpression' ? returned : undefined;
}

/** A search for an option. Its node is undefined if it is missing or, unless `isSure`, computed. */
export interface FoundNode {
  readonly node: Node | undefined;
  readonly isSure: boolean;
}

const MISSING: FoundNode = { node: undefined, isSure: true };
const COMPUTED: FoundNode = { node: undefined, isSure: false };

/** Finds the value of an option in an object or a list, by its path: see `Options`. */
export function findNode(
  script: Script,
  node: Node | undefined,
  [step, ...rest]: readonly string[],
): FoundNode {
  const value = resolve(script, node);
  if (step === undefined) return value === undefined ? COMPUTED : { node: value, isSure: true };
  const name = step.replace('()', '');
  const find = (inner: Node | undefined) =>
    step === name ? findNode(script, inner, rest) : findInArgument(script, inner, rest);
  if (value?.type === 'ObjectExpression') {
    const properties = childrenOf(value, 'properties');
    const at = properties.findLastIndex((one) => isNamed(one, name));
    // Spread objects and computed names may set any option.
    const isPlain = properties
      .slice(at + 1)
      .every((one) => one['computed'] !== true && one.type !== 'SpreadElement');
    const found = at === -1 ? MISSING : find(childOf(properties[at] ?? {}, 'value'));
    return { ...found, isSure: found.isSure && isPlain };
  }
  if (value?.type !== 'ArrayExpression') return COMPUTED;
  const calls = childrenOf(value, 'elements').filter(({ type }) => type === 'CallExpression');
  const call = calls.find((one) => nameOf(childOf(one, 'callee')) === name);
  return call === undefined ? MISSING : find(call);
}

function findInArgument(script: Script, node: Node | undefined, path: readonly string[]): FoundNode {
  const call = resolve(script, node);
  if (call?.type !== 'CallExpression') return COMPUTED;
  const [argument] = childrenOf(call, 'arguments');
  return argument === undefined ? MISSING : findNode(script, argument, path);
}

/** Whether each statement runs exactly once. */
export function isStraight(statements: readonly Node[]): boolean {
  return statements.every(({ type }) => /^(?:\w+Declaration|ExpressionStatement)$/.test(type));
}

export function isFunction({ type }: Node): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
}

/** Removes type assertions and parentheses. */
export function unwrap(value: Node | undefined): Node | undefined {
  const isWrapped =
    value !== undefined &&
    /^(?:TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(value.type);
  return isWrapped ? unwrap(childOf(value, 'expression')) : value;
}
