/** Titles and addresses as the page and the feed show them. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { cleanText } from '../../standard/xml/markup.js';

/** Longer titles are cut, in characters. */
const TITLE_LENGTH = 200;

/** Makes a title of one line, not too long; undefined if nothing is left. */
export function cleanTitle(text = ''): string | undefined {
  const line = cleanText(text.replace(/\s+/g, ' ')).trim();
  const characters = [...line.slice(0, 2 * TITLE_LENGTH + 2)];
  const short = characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH).join('')}…` : line;
  return /[^\s\ufffd]/.test(short) ? short : undefined;
}

/** Decodes the path of a URL for people, if it is unambiguous. */
export function showUri(uri: string, url: string): string {
  const path = `/${uri.slice(url.length)}`;
  const read = unlessThrown(() => decodeURI(path), URIError);
  return read !== undefined && cleanText(read) === read && !/\s/.test(read) ? read : path;
}

export interface Addresses {
  readonly url: string;
  /** URI of the start page. */
  readonly home: string;
  readonly page: string | undefined;
  readonly feed: string | undefined;
}

/** Makes a link within the site without scheme and host, so that it also works in a preview. */
export function linkWithin(uri: string): string {
  const { origin } = new URL(uri);
  const path = uri.slice(origin.length);
  // Two slashes would begin another host.
  return uri.startsWith(origin) && /^\/(?!\/)/.test(path) ? path : uri;
}

/** Quotes a URL for a shell. */
export function quoteForShell(uri: string): string {
  return /^[\w:/.~%@+=,-]+$/.test(uri) ? uri : `'${uri.replaceAll("'", '%27')}'`;
}
