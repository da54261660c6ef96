/** The form in which addresses are compared, kept and looked up (RFC 3986 §6.2.2). Pure. */

import { isUrl } from '../base/url.js';

/** Escapes of what needs none in a path. */
const NEEDLESS = '%(?:2[1467-9A-E]|3[\\dABD]|4|5[\\dAF]|6[1-9A-F]|7[\\dAE])';

/** An address in that form already, as nearly all are. */
const COMPARABLE = new RegExp(
  `^https?://[a-z\\d]+(?:[.-][a-z\\d]+)*(?::(?!80/|443/)\\d+)?(?:/(?!\\.)(?:[\\w~!$&'()*+,;=:@.-]|(?!${NEEDLESS})%[\\dA-F]{2})*)+(?:\\?[\\w~!$&()*+,;=:@/?.-]*)?$`,
);

/** Characters that need no escape in a path (§3.3: `pchar`), and those that need none anywhere (§2.3: `unreserved`). */
const PATH_CHARACTER = /[\w.~!$&'()*+,;=:@-]/;
const UNRESERVED = /[\w.~-]/;

/**
 * Normalizes an address for comparison: case, default port, dot segments, escapes. Unreserved characters are decoded, and in
 * paths also those that mean themselves there (`c%2B%2B` is `c++`; `%2F` is no `/`). Other texts stay as they are.
 */
declare const NORMALIZED: unique symbol;

/** A URL in the form in which addresses are compared; only `addressOf` makes one. */
export type Address = string & { readonly [NORMALIZED]: true };

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
