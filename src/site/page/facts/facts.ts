/** What a page says of itself: whether it wants to be found, what it links to, and which page is the right one in its place. */

import { sameAddress } from '../../../paths/address.js';
import { FEED, isOwnUri } from '../../../paths/ours.js';
import { makeUri } from '../../../paths/urls.js';
import type { Link } from '../../../standard/model.js';
import {
  attributeOf,
  type FoundLink,
  findCharset,
  findFeedLinks,
  findListLinks,
  findTargets,
  type HeadElement,
  isNamedUtf8,
  listLinks,
} from '../elements.js';
import { finishLook, makeLook, type SeenHead, saysRefresh } from '../look/look.js';
import { saysNoindex } from './noindex.js';
import {
  type PageFacts,
  type PageWishes,
  pack,
  type SeenFacts,
  UNSURE,
  unpackSeen,
  type WantedFacts,
} from './seen.js';

/** Makes a function that finds out quickly what a page says, from its path and its beginning. Threads do this. */
export function makePageReader(wanted: WantedFacts): (path: string, page: Uint8Array) => SeenFacts {
  const look = makeLook(listRelations(wanted.wishes));
  return (path, page) => {
    const head = look(page);
    return head === undefined || head === UNSURE ? head : select(head, uriOf(path, wanted), wanted);
  };
}

const uriOf = (path: string, { url, urls }: WantedFacts) => makeUri(url, path, urls);

/** Starts to find out of pages, by their URLs, whether they want to be found, and which page is the right one in their place. */
export function startReadingPages(): (uri: string, page: Buffer) => Promise<PageFacts> {
  const wishes = { noindex: true, canonical: true, links: false, lists: false };
  const look = makeLook(listRelations(wishes));
  return async (uri, page) => {
    const head = await finishLook(look(page), page, SAYING);
    return unpackSeen(head && select(head, uri, { wishes, url: uri }));
  };
}

/** Those of the links that count. */
function listRelations({ canonical, links, lists }: PageWishes): string[] {
  return [
    ...(links ? RELATIONS : []),
    ...(canonical ? ['canonical'] : []),
    ...(lists ? ['resourcesync', 'alternate'] : []),
  ];
}

/** A word without which nothing of interest is said; letters may also be written as numbers. */
const SAYING = /noindex|none|<link|&#|refresh/i;
/** Where links are to be put in, it matters whether the page can be read. */
const ANYTHING = /^/;

/** Parses a page of which a quick look was not sure, where there is anything to doubt. */
export async function parsePage(page: Buffer, path: string, wanted: WantedFacts): Promise<SeenFacts> {
  const head = await finishLook(UNSURE, page, wanted.wishes.lists ? ANYTHING : SAYING);
  return head && select(head, uriOf(path, wanted), wanted);
}

function select(head: SeenHead, uri: string, { wishes, url }: Omit<WantedFacts, 'urls'>): SeenFacts {
  const noindex = wishes.noindex && saysNoindex(head);
  const leads = wishes.canonical && head.elements.some(saysRefresh) ? true : undefined;
  const isReadable =
    head.encoding === 'marked' || (head.encoding === 'utf-8' && isNamedUtf8(findCharset(head)));
  if (!isReadable) return pack({ noindex, leads, feed: false }, []);
  const links = listLinks(head, uri);
  const facts = {
    noindex,
    leads,
    canonical: wishes.canonical ? findOther(links, uri) : undefined,
    lists: wishes.lists ? findListLinks(links).map(({ href }) => href) : [],
    feed: wishes.lists && findFeedLinks(links).some(({ href }) => href === url + FEED),
  };
  return pack(facts, wishes.links ? selectPageLinks(links, uri, url) : []);
}

function findOther(links: readonly FoundLink[], uri: string): string | undefined {
  const [first] = findTargets(links, 'canonical');
  const said = first?.replace(/#.*$/s, '');
  return said === undefined || !/^https?:/.test(said) || sameAddress(said, uri) ? undefined : said;
}

/** Registered relation types that say something of the page; others tell browsers what to fetch, or are of documents of ours. */
export const RELATIONS: ReadonlySet<string> = new Set(
  `alternate amphtml author bookmark canonical cite-as collection copyright current describedby describes duplicate
edit first glossary help item last latest-version license memento next original predecessor-version prev
privacy-policy related section start successor-version terms-of-service timegate timemap type up version-history via
working-copy`.split(/\s+/),
);

/** What a feed is; a page has those for readers, and they are no other form of the page. */
const FEED_TYPES = /^application\/(?:(?:atom|rss|rdf)\+xml|feed\+json)$/;
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
    if (FEED_TYPES.test(type)) continue;
    for (const rel of rels) {
      if (!RELATIONS.has(rel) || (rel === 'canonical' && sameAddress(href, uri))) continue;
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
