/** Adds lines to text files, `robots.txt` among them, and leaves all else in them alone. Pure. */

import { addressOf } from '../../paths/address.js';
import { BYTE_ORDER_MARK, listSitemapLines } from '../../paths/host-rules.js';

/**
 * Adds the `Sitemap` lines that `robots.txt` lacks (§6.3.4): that of the site's own sitemap, unless the file names one
 * already, and those of Resource Lists. The site's own stands first, because search engines are meant to read that one.
 *
 * @param robots the bytes of the file, a character each
 * @param resourceLists URLs
 * @param own URL of the site's own sitemap; undefined when it has none
 */
export function addSitemaps(robots: string, resourceLists: readonly string[], own?: string): string {
  const [mark = ''] = BYTE_ORDER_MARK.exec(robots) ?? [];
  const text = robots.slice(mark.length);
  const named = listSitemapLines(text).map(({ index, target }) => ({ index, address: addressOf(target) }));
  const lists = resourceLists.map(addressOf);
  const missing = resourceLists
    .filter((list) => !named.some(({ address }) => address === addressOf(list)))
    .map((list) => `Sitemap: ${list}`);
  const isNamed = own === undefined || named.some(({ address }) => !lists.includes(address));
  if (isNamed) return appendLines(robots, missing);
  const place = named[0]?.index;
  if (place === undefined) return appendLines(robots, [`Sitemap: ${own}`, ...missing]);
  const first = `Sitemap: ${own}${lineEndOf(robots)}`;
  return appendLines(mark + text.slice(0, place) + first + text.slice(place), missing);
}

/** Removes the `Sitemap` lines that name what is to go. */
export function dropSitemaps(robots: string, isGone: (target: string) => boolean): string {
  const gone = listSitemapLines(robots).filter(({ target }) => isGone(target));
  return gone.reduceRight((text, { index }) => {
    const [line = ''] = /^\ufeff?[^\r\n]*(?:\r\n|\n|\r)?/.exec(text.slice(index)) ?? [];
    return text.slice(0, index) + text.slice(index + line.length);
  }, robots);
}

/** Adds lines at the end, each with the end that lines of the text have. */
export function appendLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = lineEndOf(text);
  const unfinished = text.replace(BYTE_ORDER_MARK, '') !== '' && !/[\r\n]$/.test(text);
  return text + (unfinished ? end : '') + lines.map((line) => line + end).join('');
}

/** How the first line of a text ends. */
export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}
