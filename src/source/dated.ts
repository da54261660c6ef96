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

/** A function that fetches a file, up to about `most` bytes; returns undefined if it cannot. */
type FetchSitemap = (uri: string, most: number) => Promise<Buffer | undefined>;

/**
 * Reads the sitemaps that we wrote or dated, among those that `robots.txt` names, those with usual names, and their parts.
 * @param base URL of the site, with a trailing slash; URLs outside of it are ignored
 * @param names further paths in the site; with these, compressed sitemaps are tried if no other is found
 */
export async function readDatedSitemaps(
  base: string,
  fetch: FetchSitemap,
  names: readonly string[] = [],
): Promise<DatedSitemap[]> {
  const robots = await fetch(`${base}robots.txt`, SITEMAP_LIMIT);
  const lines = robots === undefined ? [] : listSitemapLines(robots.toString('latin1', 0, ROBOTS_BYTES));
  const named = lines.map(({ target }) => target);
  const usual = [...names, ...SITEMAP_NAMES].map((name) => base + name);
  const read = await follow(new Set([...named, ...usual]));
  const packed = names.length === 0 || read.length > 0 ? [] : usual.map((uri) => `${uri}.gz`);
  return packed.length === 0 ? read : follow(new Set(packed));

  async function follow(waiting: Set<string>): Promise<DatedSitemap[]> {
    const found: DatedSitemap[] = [];
    for (const uri of waiting) {
      if (!uri.startsWith(base)) continue;
      const sitemap = parse(uri, await fetch(uri, SITEMAP_LIMIT));
      if (sitemap === undefined) continue;
      found.push(sitemap);
      const parts = sitemap.isIndex ? sitemap.entries : [];
      for (const { loc } of parts) if (waiting.size < MOST_SITEMAPS) waiting.add(loc);
    }
    return found;
  }
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

/** Makes a function that fetches from an origin, and returns undefined for any failure. */
export function fetchFrom(origin: Pick<Origin, 'open'>): FetchSitemap {
  return async (uri, most) => {
    const opened = await origin.open(uri, { most, fresh: true });
    if (isAbsent(opened)) return undefined;
    const { bytes, broken } = await collectBytes(opened.body, most);
    return broken === undefined ? bytes : undefined;
  };
}
