/** Notice of pages in the output folder that are left from earlier builds. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../src/base/notices.js';
import type { Config } from '../src/config/config.js';
import { listEntries } from '../src/files/walk.js';

/** Possible difference between the clocks of the file system and the process, in milliseconds. */
const CLOCK_DIFFERENCE = 1000;

export interface Build {
  /** Moment at which the build began, in milliseconds since 1970. */
  readonly begin: number;
  /** Absolute paths of the pages that the build wrote. */
  readonly written: ReadonlySet<string>;
}

/**
 * Finds pages that would be listed, but that the build did not name and nobody has changed since it began. The time of the
 * inode change counts, because copied files may keep older dates.
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
