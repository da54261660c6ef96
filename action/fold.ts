/** Lists for the summary of a job, folded and bounded: GitHub takes a mebibyte of each step. */

import { escapeMarkdown, type Words } from '../src/base/text/say.js';
import { type Colors, makeColors } from '../src/cli/words/style.js';

const LINES = 200;
const CHARACTERS = 240;

/** No terminal is here. */
export const NO_COLORS: Colors = makeColors();

/** The lines of a text that may be shown, and how many more there are. */
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

/** Lines as they are, under a title that opens them. */
export function foldLines(title: string, lines: readonly string[]): string[] {
  return [`<details><summary>${title}</summary>`, '', ...showLines(lines), '', '</details>', ''];
}

/** In HTML, because a fence of Markdown could be ended by a line. */
export function showLines(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines.map(escapeMarkdown);
  return [`<pre>${first}`, ...rest, '</pre>'];
}
