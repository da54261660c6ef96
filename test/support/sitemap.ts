/** Sitemaps, read by nothing of ours. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The dates in the sitemap of a project's site, by path. */
export function readEntries(folder: string, path = 'sitemap.xml'): Record<string, string | undefined> {
  return readDates(readFileSync(join(folder, 'site', path), 'utf8'), 'https://example.org/');
}

/** @param url of the site */
export function readDates(text: string, url: string): Record<string, string | undefined> {
  const entries = [...text.matchAll(/<(url|sitemap)>(.*?)<\/\1>/gs)].map(([, , entry = '']) => [
    /<loc>(.*?)<\/loc>/.exec(entry)?.[1]?.replace(url, '/'),
    /<lastmod>(.*?)<\/lastmod>/.exec(entry)?.[1],
  ]);
  return Object.fromEntries(entries);
}
