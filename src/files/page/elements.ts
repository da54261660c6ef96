/** Reads the meaning of elements in the head of a page: links, the base and the canonical URL. Pure. */

import { matchAll } from '../../base/text/match.js';
import type { PageHead } from './head.js';
import { attributeOf, type Tag } from './tokens.js';

type Elements = Pick<PageHead, 'elements'>;

/** A `<link>` in the head of a page. */
export interface FoundLink {
  /** Absolute URL of the target; '' if the link has none, or the URL is invalid. */
  readonly href: string;
  readonly element: Tag;
  /** Relation types in `rel`, in lower case. */
  readonly rels: readonly string[];
}

export function listLinks(head: Elements, uri: string): FoundLink[] {
  const root = findRoot(head, uri);
  const links: FoundLink[] = [];
  for (const element of head.elements) {
    if (element.name !== 'link') continue;
    const rel = attributeOf(element, 'rel') ?? '';
    links.push({
      href: resolve(attributeOf(element, 'href'), root),
      element,
      rels: matchAll(/\S+/g, rel.toLowerCase()),
    });
  }
  return links;
}

/** Returns the URL against which relative URLs of a page are resolved: that of its `<base>`, or its own. */
export function findRoot({ elements }: Elements, uri: string): string {
  for (const element of elements) {
    const base = element.name === 'base' ? attributeOf(element, 'href') : undefined;
    if (base !== undefined) return resolve(base, uri) || uri;
  }
  return uri;
}

/** Resolves a URL to an absolute one; '' if it is missing or invalid. */
export function resolve(href: string | undefined, root: string): string {
  if (href === undefined) return '';
  try {
    return new URL(href, root).href;
  } catch {
    return '';
  }
}

/** Returns the first canonical URL that a page names, without its fragment, since no list has fragments. */
export function findCanonical(links: readonly FoundLink[]): string | undefined {
  const found = links.find(({ rels, href }) => rels.includes('canonical') && /^https?:/.test(href));
  return found?.href.replace(/#.*$/s, '');
}

export function findListLinks(links: readonly FoundLink[]): FoundLink[] {
  return links.filter(({ rels }) => rels.includes('resourcesync'));
}

export const FEED_TYPE = 'application/atom+xml';

export function findFeedLinks(links: readonly FoundLink[]): FoundLink[] {
  return links.filter(
    ({ rels, element }) =>
      rels.includes('alternate') && attributeOf(element, 'type')?.trim().toLowerCase() === FEED_TYPE,
  );
}
