/** Normalizes URLs, so that they can be compared and looked up (RFC 3986 §6.2.2). Pure. */

import { isUrl } from '../base/url.js';

/** Pattern of percent-encoded characters that need no encoding in a path. */
const NEEDLESS = '%(?:2[1467-9A-E]|3[\\dABD]|4|5[\\dAF]|6[1-9A-F]|7[\\dAE])';

/** Matches a URL that is normalized already, as nearly all are. */
const COMPARABLE = new RegExp(
  `^https?://[a-z\\d]+(?:[.-][a-z\\d]+)*(?::(?!80/|443/)\\d+)?(?:/(?!\\.)(?:[\\w~!$&'()*+,;=:@.-]|(?!${NEEDLESS})%[\\dA-F]{2})*)+(?:\\?[\\w~!$&()*+,;=:@/?.-]*)?$`,
);

/** Characters that need no encoding in a path (RFC 3986 §3.3: `pchar`), and those that need none anywhere (§2.3: `unreserved`). */
const PATH_CHARACTER = /[\w.~!$&'()*+,;=:@-]/;
const UNRESERVED = /[\w.~-]/;

declare const NORMALIZED: unique symbol;

/** A URL that `addressOf` has normalized, for comparison. */
export type Address = string & { readonly [NORMALIZED]: true };

/**
 * Normalizes an http(s) URL: case, default port, dot segments, escapes. Unreserved characters are decoded, and in paths also
 * those that mean themselves there (`c%2B%2B` is `c++`; `%2F` is no `/`). Other texts are returned unchanged.
 */
export function addressOf(uri: string): Address {
  return normalize(uri) as Address;
}

function normalize(uri: string): string {
  if (COMPARABLE.test(uri) || !/^https?:/i.test(uri)) return uri;
  if (!isUrl(uri)) return uri;
  const { href } = new URL(uri);
  const path = href.indexOf('/', 'https://'.length);
  const rest = href.slice(path).search(/[?#]/);
  const end = rest === -1 ? href.length : path + rest;
  return (
    href.slice(0, path) + decode(href.slice(path, end), PATH_CHARACTER) + decode(href.slice(end), UNRESERVED)
  );
}

export function sameAddress(a: string, b: string): boolean {
  return a === b || addressOf(a) === addressOf(b);
}

function decode(text: string, characters: RegExp): string {
  return text.replace(/%[\da-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return characters.test(character) ? character : escaped.toUpperCase();
  });
}
