/** Reads the sitemaps of a site that we wrote or dated; the dates of others are not trusted. */

import { addressOf } from '../paths/address.js';
import { SITEMAP_LIMIT, unpackSitemap } from '../paths/hold/ownership.js';
import { listSitemapLines, SITEMAP_NAMES } from '../paths/host-rules.js';
import { isDatedText, isOwnText } from '../paths/ours.js';
import type { StandingSitemap } from '../standard/xml/read-sitemap.js';
import { readSitemap } from '../standard/xml/read-sitemap.js';
import { collectBytes } from './document.js';
import { isAbsent, type Origin } from './origin/origin.js';

const MOST_SITEMAPS = 1000;
const ROBOTS_BYTES = 500_000;

interface DatedSitemap extends Pick<StandingSitemap, 'isIndex' | 'entries'> {
  readonly uri: string;
  readonly isOwn: boolean;
}

/**
 * Reads the sitemaps that we wrote or dated, among those that `robots.txt` names, those with usual names, and their parts.
 * @param base URL of the site, with a trailing slash; URLs outside of it are ignored
 */
export async function readDatedSitemaps(origin: Pick<Origin, 'open'>, base: string): Promise<DatedSitemap[]> {
  const robots = await fetch(origin, `${base}robots.txt`);
  const lines = robots === undefined ? [] : listSitemapLines(robots.toString('latin1', 0, ROBOTS_BYTES));
  const waiting = new Set(lines.map(({ target }) => target));
  for (const name of SITEMAP_NAMES) waiting.add(base + name);
  const found: DatedSitemap[] = [];
  for (const uri of waiting) {
    const sitemap = uri.startsWith(base) ? parse(uri, await fetch(origin, uri)) : undefined;
    if (sitemap === undefined) continue;
    found.push(sitemap);
    const parts = sitemap.isIndex ? sitemap.entries : [];
    for (const { loc } of parts) if (waiting.size < MOST_SITEMAPS) waiting.add(loc);
  }
  return found;
}

/** Fetches a file, up to about the limit of a sitemap; undefined if it cannot be read. */
async function fetch(origin: Pick<Origin, 'open'>, uri: string): Promise<Buffer | undefined> {
  const opened = await origin.open(uri, { most: SITEMAP_LIMIT, fresh: true });
  if (isAbsent(opened)) return undefined;
  const { bytes, broken } = await collectBytes(opened.body, SITEMAP_LIMIT);
  return broken === undefined ? bytes : undefined;
}

const UNDATED = { said: '' };

/** Lists the pages of sitemaps with their dates; a date is '' if there is none. */
export function* listDatedPages(sitemaps: readonly DatedSitemap[]) {
  for (const { uri, isIndex, entries } of sitemaps) {
    if (isIndex) continue;
    for (const { loc, lastmods } of entries) {
      const [{ said } = UNDATED] = lastmods;
      yield { document: uri, key: addressOf(loc), said };
    }
  }
}

function parse(uri: string, bytes: Buffer | undefined): DatedSitemap | undefined {
  const text = bytes && unpackSitemap(bytes)?.toString();
  if (text === undefined) return undefined;
  // `robots.txt` may also name a Resource List: its dates are those of bytes, and not of texts.
  const isOwn = isOwnText(text) && !text.includes('<rs:md ');
  const sitemap = isOwn || isDatedText(text) ? readSitemap(text) : undefined;
  return sitemap && { uri, isOwn, isIndex: sitemap.isIndex, entries: sitemap.entries };
}
