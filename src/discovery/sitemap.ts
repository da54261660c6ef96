/** Finds the sitemap that a site has of its own, for search engines. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readBeginning } from '../site/beginning.js';

/** As generators call it; an index names the other one. */
const NAMES = ['sitemap-index.xml', 'sitemap_index.xml', 'sitemap.xml'];

/** The root element stands within so many bytes. */
const HEAD_BYTES = 4096;

/** The path of the sitemap, at the top of the site; undefined where there is none. */
export function findSitemap(site: string): string | undefined {
  return NAMES.find((name) => {
    const file = join(site, name);
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true && isSitemap(file);
  });
}

/** A file may merely have the name. */
function isSitemap(file: string): boolean {
  return /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(readBeginning(file, HEAD_BYTES));
}
