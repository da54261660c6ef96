/** Compares the URLs that a site itself gives to its pages with the listed ones. Pure. */

import { hashText } from '../base/columns/keys.js';
import { getOrInsert } from '../base/group.js';
import { addressOf } from './address.js';

/** A page that is listed, and the URL that the site itself gives it. */
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

/** Number of pages that are read to recognize the style of their URLs. */
const MOST_PAGES = 50;

/** Limit of candidates for the choice of pages; above it, those that can no longer be chosen are dropped. */
const MOST_NEAR = 20 * MOST_PAGES;

/**
 * Chooses pages by a hash of their URLs, so that the choice hardly changes when other pages come or go. Keeps their order.
 * @param pageAt returns the page of a URL, or undefined; called for few URLs
 */
export function chooseSaidPages<T>(
  uris: Iterable<string>,
  pageAt: (place: number, uri: string) => T | undefined,
): readonly T[] {
  let near: { readonly mark: number; readonly page: T }[] = [];
  let highest = Number.POSITIVE_INFINITY;
  const narrow = (): void => {
    highest = near.map(({ mark }) => mark).sort((a, b) => a - b)[MOST_PAGES - 1] ?? highest;
    let last = 0;
    near = near.filter(({ mark }) => mark < highest || (mark === highest && last++ < MOST_PAGES));
  };
  let place = 0;
  for (const uri of uris) {
    const mark = hashText(uri, 0);
    const page = mark <= highest ? pageAt(place, uri) : undefined;
    if (page !== undefined && near.push({ mark, page }) > MOST_NEAR) narrow();
    place++;
  }
  narrow();
  return near.slice(0, MOST_PAGES).map(({ page }) => page);
}
