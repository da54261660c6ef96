/** Adds lines to text files, `robots.txt` among them, and leaves all else in them alone. Pure. */

/**
 * Adds the `Sitemap` lines that `robots.txt` lacks, at its end (§6.3.4). They belong to no group (RFC 9309 §2.2.4).
 *
 * @param robots the bytes of the file, a character each
 * @param resourceLists URLs
 */
export function addSitemaps(robots: string, resourceLists: readonly string[]): string {
  const lines = robots.replace(BYTE_ORDER_MARK, '').matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)/gim);
  const named = new Set(Array.from(lines, ([, url = '']) => (URL.canParse(url) ? new URL(url).href : url)));
  const missing = resourceLists.filter((url) => !named.has(url)).map((url) => `Sitemap: ${url}`);
  return appendLines(robots, missing);
}

/** In UTF-8, a character for each byte. */
export const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function appendLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = lineEndOf(text);
  const unfinished = text.replace(BYTE_ORDER_MARK, '') !== '' && !/[\r\n]$/.test(text);
  return text + (unfinished ? end : '') + lines.map((line) => line + end).join('');
}

export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}
