/** The links that a page itself has in its head, as links of its entry (§14). Pure. */

import { isOwnUri } from '../paths/ours.js';
import { type Link, sameUri } from '../resourcesync/model.js';
import { attributeOf, type FoundLink } from './elements.js';

/** Registered relation types that say something of the page; others tell browsers what to fetch, or are of documents of ours. */
export const RELATIONS: ReadonlySet<string> = new Set(
  `alternate amphtml author bookmark canonical cite-as collection copyright current describedby describes duplicate
edit first glossary help item last latest-version license memento next original predecessor-version prev
privacy-policy related section start successor-version terms-of-service timegate timemap type up version-history via
working-copy`.split(/\s+/),
);

/** What a feed is; a page has those for readers, and they are no other form of the page. */
const FEED = /^application\/(?:(?:atom|rss|rdf)\+xml|feed\+json)$/;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** More than any page has for a reason; and URLs longer than any list may hold. */
const MOST_LINKS = 50;
const URI_LENGTH = 2048;

/**
 * Takes the links of a page. Nothing is invented: relative addresses are resolved, and what `rs:ln` has no attribute for,
 * such as `hreflang`, is left out.
 *
 * @param found in the head of the page
 * @param uri of the page
 * @param url of the site, with a trailing slash
 */
export function selectPageLinks(found: readonly FoundLink[], uri: string, url: string): Link[] {
  const links = new Map<string, Link>();
  for (const { href, rels, element } of found) {
    const own = rels.filter((rel) => RELATIONS.has(rel));
    // Most pages name themselves.
    if (own.length === 0 || (own.length === 1 && own[0] === 'canonical' && href === uri)) continue;
    if (!/^https?:/.test(href) || href.length >= URI_LENGTH || isOwnUri(href, url)) continue;
    const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (rels.includes('stylesheet') || FEED.test(type)) continue;
    for (const rel of own) {
      if (rel === 'canonical' && sameUri(href, uri)) continue;
      const key = `${rel} ${href}`;
      if (links.has(key) || links.size >= MOST_LINKS) continue;
      links.set(key, MEDIA_TYPE.test(type) ? { rel, href, type } : { rel, href });
    }
  }
  return [...links.values()];
}
