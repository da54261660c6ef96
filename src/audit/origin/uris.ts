/** How the listed URLs of a folder lead to its files. Pure. */

import { decodePath, encodePath, type UrlStyle } from '../../paths/urls.js';

/** The style of URLs that a Resource List shows; where it shows none, one that fits all the same. */
export function inferStyle(url: string, listed: readonly { readonly uri: string }[]): UrlStyle {
  const ends = (end: string) => listed.some(({ uri }) => uri.endsWith(end) && uri !== url);
  if (ends('/index.html') || listed.some(({ uri }) => uri === `${url}index.html`)) return 'file';
  if (ends('.html')) return 'directory';
  return ends('/') ? 'clean' : 'bare';
}

/** Others may escape more or fewer characters than we do. */
export function normalizeUri(url: string, uri: string): string {
  if (!NEEDS_CARE.test(uri) || !uri.startsWith(url)) return uri;
  return url + encodePath(decodePath(uri.slice(url.length)));
}

const NEEDS_CARE = /[^\w./:-]/;
