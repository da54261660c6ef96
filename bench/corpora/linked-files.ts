/** Very many small files in next to no room: links to a few. They are gone after they were used. */

import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What file systems allow of links to one file, and of files in one folder, with some to spare. */
const MOST_LINKS = 50_000;
const MOST_IN_FOLDER = 1000;
/** A page of a kilobyte. */
const TEXT = `<!doctype html><title>Page</title>\n${'<p>Some words of a page.</p>\n'.repeat(34)}`;

/**
 * Makes a folder of so many pages.
 *
 * @param originals a folder on the same file system, for what the pages are links to
 */
export function makeLinkedFiles(folder: string, originals: string, count: number): void {
  mkdirSync(originals, { recursive: true });
  let original = '';
  for (let index = 0; index < count; index++) {
    if (index % MOST_LINKS === 0) {
      original = join(originals, `${folder.replaceAll('/', '_')}-${index}`);
      writeFileSync(original, `${TEXT}<p>${index}</p>\n`);
    }
    const part = join(folder, String(Math.floor(index / MOST_IN_FOLDER)).padStart(4, '0'));
    if (index % MOST_IN_FOLDER === 0) mkdirSync(part, { recursive: true });
    linkSync(original, join(part, `page-${index}.html`));
  }
}

export function removeLinkedFiles(...folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
