/** Reads the sitemaps of a site that we wrote, or in which we set the dates; what others wrote is not believed. */

import { addressOf } from '../paths/address.js';
import { SITEMAP_LIMIT, unpackSitemap } from '../paths/hold/ownership.js';
import { listSitemapLines, SITEMAP_NAMES } from '../paths/host-rules.js';
import { isDatedText, isOwnText } from '../paths/ours.js';
import type { StandingSitemap } from '../standard/xml/read-sitemap.js';
import { readSitemap } from '../standard/xml/read-sitemap.js';
import { collectBytes } from './document.js';
import { isAbsent, type Origin } from './origin/origin.js';

/** So many sitemaps are read. */
const MOST_SITEMAPS = 1000;
const ROBOTS_BYTES = 500_000;

/** A sitemap of ours, or an index of some. */
interface DatedSitemap extends Pick<StandingSitemap, 'isIndex' | 'entries'> {
  readonly uri: string;
  /** Whether we wrote all of it. */
  readonly isOwn: boolean;
}

/** Gets what stands at a URL; undefined where nothing does. Bytes are those of the body. */
type FetchSitemap = (uri: string, most: number) => Promise<Buffer | undefined>;

/**
 * Reads those that `robots.txt` or the usual names lead to, and their parts.
 *
 * @param base URL of the site, with a trailing slash; nothing leads out of it
 * @param names further paths, relative to the site. With any, what is compressed is looked for as well, where all else is missing
 */
export async function readDatedSitemaps(
  base: string,
  fetch: FetchSitemap,
  names: readonly string[] = [],
): Promise<DatedSitemap[]> {
  const robots = (await fetch(`${base}robots.txt`, SITEMAP_LIMIT))?.toString('latin1', 0, ROBOTS_BYTES) ?? '';
  const named = listSitemapLines(robots).map(({ target }) => target);
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

/** When pages changed, as sitemaps say: '' where they do not. */
export function* listDatedPages(sitemaps: readonly DatedSitemap[]) {
  for (const { uri, isIndex, entries } of sitemaps) {
    if (isIndex) continue;
    for (const { loc, lastmods } of entries)
      yield { document: uri, key: addressOf(loc), said: lastmods[0]?.said ?? '' };
  }
}

function parse(uri: string, bytes: Buffer | undefined): DatedSitemap | undefined {
  const text = bytes && unpackSitemap(bytes)?.toString();
  if (text === undefined) return undefined;
  // A Resource List, which `robots.txt` may name as well, has the dates of bytes.
  const isOwn = isOwnText(text) && !text.includes('<rs:md ');
  const sitemap = isOwn || isDatedText(text) ? readSitemap(text) : undefined;
  return sitemap && { uri, isOwn, isIndex: sitemap.isIndex, entries: sitemap.entries };
}

/** Takes what cannot be had for what is not there. */
export function fetchFrom(origin: Pick<Origin, 'open'>): FetchSitemap {
  return async (uri, most) => {
    const opened = await origin.open(uri, { most, fresh: true });
    if (isAbsent(opened)) return undefined;
    const { bytes, broken } = await collectBytes(opened.body, most);
    return broken === undefined ? bytes : undefined;
  };
}
