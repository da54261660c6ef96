/** Reads what a site says of its own URLs: `<link rel="canonical">` in the heads of pages, and `sitemap.xml`. */

import { findCanonical, listLinks, resolve } from './elements.js';
import { readPageHead } from './page-head.js';

/** Bytes of a sitemap that are read. */
export const SITEMAP_BYTES = 256 * 1024;
const MOST_LOCATIONS = 1000;

/** The canonical URL that a page names. @param page its beginning */
export function readCanonical(page: Uint8Array, uri: string): string | undefined {
  return findCanonical(listLinks(readPageHead(page).head, uri));
}

/** The URLs in the beginning of a sitemap, as they are read from it without parsing it as a whole. */
export function readLocations(text: string): string[] {
  const found: string[] = [];
  for (const [, location = ''] of text.matchAll(/<loc>([^<]*)<\/loc>/g)) {
    const uri = resolve(location.trim().replaceAll('&amp;', '&'), 'https://site.invalid/');
    if (uri !== '') found.push(uri);
    if (found.length === MOST_LOCATIONS) break;
  }
  return found;
}
