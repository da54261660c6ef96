/** Adds and removes lines of text files such as `robots.txt`, and keeps all other bytes. Pure. */

import { matchGroups } from '../../base/text/match.js';
import { addressOf } from '../../paths/address.js';
import { BYTE_ORDER_MARK, listSitemapLines } from '../../paths/host-rules.js';

/**
 * Adds missing `Sitemap` lines to `robots.txt` (§6.3.4): for Resource Lists and, unless the file names a sitemap already,
 * for the sitemap of the site. The line of the sitemap comes first, because it is meant for search engines.
 *
 * @param robots the file in Latin-1, one character per byte
 * @param resourceLists URLs of the Resource Lists
 * @param own URL of the site's own sitemap; undefined if it has none
 */
export function addSitemaps(robots: string, resourceLists: readonly string[], own?: string): string {
  const [mark = ''] = matchGroups(BYTE_ORDER_MARK, robots);
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

export function dropSitemaps(robots: string, isGone: (target: string) => boolean): string {
  const gone = listSitemapLines(robots).filter(({ target }) => isGone(target));
  return gone.reduceRight((text, { index }) => {
    const [line = ''] = matchGroups(/^\ufeff?[^\r\n]*(?:\r\n|\n|\r)?/, text.slice(index));
    return text.slice(0, index) + text.slice(index + line.length);
  }, robots);
}

/** Appends lines, with the line ending of the text. */
export function appendLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = lineEndOf(text);
  const unfinished = text.replace(BYTE_ORDER_MARK, '') !== '' && !/[\r\n]$/.test(text);
  return text + (unfinished ? end : '') + lines.map((line) => line + end).join('');
}

export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}
