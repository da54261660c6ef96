/** Parses scripts and JSON into a syntax tree, with the places of everything in the text. */

import { createJiti } from 'jiti';

/** A node of the tree, as Babel makes it. */
export interface Node {
  readonly type: string;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A script that could be parsed. */
export interface Script {
  readonly text: string;
  /** The text with its comments blanked out; as long as the text. */
  readonly code: string;
  readonly directives: readonly Node[];
  readonly statements: readonly Node[];
}

/**
 * Parses JavaScript or TypeScript. The parser is Babel, which jiti brings for configuration files; a plugin of it copies
 * the tree before anything is transformed.
 *
 * @returns undefined where the text is not a script
 */
export function parseScript(text: string, isTypeScript: boolean): Script | undefined {
  const seen: unknown[] = [];
  const look = { pre: (file: { readonly ast: unknown }) => void seen.push(structuredClone(file.ast)) };
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false });
  jiti.transform({ source: text, ts: isTypeScript, babel: { plugins: [look] } });
  const [tree] = seen;
  // After a mistake in the text, the plugin was never asked.
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

export function childOf(node: Readonly<Record<string, unknown>>, key: string): Node | undefined {
  const child = node[key];
  return isNode(child) ? child : undefined;
}

/** The nodes of a list; holes, as in `[, 1]`, are left out. */
export function childrenOf(node: Readonly<Record<string, unknown>>, key: string): readonly Node[] {
  const children = node[key];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** The name of an identifier, or the value of a string. */
export function nameOf(node: Node | undefined): string | undefined {
  const name =
    node?.type === 'Identifier' ? node['name'] : node?.type === 'StringLiteral' ? node['value'] : '';
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The property of an object that is written with this name. */
export function propertyOf(object: Node, name: string): Node | undefined {
  return childrenOf(object, 'properties').find(
    (property) => property['computed'] !== true && nameOf(childOf(property, 'key')) === name,
  );
}
