/** Chooses the path of a URL below the folder. Pure. */

import { hashText } from '../../base/columns/keys.js';
import { matchGroups } from '../../base/text/match.js';
import { DEVICE, foldName } from '../../paths/package-names.js';

/** Limits of a name and of a path, in bytes of UTF-8. Every file system takes so many, even with the path of the folder. */
const MOST_SEGMENT = 240;
const MOST_PATH = 900;

/** Characters that some file system refuses in a name or changes, and the marks of opaque names. */
const UNSAFE = /[\0-\x1f\x7f<>:"\\|?*/\p{Noncharacter_Code_Point}]|^[ ~]|[ .]$|~\d/u;
/** Characters that some file system ignores in a name. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const HTML = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const EXTENSION = /\.[a-z0-9]{1,10}$/i;

const encoder = new TextEncoder();

/**
 * Returns the path from which a static host would serve a URL. If a file system cannot hold that path, returns a hash of the
 * URL as a name at the top of the folder.
 * @param base URL of the folder, with a trailing slash; other origins get a folder named after the host
 * @param type listed media type
 */
export function pathOf(uri: string, base: string, type: string | undefined): string {
  return plainPathOf(uri, base, type) ?? opaquePathOf(uri, 0);
}

/** Returns a path made of a hash of the URL, which no plain path can equal. Each attempt gives another one. */
export function opaquePathOf(uri: string, attempt: number): string {
  const digest = [0, 1, 2].map((seed) =>
    hashText(uri, seed + 3 * attempt)
      .toString(16)
      .padStart(8, '0'),
  );
  const [extension = ''] = matchGroups(EXTENSION, new URL(uri).pathname);
  return `~${digest.join('')}${extension}`;
}

/** Number of opaque paths of a URL that `mayBePathOf` recognizes. */
const MOST_ATTEMPTS = 100;

/** Returns whether a run may have chosen a path for a URL, whatever the media type, and whatever paths were taken. */
export function mayBePathOf(path: string, uri: string, base: string): boolean {
  if ([undefined, 'text/html'].some((type) => pathOf(uri, base, type) === path)) return true;
  if (!path.startsWith('~')) return false;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++)
    if (opaquePathOf(uri, attempt) === path) return true;
  return false;
}

/** Folds case, composition and ignored characters, so that paths with different results differ on every file system. */
export function foldPath(path: string): string {
  return PLAIN_ASCII.test(path) ? path.toLowerCase() : foldName(path.replace(UNSEEN, ''));
}

const PLAIN_ASCII = /^[\x20-\x7e]*$/;

function plainPathOf(uri: string, base: string, type: string | undefined): string | undefined {
  const url = new URL(uri);
  if (url.search !== '' || uri.includes('?')) return undefined;
  const rest = relativePath(url, base);
  const segments = rest.split('/').map(decodeSegment);
  const last = segments.pop();
  segments.push(nameFile(last, type));
  const path = segments.join('/');
  const fits = encoder.encode(path).length <= MOST_PATH;
  return fits && segments.every(isPlain) ? path : undefined;
}

function relativePath({ origin, host, pathname }: URL, base: string): string {
  const whole = origin + pathname;
  if (whole.startsWith(base)) return whole.slice(base.length);
  return `${host.replace(/[:[\]]/g, '_')}${pathname}`;
}

function nameFile(last: string | undefined, type: string | undefined): string | undefined {
  if (last === '') return 'index.html';
  const isPage = type !== undefined && HTML.test(type) && last !== undefined && !EXTENSION.test(last);
  return isPage ? `${last}.html` : last;
}

/** Decodes the escapes in a segment of a URL; undefined if they are malformed or not UTF-8. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function isPlain(segment: string | undefined): boolean {
  if (segment === undefined || segment === '') return false;
  if (segment === '.well-known') return true;
  const seen = segment.replace(UNSEEN, '').normalize('NFKC');
  return (
    encoder.encode(segment).length <= MOST_SEGMENT &&
    segment.normalize('NFC') === segment &&
    seen !== '' &&
    !UNSAFE.test(segment) &&
    !UNSAFE.test(seen) &&
    !seen.startsWith('.') &&
    !DEVICE.test(seen)
  );
}
