/** Tests whether texts are URLs. */

/** Returns whether a text is a URL, if need be relative to `base`. `URL.canParse` of Node 20 may refuse é in hosts. */
export function isUrl(text: string, base?: string): boolean {
  if (!NOT_ASCII.test(text) && (base === undefined || !NOT_ASCII.test(base))) return URL.canParse(text, base);
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a text is an http(s) URL without a password. */
export function isWebUrl(text: string): boolean {
  return isUrl(text) && new URL(text).username + new URL(text).password === '' && /^https?:\/\//i.test(text);
}

/** Returns whether a text is meant as a URL, of a web site or not, and not as a path such as `C:\site`. */
export const isMeantAsUrl = (text: string): boolean => /^(?:https?:|[a-z][a-z\d+.-]+:\/\/)/i.test(text);

const NOT_ASCII = /[^\0-\x7f]/;

/** Returns whether a text is an absolute URI (RFC 3986 §4.3), of any scheme. */
export function isAbsoluteUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && isUrl(text);
}
