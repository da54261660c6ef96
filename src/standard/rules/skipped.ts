/** Finds content of a document that is not understood, although it may be meant to list something. Pure. */

import { isUrl } from '../../base/url.js';
import { isChannel } from '../capabilities.js';
import { RESOURCESYNC, SITEMAP } from '../namespaces.js';
import type { Oddity, ReadDocument, ReadEntry, Skipped } from '../xml/as-read.js';
import { kindOfDocument } from './kinds.js';

/** Lists places of a document that are not understood. Does not check entries that were taken out by an `EntryTaker`. */
export function listSkipped(document: string, read: ReadDocument): Skipped[] {
  const needsCapability = kindOfDocument(read) === 'capability-list';
  return [
    ...read.oddities.filter(mayList).map(({ line, what, name, parent, count }) => ({
      document,
      line,
      found: `${what === 'text' ? `text in <${name}>` : `${what === 'repeated' ? 'another ' : ''}<${name}> in <${parent}>`}${count > 1 ? `, ${count} times` : ''}`,
    })),
    ...read.entries.flatMap((entry) => {
      const found =
        findSkipped(entry) ??
        (needsCapability && entry.md?.attributes.capability === undefined ? 'no capability' : undefined);
      return found === undefined ? [] : [{ document, line: entry.line, found }];
    }),
  ];
}

/** Returns why the address of an entry cannot be requested; undefined if it can. */
export function findSkipped({ loc, md }: Pick<ReadEntry, 'loc' | 'md'>): string | undefined {
  if (loc === undefined || loc === '') return 'an entry without <loc>';
  // No URL has white space (RFC 3986 §2), although some programs request it.
  const mayBeAsked =
    !/\s/.test(loc) && isUrl(loc) && (/^https?:\/\//i.test(loc) || isChannel(md?.attributes.capability));
  return mayBeAsked ? undefined : `${loc.slice(0, MOST_QUOTED)} is no URL that can be asked for`;
}

/** Limit of a quoted address, in characters: there may be a thousand long ones. */
const MOST_QUOTED = 500;

const LISTING = /^(?:urlset|sitemapindex|url|sitemap|md)$/i;
const OURS: ReadonlySet<string> = new Set([SITEMAP, RESOURCESYNC, '']);

/** Returns whether an oddity may be meant to list something, or to say what is listed. */
export function mayList({ what, name, namespace, parent }: Oddity): boolean {
  const local = localOf(name);
  switch (what) {
    case 'element':
      // An element of another namespace is only meant to list something if it has the name of an element that does.
      return LISTING.test(local) || (OURS.has(namespace) && (/^loc$/i.test(local) || isRoot(parent)));
    case 'repeated':
      return local === 'loc' || local === 'md';
    case 'text':
      return isRoot(name);
    default:
      return false;
  }
}

function isRoot(name: string): boolean {
  return /^(?:urlset|sitemapindex)$/.test(localOf(name));
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
