/** The links that a page itself has in its head, as links of its entry (§14). Pure. */

import { isOwnUri } from '../../paths/ours.js';
import { type Link, sameUri } from '../../resourcesync/model.js';
import { attributeOf, type Head, listLinks } from './head.js';

/** Registered relation types that say something of the page; others tell browsers what to fetch, or are of documents of ours. */
const RELATIONS: ReadonlySet<string> = new Set(
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

const TAG = /<link(?=[\s/])([^>]*)>?/gi;
const VALUE = /(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/;
const ATTRIBUTE = new RegExp(`\\s([^\\s"'<>/=]+)=${VALUE.source}`, 'g');
/** Tags as nearly everybody writes them. */
const PLAIN = new RegExp(`^(?:\\s+[^\\s"'<>/=]+(?:=${VALUE.source})?)*\\s*/?$`);
/** Longer ones are left to the parser: looking for their attributes could take long. */
const TAG_LENGTH = 1000;

/**
 * Tells quickly of most pages that they have no such links, so that they need not be read as browsers do. In doubt, a page
 * may have some.
 *
 * @param text of the page, a character for each byte
 * @param uri of the page
 */
export function mayHaveLinks(text: string, uri: string): boolean {
  for (const [, attributes = ''] of text.matchAll(TAG)) {
    if (attributes.length > TAG_LENGTH || attributes.includes('\0') || !PLAIN.test(attributes)) return true;
    const found = Array.from(attributes.matchAll(ATTRIBUTE), ([, name = '', double, single, bare]) => ({
      name: name.toLowerCase(),
      value: double ?? single ?? bare ?? '',
    }));
    // Of two attributes with one name, the first counts.
    const findValue = (name: string) => found.find((one) => one.name === name)?.value;
    const rels = findValue('rel')?.toLowerCase().split(/\s+/) ?? [];
    if (rels.includes('stylesheet')) continue;
    const told = rels.filter((rel) => rel.includes('&') || RELATIONS.has(rel));
    const toItself = findValue('href') === uri;
    if (told.length > 0 && !(toItself && told.every((rel) => rel === 'canonical'))) return true;
  }
  return false;
}

/**
 * Takes the links of a page. Nothing is invented: relative addresses are resolved, and what `rs:ln` has no attribute for,
 * such as `hreflang`, is left out.
 *
 * @param uri of the page
 * @param url of the site, with a trailing slash
 */
export function selectPageLinks(head: Head, uri: string, url: string): Link[] {
  const links = new Map<string, Link>();
  for (const { href, rels, element } of listLinks(head, uri)) {
    if (!/^https?:/.test(href) || href.length >= URI_LENGTH || isOwnUri(href, url)) continue;
    const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (rels.includes('stylesheet') || FEED.test(type)) continue;
    for (const rel of rels) {
      if (!RELATIONS.has(rel) || (rel === 'canonical' && sameUri(href, uri))) continue;
      const key = `${rel} ${href}`;
      if (links.has(key) || links.size >= MOST_LINKS) continue;
      links.set(key, MEDIA_TYPE.test(type) ? { rel, href, type } : { rel, href });
    }
  }
  return [...links.values()];
}
