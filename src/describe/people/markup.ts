/** Makes titles and addresses as the page and the feed for people show them. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { cleanText } from '../../standard/xml/markup.js';

/** Length in characters at which longer titles are cut. */
const TITLE_LENGTH = 200;

/** Makes a title of one line, cut at `TITLE_LENGTH`; undefined if the text has no readable characters. */
export function cleanTitle(text = ''): string | undefined {
  const line = cleanText(text.replace(/\s+/g, ' ')).trim();
  const characters = [...line.slice(0, 2 * TITLE_LENGTH + 2)];
  const short = characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH).join('')}…` : line;
  return /[^\s\ufffd]/.test(short) ? short : undefined;
}

/** Returns the path of a URL below that of the site, decoded for people if that is unambiguous. @param url URL of the site */
export function showUri(uri: string, url: string): string {
  const path = `/${uri.slice(url.length)}`;
  const read = unlessThrown(() => decodeURI(path), URIError);
  return read !== undefined && cleanText(read) === read && !/\s/.test(read) ? read : path;
}

export interface Addresses {
  readonly url: string;
  /** URI of the start page of the site. */
  readonly home: string;
  readonly page: string | undefined;
  readonly feed: string | undefined;
}

/** Makes a link within the site without scheme and host, so that it also works in a preview. */
export function linkWithin(uri: string): string {
  const { origin } = new URL(uri);
  const path = uri.slice(origin.length);
  // A link that begins with two slashes would name another host.
  return uri.startsWith(origin) && /^\/(?!\/)/.test(path) ? path : uri;
}

export function quoteForShell(uri: string): string {
  return /^[\w:/.~%@+=,-]+$/.test(uri) ? uri : `'${uri.replaceAll("'", '%27')}'`;
}
