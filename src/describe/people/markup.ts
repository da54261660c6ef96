/** Titles and addresses as the page and the feed show them. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { cleanText } from '../../standard/xml/markup.js';

/** So many characters of a title are shown. */
const TITLE_LENGTH = 200;

/** Makes a title of one line, not too long; undefined if nothing is left. */
export function cleanTitle(text = ''): string | undefined {
  const line = cleanText(text.replace(/\s+/g, ' ')).trim();
  const characters = [...line.slice(0, 2 * TITLE_LENGTH + 2)];
  const short = characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH).join('')}…` : line;
  return /[^\s\ufffd]/.test(short) ? short : undefined;
}

/** The path of a URL as people read it, where that is the same. */
export function showUri(uri: string, url: string): string {
  const path = `/${uri.slice(url.length)}`;
  const read = unlessThrown(() => decodeURI(path), URIError);
  return read !== undefined && cleanText(read) === read && !/\s/.test(read) ? read : path;
}

/** Addresses of one site. */
export interface Addresses {
  /** URL of the root, with a trailing slash. */
  readonly url: string;
  /** URI of the page that the site starts with. */
  readonly home: string;
  /** URI of the page; undefined without one. */
  readonly page: string | undefined;
  /** URI of the feed; undefined without one. */
  readonly feed: string | undefined;
}

/**
 * The link from a page of the site to another one: without scheme and host, so that it stays where the site is looked at, as
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
