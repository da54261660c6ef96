/** Adds lines at the end of a plain list, such as `.gitignore`. */

import { lineEndOf } from './insert.js';

/** Whether a pattern for a folder is there already, in any of the ways to write it. */
export function hasLine(text: string, folder: string): boolean {
  const plain = (line: string) => line.trim().replace(/^\/|\/(?:\*{1,2})?$/g, '');
  const [top] = plain(folder).split('/');
  return text.split('\n').some((line) => plain(line) === plain(folder) || plain(line) === top);
}

export function addLines(text: string, lines: readonly string[]): string {
  const newline = lineEndOf(text);
  const gap = text === '' || text.endsWith('\n') ? '' : newline;
  return `${text}${gap}${lines.join(newline)}${newline}`;
}
