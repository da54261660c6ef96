/** Reads what a site says of its own URLs: `<link rel="canonical">` in the heads of pages, and `sitemap.xml`. */

import { isUrl } from '../../base/url.js';
import { findTargets, listLinks } from './elements.js';
import { readPageHead } from './page-head.js';

/** So much of a sitemap is read. In bytes. */
export const SITEMAP_BYTES = 256 * 1024;
const MOST_LOCATIONS = 1000;

/** The canonical URL that a page names. @param page its beginning */
export function readCanonical(page: Uint8Array, uri: string): string | undefined {
  const [first] = findTargets(listLinks(readPageHead(page).head, uri), 'canonical');
  return first === undefined ? undefined : resolve(first, uri);
}

/** Without a fragment, which no list has. */
function resolve(href: string, uri: string): string | undefined {
  const text = href.trim().replaceAll('&amp;', '&');
  if (text === '' || !isUrl(text, uri)) return undefined;
  const url = new URL(text, uri);
  url.hash = '';
  return url.href;
}

/** The URLs in the beginning of a sitemap, as they are read from it without parsing it as a whole. */
export function readLocations(text: string): string[] {
  const found: string[] = [];
  for (const [, location = ''] of text.matchAll(/<loc>([^<]*)<\/loc>/g)) {
    const uri = resolve(location, 'https://site.invalid/');
    if (uri !== undefined) found.push(uri);
    if (found.length === MOST_LOCATIONS) break;
  }
  return found;
}
