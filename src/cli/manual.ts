/** The command `help`: prints the help of a command, or a page of the manual, which is in the package. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ResyncError, systemErrorCode } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { formatHelp } from './arguments/help.js';
import { COMMANDS } from './arguments/table.js';
import { print } from './terminal.js';
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
  if (!isCommand && pages.includes(page)) print(formatPage(readManual(page)));
  else print(formatHelp(topic, process.stdout.columns, pages));
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
