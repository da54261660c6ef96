/** Meaning of the elements in the head of a page. Pure. */

import type { PageHead } from './head.js';
import { attributeOf, type Tag } from './tokens.js';

type Elements = Pick<PageHead, 'elements'>;

/** A link in a head; '' for one without a target. */
export interface FoundLink {
  /** Absolute URL. */
  readonly href: string;
  readonly element: Tag;
  /** In lower case. */
  readonly rels: readonly string[];
}

export function listLinks(head: Elements, uri: string): FoundLink[] {
  const root = findRoot(head, uri);
  const links: FoundLink[] = [];
  for (const element of head.elements) {
    if (element.name !== 'link') continue;
    const rel = attributeOf(element, 'rel') ?? '';
    links.push({ href: resolve(attributeOf(element, 'href'), root), element, rels: splitRelations(rel) });
  }
  return links;
}

/** Returns the URL against which relative addresses are resolved. */
export function findRoot({ elements }: Elements, uri: string): string {
  for (const element of elements) {
    const base = element.name === 'base' ? attributeOf(element, 'href') : undefined;
    if (base !== undefined) return resolve(base, uri) || uri;
  }
  return uri;
}

function splitRelations(rel: string): readonly string[] {
  return rel
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** An absolute URL; '' for what is none. */
export function resolve(href: string | undefined, root: string): string {
  if (href === undefined) return '';
  try {
    return new URL(href, root).href;
  } catch {
    return '';
  }
}

/** The URL that a page names as its own: the first one, without a fragment, which no list has. */
export function findCanonical(links: readonly FoundLink[]): string | undefined {
  const found = links.find(({ rels, href }) => rels.includes('canonical') && /^https?:/.test(href));
  return found?.href.replace(/#.*$/s, '');
}

/** Finds the links to Capability Lists, of any Source. */
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
