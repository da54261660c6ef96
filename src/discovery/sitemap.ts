/** Finds the sitemap that a site has of its own, for search engines. */

import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

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
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(
      head.toString('latin1', 0, readSync(handle, head, 0, HEAD_BYTES, 0)),
    );
  } finally {
    closeSync(handle);
  }
}
