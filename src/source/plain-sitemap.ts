/** Finds the Sitemap of a site that publishes nothing of ResourceSync. */

import { isSitemap } from '../paths/host-rules.js';
import { readStart } from './document.js';
import { isAbsent, type Origin } from './origin/origin.js';
import { isForbidden, isRobots, MOST_PAGE_BYTES, ROBOTS, readRobots } from './robots.js';

/**
 * Tests whether a URL has no Sitemap or ResourceSync document. For a missing one, a server may also answer with a page, a
 * redirect to a page, or status 403. A damaged document counts as one.
 */
export async function hasNoDocument(origin: Origin, uri: string): Promise<boolean> {
  const opened = await origin.open(uri, { most: MOST_PAGE_BYTES });
  if (isAbsent(opened)) return opened.failure === 'missing' || isForbidden(opened);
  const text = await readStart(opened.body);
  return text !== undefined && !isSitemap(text);
}

/**
 * Finds the list of pages of a site without ResourceSync: its Sitemap, or the `robots.txt` that names Sitemaps. A damaged one
 * counts as found, since another might list other pages. @param named URL that the user named @param former result of the last run
 */
export async function findPlainSitemap(
  origin: Origin,
  named: string,
  former?: string,
): Promise<string | undefined> {
  const root = new URL('/', named).href;
  const isThere = async (uri: string) => !(await hasNoDocument(origin, uri));
  // A Sitemap beside the named URL comes first: the robots.txt of the host may name Sitemaps of other sites.
  const own = new URL(SITEMAP, new URL('.', named)).href;
  if (own !== root + SITEMAP && (former === own || (await isThere(own)))) return own;
  const robots = root + ROBOTS;
  const { sitemaps, broken } = await readRobots(origin, robots);
  if (former === robots || broken !== undefined || sitemaps.length > 0) return robots;
  return (await isThere(root + SITEMAP)) ? root + SITEMAP : undefined;
}

/** Returns whether a URL may be a result of `findPlainSitemap`. */
export function isPlainPlace(uri: string): boolean {
  return isRobots(uri) || new URL(uri).pathname.endsWith(`/${SITEMAP}`);
}

const SITEMAP = 'sitemap.xml';
