/** The command `help`: prints the help of a command, or a page of the manual, which is in the package. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ResyncError, systemErrorCode } from '../base/errors.js';
import { findProgram } from '../base/programs.js';
import { say, type Words } from '../base/text/say.js';
import { formatHelp } from './arguments/help.js';
import { COMMANDS } from './arguments/table.js';
import { colorsOf, printLines } from './terminal.js';
import { formatPage } from './words/manual.js';

/** Folder of the manual, beside `dist/` in the package and in a checkout. The action comes without it. */
const MANUAL = fileURLToPath(new URL('../../docs/', import.meta.url));

/**
 * Prints the help of a command, or a page of the manual such as `sitemap`; `diff.md` means the page about a command. '' prints the summary.
 * @throws ResyncError `config-invalid` if there is no such topic
 */
export function runHelp(topic: string): void {
  const page = topic === 'manual' ? 'README' : topic.replace(/\.md$/, '');
  const isCommand = COMMANDS.some((name) => name === topic);
  const pages = listPages();
  if (!isCommand && pages.includes(page)) printPage(page);
  else printLines(formatHelp(topic, process.stdout.columns, pages));
}

function listPages(): string[] {
  if (!existsSync(MANUAL)) return [];
  return readdirSync(MANUAL)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
}

/** Reads a page of the manual, in Markdown. @throws ResyncError `file-unreadable`; some tools remove the docs of packages */
export function readManual(page: string): string {
  const path = `${MANUAL}${page}.md`;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError(
      'file-unreadable',
      say`The manual of resync-static cannot be read: ${path} (${code}).\nInstall the package again, and keep its folder docs.`,
    );
  }
}

function printPage(page: string): void {
  const text = formatPage(readManual(page), colorsOf(process.stdout), process.stdout.columns);
  if (process.stdout.isTTY !== true || !showInPager(text)) printLines(text);
}

/** Shows text in the pager `PAGER`, or else `less`, which ends by itself if the text fits on the terminal. Returns false if there is no pager. */
function showInPager(text: Words): boolean {
  const [program = 'less', ...args] = process.env['PAGER']?.split(' ').filter(Boolean) ?? [];
  const path = program.includes('/') ? program : findProgram(program);
  if (path === undefined) return false;
  const env = { LESS: 'FRX', ...process.env };
  const { error } = spawnSync(path, args, {
    input: text.toString(),
    stdio: ['pipe', 'inherit', 'inherit'],
    env,
  });
  return error === undefined;
}
