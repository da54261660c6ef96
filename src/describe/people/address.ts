/** Where the page and the feed are, and where they lead. Pure. */

/** Addresses of one site. */
export interface Addresses {
  /** Of the root, with a trailing slash. */
  readonly url: string;
  /** URI of the page; undefined when there is none. */
  readonly page: string | undefined;
  /** URI of the feed; undefined when there is none. */
  readonly feed: string | undefined;
  /** URI of the page, or of the archive, with older changes; counted from 0. */
  readonly olderPage: (index: number) => string;
  readonly olderFeed: (index: number) => string;
}

/**
 * How a page of the site leads to another one: without scheme and host, so that it stays where the site is looked at, as
 * in a preview.
 */
export function linkWithin(uri: string): string {
  const { origin } = new URL(uri);
  const path = uri.slice(origin.length);
  // Two slashes would begin another host.
  return uri.startsWith(origin) && /^\/(?!\/)/.test(path) ? path : uri;
}

/** A URL as one word of a command line. */
export function quoteForShell(uri: string): string {
  return /^[\w:/.~%@+=,-]+$/.test(uri) ? uri : `'${uri.replaceAll("'", '%27')}'`;
}
