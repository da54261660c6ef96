/** What a site itself says of the URLs of its pages, against the URLs that are listed. Pure. */

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

/** When there are so many that may be among the chosen, those that are not are left out. */
const MOST_NEAR = 20 * MOST_PAGES;

/**
 * Chooses pages by their names alone: the same ones in every run, and nearly the same ones when others come or go. Those
 * with the lowest marks, in their order.
 */
export function choosePages<T extends { readonly uri: string }>(pages: Iterable<T>): readonly T[] {
  let near: { readonly mark: number; readonly page: T }[] = [];
  let highest = Number.POSITIVE_INFINITY;
  const narrow = (): void => {
    highest = near.map(({ mark }) => mark).sort((a, b) => a - b)[MOST_PAGES - 1] ?? highest;
    let last = 0;
    near = near.filter(({ mark }) => mark < highest || (mark === highest && last++ < MOST_PAGES));
  };
  for (const page of pages) {
    const mark = markOf(page.uri);
    if (mark <= highest && near.push({ mark, page }) > MOST_NEAR) narrow();
  }
  narrow();
  return near.slice(0, MOST_PAGES).map(({ page }) => page);
}

/** A number that looks as if drawn by chance (FNV-1a). */
function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) {
    mark = Math.imul(mark ^ text.charCodeAt(place), 0x01000193);
  }
  return mark >>> 0;
}
