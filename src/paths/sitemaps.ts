/** Recognizes what leads to documents without parsing it: Sitemaps, and the lines of `robots.txt` that name them (§6.3.4). Pure. */

/** The root element stands within so many characters, which are bytes at most. */
export const ROOT_WITHIN = 4096;

/** Whether a text may be a Sitemap, or an index of some; documents of ResourceSync are such, too. */
export function isSitemap(beginning: string): boolean {
  return /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(beginning.slice(0, ROOT_WITHIN));
}

/** A line of `robots.txt` that names a Sitemap. */
export interface SitemapLine {
  /** Where it begins in the text. */
  readonly index: number;
  /** As it is written: anything without white space. */
  readonly target: string;
}

/** Lists the lines that name Sitemaps. They belong to no group, and may stand anywhere (RFC 9309 §2.2.4). */
export function listSitemapLines(robots: string): SitemapLine[] {
  const lines = robots.matchAll(/^\ufeff?[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)/gim);
  return Array.from(lines, ({ index, 1: target = '' }) => ({ index, target }));
}
