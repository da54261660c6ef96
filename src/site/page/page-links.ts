/** The links that a page itself has in its head, as links of its entry (§14). Pure. */

import { isOwnUri } from '../../paths/ours.js';
import { type Link, sameUri } from '../../standard/model.js';
import { attributeOf, type FoundLink, type HeadElement } from './elements.js';

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
  const links: Link[] = [];
  for (const { href, rels, element } of found) {
    // Most pages name themselves.
    if (href === uri && rels.length === 1 && rels[0] === 'canonical') continue;
    if (!rels.some((rel) => RELATIONS.has(rel)) || rels.includes('stylesheet')) continue;
    if (!/^https?:/.test(href) || href.length >= URI_LENGTH || isOwnUri(href, url)) continue;
    const type = readType(element);
    if (FEED.test(type)) continue;
    for (const rel of rels) {
      if (!RELATIONS.has(rel) || (rel === 'canonical' && sameUri(href, uri))) continue;
      if (links.length >= MOST_LINKS || links.some((link) => link.rel === rel && link.href === href))
        continue;
      links.push(MEDIA_TYPE.test(type) ? { rel, href, type } : { rel, href });
    }
  }
  return links;
}

/** Without parameters; '' where there is none. */
function readType(element: HeadElement): string {
  const type = attributeOf(element, 'type');
  return type === undefined ? '' : type.replace(/;.*$/s, '').trim().toLowerCase();
}
