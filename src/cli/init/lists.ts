/** Checks the lists that a first build wrote: that they have pages, and that these name the same site. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { readFirstBytes } from '../../files/beginning.js';
import { readCanonical } from '../../files/page/canonical.js';
import { BEGINNING_BYTES } from '../../files/page/page-head.js';
import { folderOfSet } from '../../paths/ours.js';
import { chooseSaidPages } from '../../paths/said-urls.js';
import { SiteFolder } from '../../source/origin/folder.js';
import { Bounds } from '../../source/web/bounds.js';
import { parseDocument } from '../../standard/xml/read.js';
import type { Settings } from './model.js';

/**
 * @param site absolute path of a folder with pages
 * @returns what to correct
 * @throws ResyncError `build-failed` if no page is listed
 */
export async function checkLists(site: string, { url, urls }: Settings): Promise<readonly Words[]> {
  const pages = await readListedPages(site);
  if (pages.length === 0) {
    throw new ResyncError(
      'build-failed',
      say`The build ended well, but ${join(site, folderOfSet(undefined))} lists no page.\nIf the build writes its pages after the plugin has run, run the command after the build: npx resync-static`,
    );
  }
  const bounds = new Bounds({});
  const folder = new SiteFolder(site, url, urls, bounds);
  const canonicals = chooseSaidPages(pages, (_, uri) => uri).flatMap((uri) => {
    const file = folder.pathOf(uri);
    const bytes = file && unlessRefused(() => readFirstBytes(file, BEGINNING_BYTES));
    return (bytes && readCanonical(bytes, uri)) || [];
  });
  bounds.stop();
  const [first] = canonicals;
  if (first === undefined || canonicals.some((one) => one.startsWith(url))) return [];
  const words = say`The pages name another address in their canonical links, such as ${first}, but the lists name ${url}. Use the same address in both.`;
  return [words];
}

/** Reads the URLs of pages in all Resource Lists of a site. */
async function readListedPages(site: string): Promise<readonly string[]> {
  const folder = join(site, folderOfSet(undefined));
  const entries = unlessRefused(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  const pages: string[] = [];
  for (const entry of entries) {
    // A link could lead to a device that never ends.
    if (!entry.isFile() || !/^resourcelist(?:-\d+)?\.xml$/.test(entry.name)) continue;
    await parseDocument([readFileSync(join(entry.parentPath, entry.name))], {}, ({ loc, md }) => {
      if (loc !== undefined && /^(?:text\/html|application\/xhtml\+xml)$/.test(md?.attributes.type ?? ''))
        pages.push(loc);
      return true;
    });
  }
  return pages;
}
