/** The page and the feed of a site, read by a parser that is not ours. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAtomFeed } from 'feedsmith';

/** A feed, with what a reader would show. */
export function readFeed(site: string) {
  const text = readFileSync(join(site, 'resourcesync', 'changes.atom'), 'utf8');
  const feed = parseAtomFeed(text);
  const entries = (feed.entries ?? []).map((entry) => ({
    id: entry.id ?? '',
    title: entry.title?.value ?? '',
    updated: entry.updated ?? '',
    change: entry.categories?.[0]?.term ?? '',
    uri: entry.links?.[0]?.href ?? '',
  }));
  const gone = [...text.matchAll(/<at:deleted-entry ref="([^"]+)" when="([^"]+)"\/>/g)].map(([, ref]) => ref);
  return { feed, text, entries, gone };
}

export function readPage(site: string): string {
  return readFileSync(join(site, 'resourcesync', 'index.html'), 'utf8');
}

/** A page of a site. */
export const pageOf = (title: string, text: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><p>${text}</p></body></html>`;
