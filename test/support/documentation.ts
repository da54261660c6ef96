/** The README and the pages of `docs/`, as text that tests take apart. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Paths from the root of the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The fenced code of a page in one language; `''` for what a terminal shows. */
export function readBlocks(page: string, language: string): string[] {
  return Array.from(readPage(page).matchAll(/^```(\w*)\n(.*?)^```$/gms))
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);
}

/** The fenced code of a page that begins with a comment, which is the name of a file; by this name. */
export function readFiles(page: string): Record<string, string> {
  const blocks = readPage(page).matchAll(/^```\w+\n(?=(?:\/\/|#) (\S+\.\w+)\n)(.*?)^```$/gms);
  return Object.fromEntries(Array.from(blocks, ([, name = '', code = '']) => [name, code]));
}

/** The first commands of a page that describe a site, and the lines before them. */
export function readCommands(page: string): string[] {
  const blocks = readPage(page).match(/(?:^ {4}.*\n)+/gm) ?? [];
  const block = blocks.find((text) => text.includes('npx resync-static ')) ?? '';
  return block.trim().split(/\n */);
}

/** The cells of all rows of the tables below a heading, down to the next one. */
export function readRows(page: string, heading: string): string[][] {
  const [, section = ''] = readPage(page).split(`\n${heading}\n`);
  const [own = ''] = section.split(/^#+ /m);
  return own
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Output of the tool without its numbers, times, digests and padding, which differ from site to site. */
export function shapeOf(text: string): string {
  return text
    .replace(/\b(md5|sha-\d+):[0-9a-f]+…?/g, '$1:…')
    .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '#')
    .replace(/\d[\d.,]*(?: (?:[kMGT]?B|s)\b)?/g, '#')
    .replace(/ +/g, ' ')
    .trim();
}

/** Expects every line that a page shows of the terminal in some output, whatever the numbers are. */
export function expectShown(output: string, page: string): void {
  const lines = readBlocks(page, '').flatMap((block) => block.trim().split('\n'));
  expect(lines).not.toEqual([]);
  for (const line of lines) expect(shapeOf(output)).toContain(shapeOf(line));
}
