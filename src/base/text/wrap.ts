/** Breaks lines between words, so that a terminal does not break them within. */

import { Words } from './say.js';

const COLOR = /\u001b\[\d+m/g;
/** A narrower terminal breaks lines as it likes. */
const FEWEST_COLUMNS = 20;

/** What stands before a text, as in `Listed   71 resources`, colours and all. */
const LABEL = /^( *)((?:\u001b\[\d+m)*[A-Z][a-z]+(?:\u001b\[\d+m)* {2,})?/;

/** Wraps text, colours and all. A word that is longer than a line, such as a URL, is not broken. */
export function wrapWords(text: Words, columns: number | undefined): Words {
  if (columns === undefined || columns < FEWEST_COLUMNS) return text;
  const lines = text
    .toString()
    .split('\n')
    .flatMap((line) => wrapLine(line, columns));
  return Words.asWritten(lines.join('\n'));
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const [before = '', own = '', label = ''] = LABEL.exec(line) ?? [];
  const labelled = widthOf(before);
  // What has a label goes on below its text; anything else further in than it began.
  const indent = label !== '' && labelled * 3 <= columns ? labelled : own.length + 2;
  const lines: string[] = [];
  let current = before;
  for (const [index, word] of line.slice(before.length).split(/ +/).entries()) {
    const longer = index === 0 ? before + word : `${current} ${word}`;
    if (index > 0 && widthOf(longer) > columns) {
      lines.push(current);
      current = ' '.repeat(indent) + word;
    } else current = longer;
  }
  return [...lines, current];
}

function widthOf(text: string): number {
  return [...text.replace(COLOR, '')].length;
}
