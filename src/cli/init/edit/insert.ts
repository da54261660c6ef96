/** Inserts text into a script, as a person would who keeps its style. */

import { lineEndOf } from '../../../site/discovery/lines.js';
import { childrenOf, type Node, type Script } from './tree.js';

/** A text, and where it goes. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Applies insertions; of those at one place, the first comes first. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions.map((one, index) => ({ ...one, index }));
  ordered.sort((a, b) => b.at - a.at || b.index - a.index);
  return ordered.reduce(
    (result, { at, text: added }) => result.slice(0, at) + added + result.slice(at),
    text,
  );
}

/** The white space at the beginning of the line that a place is in. */
export function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** What one more level of indentation is in a text. */
export function indentStepOf(text: string): string {
  const first = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return first.startsWith('\t') ? '\t' : first.length >= 4 && first.length % 4 === 0 ? '    ' : '  ';
}

/**
 * Adds an item at the end of a list, or after one of its items: an array, an object of a script or of JSON.
 *
 * @param list the array or object
 * @param hasTrailing whether a comma may stand after the last item
 */
export function insertItem(
  { text, code }: Pick<Script, 'text' | 'code'>,
  list: Node,
  item: string,
  { after, hasTrailing }: { readonly after?: Node | undefined; readonly hasTrailing: boolean },
): Insertion[] {
  const items = childrenOf(list, list.type === 'ArrayExpression' ? 'elements' : 'properties');
  const newline = lineEndOf(text);
  const [first] = items;
  const last = after ?? items.at(-1);
  const isObject = list.type !== 'ArrayExpression';
  if (first === undefined || last === undefined) {
    const isOpen = code.slice(list.start, list.end).includes('\n');
    const indent = indentAt(text, list.start) + indentStepOf(text);
    const space = isObject ? ' ' : '';
    const alone = isOpen ? `${newline}${indent}${item}${hasTrailing ? ',' : ''}` : `${space}${item}${space}`;
    return [{ at: list.start + 1, text: alone }];
  }
  const isOpen = code.slice(list.start, first.start).includes('\n');
  const comma = /^\s*,/.exec(code.slice(last.end, list.end))?.[0].length;
  const isLast = last === items.at(-1);
  if (!isOpen) {
    if (comma === undefined) return [{ at: last.end, text: `, ${item}` }];
    return [{ at: last.end + comma, text: isLast ? ` ${item}` : ` ${item},` }];
  }
  const line = `${newline}${indentAt(text, first.start)}${item}`;
  if (comma !== undefined) {
    const ends = isLast ? hasTrailing : true;
    return [{ at: endOfLine(code, last.end + comma), text: `${line}${ends ? ',' : ''}` }];
  }
  return [
    { at: last.end, text: ',' },
    { at: endOfLine(code, last.end), text: line },
  ];
}

/** The end of the line, if nothing but a comment is left on it; else the place itself. */
function endOfLine(code: string, at: number): number {
  const rest = /^[^\r\n]*/.exec(code.slice(at))?.[0] ?? '';
  return rest.trim() === '' ? at + rest.length : at;
}
