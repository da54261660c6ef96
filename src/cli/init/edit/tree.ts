/** Syntax trees of scripts and JSON, with offsets in the text, and search for what they export. */

import { createJiti } from 'jiti';

/** A node of a syntax tree of Babel. */
export interface Node {
  readonly type: string;
  /** Offset in the text of the script at which the node begins; `end` is that of the character after it. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Parses a script by Babel, which is a part of jiti: a plugin of Babel copies the tree. Returns undefined for other texts. */
export function parseScript(text: string): Script | undefined {
  const seen: { readonly program: Node; readonly comments: readonly Node[] }[] = [];
  const look = { pre: ({ ast }: { ast: (typeof seen)[number] }) => void seen.push(structuredClone(ast)) };
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false });
  jiti.transform({ source: text, ts: true, babel: { plugins: [look] } });
  // After a syntax error, Babel does not call the plugin.
  const [tree] = seen;
  return tree && new Script(text, tree.program, tree.comments);
}

/** A parsed script, with searches for what it exports. */
export class Script {
  readonly text: string;
  /** Text of the script with comments replaced by spaces, of the same length. */
  readonly code: string;
  readonly directives: readonly Node[];
  readonly statements: readonly Node[];

  constructor(text: string, program: Node, comments: readonly Node[]) {
    this.text = text;
    this.code = comments.reduce(
      (code, { start, end }) =>
        code.slice(0, start) + code.slice(start, end).replace(/[^\r\n]/g, ' ') + code.slice(end),
      text,
    );
    this.directives = childrenOf(program, 'directives');
    this.statements = childrenOf(program, 'body');
  }

  /** Finds the configuration that a script exports: its default export, or what it assigns to `module.exports`. */
  findExport(): { readonly value: Node; readonly isCommonJs: boolean } | undefined {
    const exported = this.statements.find(({ type }) => type === 'ExportDefaultDeclaration');
    const declaration = this.resolve(childOf(exported, 'declaration'));
    if (declaration !== undefined) return { value: declaration, isCommonJs: false };
    const isExport = (left: Node | undefined) =>
      left !== undefined && this.code.slice(left.start, left.end) === 'module.exports';
    const [assigned, ...others] = this.statements
      .map((statement) => childOf(statement, 'expression'))
      .filter((one) => one?.type === 'AssignmentExpression' && isExport(childOf(one, 'left')));
    const value = this.resolve(childOf(assigned, 'right'));
    return value !== undefined && others.length === 0 ? { value, isCommonJs: true } : undefined;
  }

  /** Resolves an identifier to the constant or function of this name; returns other nodes as they are. */
  resolve(value: Node | undefined): Node | undefined {
    const found = unwrap(value);
    if (found?.type !== 'Identifier') return found;
    const isOurs = (one: Node) => nameOf(childOf(one, 'id')) === nameOf(found);
    const declared = this.statements.flatMap((statement) => {
      if (statement.type === 'FunctionDeclaration') return isOurs(statement) ? [statement] : [];
      const constants = statement['kind'] === 'const' ? childrenOf(statement, 'declarations') : [];
      return constants.filter(isOurs).flatMap((one) => unwrap(childOf(one, 'init')) ?? []);
    });
    return declared.length === 1 ? declared[0] : undefined;
  }

  /** Finds the object of a configuration: plain, in `defineConfig(…)`, or returned by a function. */
  findObject(value: Node | undefined): Node | undefined {
    if (value?.type === 'ObjectExpression') return value;
    if (value?.type === 'CallExpression') {
      const [argument, ...others] = childrenOf(value, 'arguments');
      const isDefining = /^define\w*Config$/.test(nameOf(childOf(value, 'callee')) ?? '');
      const inner = isDefining && others.length === 0 ? this.resolve(argument) : undefined;
      return inner?.type === 'CallExpression' ? undefined : this.findObject(inner);
    }
    const body = unwrap(isFunction(value) ? childOf(value, 'body') : undefined);
    const statements = childrenOf(body, 'body');
    const last = statements.at(-1);
    // A condition or a loop before the last statement may return another object.
    const isReturned = last?.type === 'ReturnStatement' && isStraight(statements.slice(0, -1));
    const object = isReturned ? unwrap(childOf(last, 'argument')) : body;
    return object?.type === 'ObjectExpression' ? object : undefined;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Yields a node and all below it, the outer ones first. */
export function* walkNodes(node: Node): Generator<Node, void> {
  yield node;
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* walkNodes(child);
}

export function childOf(node: Node | undefined, key: string): Node | undefined {
  const child = node?.[key];
  return isNode(child) ? child : undefined;
}

/** Returns the list of nodes that a node has under a key, without holes as in `[, 1]`. */
export function childrenOf(node: Node | undefined, key: string): readonly Node[] {
  const children = node?.[key];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** Returns the name of an identifier, or the value of a string; undefined for other nodes. */
export function nameOf(node: Node | undefined): string | undefined {
  const name = node?.type === 'Identifier' ? node['name'] : node?.type === 'StringLiteral' && node['value'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Tests if a property of an object has this name, and the name is not computed. */
export function isNamed(property: Node, name: string): boolean {
  return property['computed'] !== true && nameOf(childOf(property, 'key')) === name;
}

/** Tests if each statement runs exactly once: no statement is a condition, a loop or a return. */
export function isStraight(statements: readonly Node[]): boolean {
  return statements.every(({ type }) => /^(?:\w+Declaration|ExpressionStatement)$/.test(type));
}

export function isFunction(node: Node | undefined): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node?.type ?? '');
}

/** Removes type assertions and parentheses around a value. */
export function unwrap(value: Node | undefined): Node | undefined {
  const isWrapped = /^(?:TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(
    value?.type ?? '',
  );
  return isWrapped ? unwrap(childOf(value, 'expression')) : value;
}
