/** Finds pages in the output folder that a build did not write: they are left from builds before. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../src/base/notices.js';
import type { Config } from '../src/config/config.js';
import { listEntries } from '../src/files/walk.js';

/** The clock of a file system may be behind ours by so many milliseconds. */
const CLOCK_DIFFERENCE = 1000;

/** What a build says of its work. */
export interface Build {
  /** In milliseconds since 1970. */
  readonly begin: number;
  /** Absolute paths of the pages that it wrote. */
  readonly written: ReadonlySet<string>;
}

/**
 * Tells of pages that would be listed, that the build does not name, and that nobody has touched since it began. What
 * was copied meanwhile is newer, whatever its dates say.
 *
 * @throws ResyncError `file-unreadable`
 */
export function noticeUnwritten(
  { site, selection }: Pick<Config, 'site' | 'selection'>,
  { begin, written }: Build,
): Notice[] {
  const left: string[] = [];
  for (const { path, kind, nameless } of listEntries(site)) {
    if (nameless || kind !== undefined || !/\.html?$/.test(path) || selection(path) !== undefined) continue;
    const file = join(site, path);
    const changed = statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? begin;
    if (!written.has(file) && changed + CLOCK_DIFFERENCE < begin) left.push(path);
  }
  const [example] = left.sort();
  return example === undefined ? [] : [{ code: 'pages-not-built', count: left.length, example }];
}
