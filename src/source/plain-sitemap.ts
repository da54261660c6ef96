/** Finds the Sitemap of a site that publishes nothing of ResourceSync. */

import { isSitemap } from '../paths/host-rules.js';
import { readStart } from './document.js';
import { isAbsent, type Origin } from './origin/origin.js';
import { isForbidden, isRobots, MOST_PAGE_BYTES, ROBOTS, readRobots } from './robots.js';

/**
 * Whether a place has no document, however its server says so: by a page for whatever is missing, by a redirect to one, or by 403.
 * A document that is damaged is one.
 */
export async function hasNoDocument(origin: Origin, uri: string): Promise<boolean> {
  const opened = await origin.open(uri, { most: MOST_PAGE_BYTES });
  if (isAbsent(opened)) return opened.failure === 'missing' || isForbidden(opened);
  const text = await readStart(opened.body);
  return text !== undefined && !isSitemap(text);
}

/**
 * Finds what lists the pages of a site that has nothing of ResourceSync: its Sitemap, or the `robots.txt` that names some. What is
 * there and cannot be read is found, too: nothing else is sure to list the same.
 *
 * @param named URL that the user named
 * @param former what was found in the last run
 */
export async function findPlainSitemap(
  origin: Origin,
  named: string,
  former?: string,
): Promise<string | undefined> {
  const root = new URL('/', named).href;
  const isThere = async (uri: string) => !(await hasNoDocument(origin, uri));
  // Below a path, the robots.txt of the host speaks of others, too.
  const own = new URL(SITEMAP, new URL('.', named)).href;
  if (own !== root + SITEMAP && (former === own || (await isThere(own)))) return own;
  const robots = root + ROBOTS;
  const { sitemaps, broken } = await readRobots(origin, robots);
  if (former === robots || broken !== undefined || sitemaps.length > 0) return robots;
  return (await isThere(root + SITEMAP)) ? root + SITEMAP : undefined;
}

/** Whether a URL is one that `findPlainSitemap` may have found. */
export function isPlainPlace(uri: string): boolean {
  return isRobots(uri) || new URL(uri).pathname.endsWith(`/${SITEMAP}`);
}

const SITEMAP = 'sitemap.xml';
