/** Lists for the summary of a job, folded and limited: GitHub accepts 1 MiB per step. */

import type { Words } from '../src/base/text/say.js';
import { escapeMarkdown } from './escape.js';

const LINES = 200;
const CHARACTERS = 240;

/** Limits the number and the length of lines, and adds a line with the number of those left out. */
export function boundLines(text: Words): string[] {
  const lines = text.toString().split('\n');
  const rest = lines.length - LINES;
  const shown = lines.slice(0, LINES).map(shorten);
  return rest > 0 ? [...shown, `… ${rest} more lines`] : shown;
}

function shorten(line: string): string {
  const characters = [...line];
  return characters.length <= CHARACTERS ? line : `${characters.slice(0, CHARACTERS - 1).join('')}…`;
}

/** Makes a section of lines in HTML that a reader can unfold. */
export function foldLines(title: string, lines: readonly string[]): string[] {
  return [`<details><summary>${title}</summary>`, '', ...showLines(lines), '', '</details>', ''];
}

/** Formats lines as preformatted HTML, because a line could end a code fence of Markdown. */
export function showLines(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines.map(escapeMarkdown);
  return [`<pre>${first}`, ...rest, '</pre>'];
}
