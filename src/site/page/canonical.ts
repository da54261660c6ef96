/** Reads what a site says of its own URLs: `<link rel="canonical">` in the heads of pages, and `sitemap.xml`. */

import { isUrl } from '../../standard/model.js';
import { findTargets, listLinks } from './elements.js';

/** A head that is longer, mostly of styles, is not read to its end. In bytes. */
export const PAGE_HEAD_BYTES = 128 * 1024;
/** So much of a sitemap is read. In bytes. */
export const SITEMAP_BYTES = 256 * 1024;
const MOST_LOCATIONS = 1000;

/** A page without this word has no canonical URL, as far as `guessCanonical` sees. */
export const CANONICAL = /canonical/i;

/** Such links in a page are looked at, and so many characters of each. */
const MOST_LINKS = 5;
const LINK_LENGTH = 2000;

/**
 * Finds what looks like the canonical URL of a page, without parsing it: nearly always that is it. In a comment or a
 * script it may not be.
 */
export function guessCanonical(markup: string, uri: string): string | undefined {
  const lower = markup.toLowerCase();
  let place = 0;
  for (let count = 0; count < MOST_LINKS; count++) {
    place = lower.indexOf('canonical', place + 1);
    if (place === -1) return undefined;
    const start = lower.lastIndexOf('<link', place);
    const end = lower.indexOf('>', place);
    if (start === -1 || end === -1 || end - start > LINK_LENGTH) continue;
    const tag = markup.slice(start, end);
    const [, double, single, bare] = /\shref=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? [];
    const href = double ?? single ?? bare;
    if (href !== undefined && /\srel=["']?canonical\b/i.test(tag)) return resolve(href, uri);
  }
  return undefined;
}

/** The same as browsers read it. Loads what parses HTML. */
export async function readCanonical(markup: string, uri: string): Promise<string | undefined> {
  const { parseHead } = await import('./head.js');
  const [first] = findTargets(listLinks(parseHead(markup), uri), 'canonical');
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
