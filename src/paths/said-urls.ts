/** Compares the URLs that a site itself gives to its pages with the listed ones. Pure. */

import { hashText } from '../base/columns/keys.js';
import { getOrInsert } from '../base/group.js';
import { addressOf } from './address.js';

/** A listed page, and the URL that the site itself gives to it, such as in its sitemap. */
export interface SaidUrl<T> {
  readonly page: T;
  readonly said: string;
}

/** Lists all URLs, in any style, that a host may give to the file of a URL. */
function variantsOf(uri: string): string[] {
  const stem = addressOf(uri).replace(/(?:\/index\.html|\.html|\/)$/, '');
  return [stem, `${stem}/`, `${stem}.html`, `${stem}/index.html`];
}

/** Returns whether both URLs may be those of one file, in different styles. */
export function isVariant(uri: string, other: string): boolean {
  return variantsOf(uri).includes(addressOf(other));
}

/** Returns whether `said` has URLs, and none is that of a listed file, in any style. @param uris all listed URLs */
export function isElsewhere(said: readonly string[], uris: Iterable<string>): boolean {
  const wanted = new Set(said.flatMap(variantsOf));
  if (said.length > 0) for (const uri of uris) if (wanted.has(addressOf(uri))) return false;
  return said.length > 0;
}

/**
 * Finds the listed pages of the URLs in a sitemap; URLs with several candidates are left out.
 * @param said URLs in the sitemap, as written @param uris of all listed pages @param pageAt called for matching pages only
 */
export function matchSaid<T>(
  said: readonly string[],
  uris: Iterable<string>,
  pageAt: (place: number) => T | undefined,
): SaidUrl<T>[] {
  if (said.length === 0) return [];
  const wanted = new Map<string, string>();
  for (const uri of said) for (const variant of variantsOf(uri)) wanted.set(variant, uri);
  const places = new Map<string, number[]>();
  let place = 0;
  for (const listed of uris) {
    const uri = wanted.get(addressOf(listed));
    if (uri !== undefined) getOrInsert(places, uri, () => []).push(place);
    place++;
  }
  return [...places].flatMap(([uri, [first, ...others]]) => {
    const page = first === undefined || others.length > 0 ? undefined : pageAt(first);
    return page === undefined ? [] : [{ page, said: uri }];
  });
}

const MOST_PAGES = 50;

/**
 * Chooses pages by a hash of their URLs, so that the choice hardly changes when other pages come or go. Keeps their order.
 * @param pageAt returns the page of a URL, or undefined; called for few URLs
 */
export function chooseSaidPages<T>(
  uris: Iterable<string>,
  pageAt: (place: number) => T | undefined,
): readonly T[] {
  const marks = Array.from(uris, (uri) => hashText(uri, 0));
  const chosen: { readonly place: number; readonly page: T }[] = [];
  for (const place of [...marks.keys()].sort((a, b) => (marks[a] as number) - (marks[b] as number))) {
    if (chosen.length === MOST_PAGES) break;
    const page = pageAt(place);
    if (page !== undefined) chosen.push({ place, page });
  }
  return chosen.sort((a, b) => a.place - b.place).map(({ page }) => page);
}
