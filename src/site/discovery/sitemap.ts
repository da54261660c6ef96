/** Finds the sitemap that a site has of its own, for search engines. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSitemap, ROOT_WITHIN } from '../../paths/sitemaps.js';
import { readBeginning } from '../scan/beginning.js';

/** As generators call it; an index names the other one. */
const NAMES = ['sitemap-index.xml', 'sitemap_index.xml', 'sitemap.xml'];

/** The path of the sitemap, at the top of the site; undefined where there is none. */
export function findSitemap(site: string): string | undefined {
  return NAMES.find((name) => {
    const file = join(site, name);
    const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
    // A file may merely have the name.
    return isFile && isSitemap(readBeginning(file, ROOT_WITHIN));
  });
}
