/** Insertion of text into a script, in the style of the script. */

import { lineEndOf } from '../../../site/discovery/lines.js';
import { childrenOf, type Node, type Script } from './tree.js';

/** A text to insert at an index. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Applies insertions; those at the same index keep their order. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  const fromTheEnd = [...insertions].reverse().sort((a, b) => b.at - a.at);
  return fromTheEnd.reduce(
    (result, { at, text: added }) => result.slice(0, at) + added + result.slice(at),
    text,
  );
}

/** Returns the white space at the beginning of the line of an index. */
export function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Returns one level of indentation, as used in a text. */
export function indentStepOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
}

/** Adds an item at the end of an array or an object of a script. */
export function insertItem({ text, code }: Script, list: Node, item: string): Insertion[] {
  const isObject = list.type !== 'ArrayExpression';
  const items = childrenOf(list, isObject ? 'properties' : 'elements');
  const newline = lineEndOf(text);
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) {
    const isOpen = code.slice(list.start, list.end).includes('\n');
    const indent = indentAt(text, list.start) + indentStepOf(text);
    const space = isObject ? ' ' : '';
    return [{ at: list.start + 1, text: isOpen ? `${newline}${indent}${item},` : `${space}${item}${space}` }];
  }
  const comma = /^\s*,/.exec(code.slice(last.end, list.end))?.[0];
  const end = comma === undefined ? last.end : last.end + comma.length;
  if (!code.slice(list.start, first.start).includes('\n')) {
    return [{ at: end, text: comma === undefined ? `, ${item}` : ` ${item}` }];
  }
  const line = {
    at: endOfLine(code, end),
    text: `${newline}${indentAt(text, first.start)}${item}${comma === undefined ? '' : ','}`,
  };
  return comma === undefined ? [{ at: last.end, text: ',' }, line] : [line];
}

/** Returns the end of the line if only white space and comments follow, otherwise the index itself. */
export function endOfLine(code: string, at: number): number {
  const rest = /^[^\r\n]*/.exec(code.slice(at))?.[0] ?? '';
  return rest.trim() === '' ? at + rest.length : at;
}
