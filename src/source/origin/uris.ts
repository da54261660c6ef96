/** How the listed URLs of a folder lead to its files. Pure. */

import { decodePath, encodePath, type UrlStyle } from '../../paths/urls.js';

/** The style of URLs that a Resource List shows; where it shows none, one that fits all the same. */
export function inferStyle(url: string, listed: Iterable<string>): UrlStyle {
  let [hasPage, hasFolder] = [false, false];
  for (const uri of listed) {
    if (uri === url) continue;
    if (uri.endsWith('/index.html') || uri === `${url}index.html`) return 'file';
    hasPage ||= uri.endsWith('.html');
    hasFolder ||= uri.endsWith('/');
  }
  if (hasPage) return 'directory';
  return hasFolder ? 'clean' : 'bare';
}

/** Others may escape more or fewer characters than we do. */
export function normalizeUri(url: string, uri: string): string {
  if (!NEEDS_CARE.test(uri) || !uri.startsWith(url)) return uri;
  return url + encodePath(decodePath(uri.slice(url.length)));
}

const NEEDS_CARE = /[^\w./:-]/;
