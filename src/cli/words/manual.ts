/** Formats a page of the manual, in Markdown, for a terminal. Pure. */

import { matchGroups } from '../../base/text/match.js';
import { Words } from '../../base/text/say.js';
import { wrap } from '../../base/text/wrap.js';
import { nameTopic } from '../arguments/help.js';
import type { Colors } from './style.js';

/** Maximum width of text, in columns: longer lines are hard to read. */
const MOST_COLUMNS = 100;

const FENCE = /^```/;
const COMMENT = /^<!--.*-->\n/gm;
const PICTURE = /^(?:!\[.*|<\/?picture>|<source .*| *<img .*)\n/gm;
const ITEM = /^(- |\d+\. )/;

/** Formats a page of the manual. Nothing in it is escaped, because the Markdown is ours. */
export function formatPage(markdown: string, { bold }: Colors, columns = 80): Words {
  const width = Math.max(20, Math.min(columns, MOST_COLUMNS));
  const lines = markdown.replaceAll(COMMENT, '').replaceAll(PICTURE, '').split('\n');
  const formatted: string[] = [];
  while (lines.length > 0) {
    const [first = ''] = lines;
    if (FENCE.test(first)) formatted.push(...takeCode(lines));
    else if (first.startsWith('|')) formatted.push(...takeTable(lines, width));
    else if (first === '' || first.startsWith('    ')) formatted.push(...lines.splice(0, 1));
    else if (first.startsWith('#')) {
      lines.shift();
      formatted.push(bold(Words.asWritten(makePlain(first.replace(/^#+ /, '')))).toString());
    } else formatted.push(...wrapItem(takeParagraph(lines), width));
  }
  return Words.asWritten(
    `${formatted
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()}\n`,
  );
}

function takeCode(lines: string[]): string[] {
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  const block = lines.splice(0, end < 0 ? lines.length : end + 1);
  return block.slice(1, -1).map((line) => (line === '' ? '' : `    ${line}`));
}

/** Takes a table of Markdown from the lines, and makes a list item of each row: tables seldom fit into a terminal. */
function takeTable(lines: string[], width: number): string[] {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const [head = [], , ...rows] = lines.splice(0, end < 0 ? lines.length : end).map(readCells);
  return rows.flatMap(([name = '', ...cells]) => {
    const facts = cells.map((cell, index) =>
      cells.length === 1 ? cell : `${head[index + 1] ?? ''} ${cell}`,
    );
    return wrapItem(`- ${name}: ${facts.join('; ')}`, width);
  });
}

function readCells(row: string): string[] {
  return row
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim());
}

/** Takes a paragraph of Markdown, or one item of a list, from the lines, and joins its lines. */
function takeParagraph(lines: string[]): string {
  const end = lines.findIndex((line, index) => index > 0 && /^$|^\||^```|^(?:- |\d+\. )/.test(line));
  return lines
    .splice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .join(' ');
}

function wrapItem(markdown: string, width: number): string[] {
  const text = makePlain(markdown);
  const [mark = ''] = matchGroups(ITEM, text);
  return wrap(text, width, ' '.repeat(mark.length));
}

/** Removes the marks of Markdown. A link to a page of the manual becomes the command that prints that page. Code stays as it is. */
export function makePlain(markdown: string, help = 'help'): string {
  const linked = markdown
    .replaceAll(
      /\[((?:`[^`]*`|[^\]])+)\]\(([\w-]+)\.md[^)]*\)/g,
      (_, text: string, page: string) => `${text} (${help} ${nameTopic(page)})`,
    )
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return linked
    .split('`')
    .map((text, index) => (index % 2 === 0 ? text.replaceAll(/\*\*?(?=\S)|(?<=\S)\*\*?/g, '') : text))
    .join('');
}
