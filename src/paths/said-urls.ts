/** What a site itself says of the URLs of its pages, against the URLs that are listed. Pure. */

import type { Rows } from '../columns/rows.js';

/** A page that is listed, and the URL that the site itself gives it. */
export interface SaidUrl<T> {
  readonly page: T;
  readonly said: string;
}

/** Every URL that a host may give to a file at one of them. */
function variantsOf(uri: string): string[] {
  const stem = uri.replace(/(?:\/index\.html|\.html|\/)$/, '');
  return [stem, `${stem}/`, `${stem}.html`, `${stem}/index.html`];
}

/** Whether both may be the URL of one file, by another style. */
export function isVariant(uri: string, other: string): boolean {
  return variantsOf(uri).includes(other);
}

/**
 * Finds the pages that a sitemap means. One that may mean several pages means none.
 *
 * @param said URLs as the sitemap has them
 * @param listed is gone through once
 */
export function matchSaid<T extends { readonly uri: string }>(
  said: readonly string[],
  listed: Iterable<T>,
): SaidUrl<T>[] {
  const wanted = new Map<string, string>();
  for (const uri of said) for (const variant of variantsOf(uri)) wanted.set(variant, uri);
  const pages = new Map<string, T[]>();
  for (const page of listed) {
    const uri = wanted.get(page.uri);
    if (uri !== undefined) pages.set(uri, [...(pages.get(uri) ?? []), page]);
  }
  return [...pages].flatMap(([uri, [page, ...others]]) =>
    page === undefined || others.length > 0 ? [] : [{ page, said: uri }],
  );
}

/** So many pages are looked into; that is enough to tell a style. */
const MOST_PAGES = 50;

/** Chooses pages by their names alone: the same ones in every run, and nearly the same ones when others come or go. */
export function choosePages<T extends { readonly uri: string }>(pages: Rows<T>): readonly T[] {
  if (pages.length <= MOST_PAGES) return [...pages];
  const marks = new Uint32Array(pages.length);
  for (const [index, { uri }] of pages.entries()) marks[index] = markOf(uri);
  const highest = marks.slice().sort()[MOST_PAGES - 1] ?? 0;
  const chosen: T[] = [];
  for (const [index, mark] of marks.entries()) {
    const page = mark <= highest && chosen.length < MOST_PAGES ? pages.at(index) : undefined;
    if (page !== undefined) chosen.push(page);
  }
  return chosen;
}

/** A number that looks as if drawn by chance (FNV-1a). */
function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) {
    mark = Math.imul(mark ^ text.charCodeAt(place), 0x01000193);
  }
  return mark >>> 0;
}
