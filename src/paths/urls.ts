/** Makes URLs of the files of a site, and finds the files of URLs. Pure. */

/** Mappings of HTML files to URLs on the host; docs/reference.md has a table of them. */
export const URL_STYLES = ['directory', 'clean', 'bare', 'file'] as const;
export type UrlStyle = (typeof URL_STYLES)[number];

/** Limit of the Sitemap protocol for `<loc>`: less than 2,048 characters, percent-encoded, before XML escaping. */
export const URL_LENGTH_LIMIT = 2048;

/** Characters that `encodeURIComponent` escapes although RFC 3986 §3.3 allows them in a path segment, and browsers keep them. */
const OVER_ENCODED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;
const NEEDS_NO_ENCODING = /^[\w.~!$&'()*+,;=:@/-]*$/;

/**
 * Makes the URL under which a host serves a file, percent-encoded UTF-8 per segment (RFC 3986 §3.3).
 * @param base URL of the site's root, with a trailing slash @param path relative to the site, `/` between segments
 * @throws URIError if the path holds a lone surrogate
 */
export function makeUri(base: string, path: string, style: UrlStyle): string {
  return base + encodePath(servedPath(path, style));
}

export function encodePath(path: string): string {
  if (NEEDS_NO_ENCODING.test(path)) return path;
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment).replace(OVER_ENCODED, decodeURIComponent))
    .join('/');
}

/** Lists the paths that a URL of the site may be served from, likely ones first; none if no path in the site fits. */
export function listPaths(uri: string, base: string, style: UrlStyle): string[] {
  if (!uri.startsWith(base)) return [];
  const rest = decodePath(uri.slice(base.length));
  return [rest, `${rest}index.html`, `${rest}.html`, `${rest}/index.html`].filter(
    (path) => servedPath(path, style) === rest && isPlainPath(path),
  );
}

/** Returns whether a path stays in its folder on any system: no segment is empty or leads elsewhere. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && !/^\.{1,2}$|[\\\0]|\p{Cs}/u.test(segment));
}

/** Undoes the percent-encoding of a path; returns the path unchanged if its bytes are not UTF-8. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

function servedPath(path: string, style: UrlStyle): string {
  if (style === 'file' || !path.endsWith('.html')) return path;
  if (path === 'index.html') return '';
  if (path.endsWith('/index.html')) {
    const folder = path.slice(0, -'index.html'.length);
    return style === 'bare' ? folder.slice(0, -1) : folder;
  }
  return style === 'directory' ? path : path.slice(0, -'.html'.length);
}

/**
 * Guesses the path of a URL's file, with an extension, for sites that cannot be listed.
 * @param uri below the site's root @param style if it is not given, any URL that may be that of a page counts as one
 */
export function guessPath(uri: string, base: string, style: UrlStyle = 'clean'): string {
  const paths = listPaths(uri, base, style);
  return paths.find((path) => /\.[^./]+$/.test(path)) ?? paths[0] ?? decodePath(uri.slice(base.length));
}

/** Returns a URL that ends with a slash as the root of a site; for any other URL, returns the root of its host. */
export function rootOfSource(source: string): string {
  const { pathname, search } = new URL(source);
  return pathname.endsWith('/') && search === '' ? source : new URL('/', source).href;
}
