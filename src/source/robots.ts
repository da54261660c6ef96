/** Reads the `robots.txt` of a server. */

import { isUrl } from '../base/url.js';
import { findCrawlDelay, listOddSitemapLines, listSitemapLines } from '../paths/host-rules.js';
import type { Skipped } from '../standard/xml/as-read.js';
import { collectBytes } from './document.js';
import { unpackFile } from './origin/codings.js';
import { type Absent, isAbsent, type Origin } from './origin/origin.js';

export const ROBOTS = 'robots.txt';

/** Limit of a page or a `robots.txt` in bytes, both before and after it is unpacked. */
export const MOST_PAGE_BYTES = 16 * 1024 * 1024;

export function isRobots(uri: string): boolean {
  return new URL(uri).pathname === `/${ROBOTS}`;
}

/** Returns whether the answer is status 403, which hosts such as S3 give for missing files. */
export function isForbidden({ failure, found }: Absent): boolean {
  return failure === 'failed' && found === 'status 403';
}

interface NamedSitemaps {
  readonly sitemaps: readonly string[];
  /** Lines that may be meant to name a Sitemap, but name none that can be requested. */
  readonly odd: readonly Omit<Skipped, 'document'>[];
  /** The reason why `robots.txt` cannot be read; absent if it was read, or if there is none. */
  readonly broken?: string | undefined;
}

export async function readRobots(origin: Origin, uri: string): Promise<NamedSitemaps> {
  const { text, broken } = await openRobots(origin, uri);
  const isNone = broken === undefined || broken.failure === 'missing' || isForbidden(broken);
  const [lines, odd] = [listSitemapLines(text), listOddSitemapLines(text)];
  const isNamed = ({ target }: { readonly target: string }) => isUrl(target, uri);
  return {
    sitemaps: [...new Set(lines.filter(isNamed).map(({ target }) => new URL(target, uri).href))],
    odd: [...odd, ...lines.flatMap((line) => (isNamed(line) ? [] : { found: `Sitemap: ${line.target}` }))],
    broken: isNone ? undefined : broken.found,
  };
}

/** Reads the `Crawl-delay` that a server sets for `resync-static`, in milliseconds; 0 if it has none, or if `robots.txt` cannot be read. */
export async function readCrawlDelay(origin: Origin, server: string): Promise<number> {
  const { text } = await openRobots(origin, new URL(`/${ROBOTS}`, server).href);
  return 1000 * findCrawlDelay(text, 'resync-static');
}

async function openRobots(origin: Origin, uri: string): Promise<{ text: string; broken?: Absent }> {
  const opened = await origin.open(uri, { most: MOST_PAGE_BYTES });
  if (isAbsent(opened)) return { text: '', broken: opened };
  const { bytes, broken } = await collectBytes(unpackFile(opened.body), MOST_PAGE_BYTES);
  return broken === undefined ? { text: bytes.toString() } : { text: '', broken };
}
