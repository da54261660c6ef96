/** Checks what a first build wrote: that the lists have pages, and that these name the same address. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { readFirstBytes } from '../../files/beginning.js';
import { readCanonical } from '../../files/page/canonical.js';
import { BEGINNING_BYTES } from '../../files/page/page-head.js';
import { folderOfSet } from '../../paths/ours.js';
import { findPages } from './run.js';

/** Limit of pages to read, so that it is quick. */
const MOST_PAGES = 50;

/**
 * @param site absolute path of a folder with pages
 * @returns what to correct
 * @throws ResyncError `build-failed` if no page is listed
 */
export function checkLists(site: string, url: string): readonly Words[] {
  const folder = join(site, folderOfSet(undefined));
  const entries = unlessRefused(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  // A link could lead to a device that never ends.
  const lists = entries.filter((one) => one.isFile() && /^resourcelist(?:-\d+)?\.xml$/.test(one.name));
  const isPaged = lists.some(({ parentPath, name }) =>
    /type="(?:text\/html|application\/xhtml\+xml)"/.test(readFileSync(join(parentPath, name), 'utf8')),
  );
  if (!isPaged) {
    throw new ResyncError(
      'build-failed',
      say`The build ended well, but ${folder} lists no page.\nIf the build writes its pages after the plugin has run, run the command after the build: npx resync-static`,
    );
  }
  const canonicals = findPages(site, MOST_PAGES).flatMap((page) => {
    const bytes = unlessRefused(() => readFirstBytes(page, BEGINNING_BYTES));
    return (bytes && readCanonical(bytes, url)) || [];
  });
  const [first] = canonicals;
  if (first === undefined || canonicals.some((one) => one.startsWith(url))) return [];
  const words = say`The pages name another address in their canonical links, such as ${first}, but the lists name ${url}. Use the same address in both.`;
  return [words];
}
