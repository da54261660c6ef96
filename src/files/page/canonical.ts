/** Reads what a site says of its own URLs: `<link rel="canonical">` in the heads of pages, and `sitemap.xml`. */

import { isUrl } from '../../base/url.js';
import { findCanonical, listLinks } from './elements.js';
import { readPageHead } from './page-head.js';

/** Number of bytes at the beginning of a sitemap to read. */
export const SITEMAP_BYTES = 256 * 1024;
const MOST_LOCATIONS = 1000;

/** Returns the canonical URL that a page names, or undefined. @param page the beginning of the page @param uri its URL */
export function readCanonical(page: Uint8Array, uri: string): string | undefined {
  return findCanonical(listLinks(readPageHead(page).head, uri));
}

/** Returns the absolute URLs in the beginning of a sitemap. The text may end anywhere, so it is not parsed as XML. */
export function readLocations(text: string): string[] {
  const found: string[] = [];
  for (const [, location = ''] of text.matchAll(/<loc>\s*(https?:[^<]*)<\/loc>/gi)) {
    const uri = location.trim().replaceAll('&amp;', '&');
    if (isUrl(uri)) found.push(new URL(uri).href);
    if (found.length === MOST_LOCATIONS) break;
  }
  return found;
}
