/** Reads what a page states about itself: if it wants to be indexed, its links, and its canonical URL. */

import { hash } from 'node:crypto';
import { matchGroups } from '../../../base/text/match.js';
import { sameAddress } from '../../../paths/address.js';
import { FEED, isOwnUri } from '../../../paths/ours.js';
import { makeUri } from '../../../paths/urls.js';
import type { Link } from '../../../standard/model.js';
import {
  type FoundLink,
  findCanonical,
  findFeedLinks,
  findListLinks,
  findRoot,
  listLinks,
  resolve,
} from '../elements.js';
import type { PageHead } from '../head.js';
import { PAGE_LIMIT, type PagePlace, readWholePage } from '../page.js';
import { BEGINNING_BYTES, canEdit, readPageHead } from '../page-head.js';
import { recordPage } from '../record.js';
import { attributeOf, type Tag } from '../tokens.js';
import { saysNoindex } from './noindex.js';
import { type PageFacts, type PageWishes, packSeen, type SeenPage, type WantedFacts } from './seen.js';

/** The bytes of a page, or of its beginning, and the length of the page. */
export interface PageBytes {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** A digest of the page that is equal only for equal bytes. @default a digest of `bytes` */
  readonly content?: string | undefined;
}

export interface PageReader {
  /** Pages up to this length must be given to `read` whole; of longer ones, the first `BEGINNING_BYTES` are enough. */
  readonly longest: number;
  /** Reads the facts of a page as a line of text, see `SeenFacts`. */
  readonly read: (path: string, page: PageBytes) => string;
}

export function makePageReader({ wishes, url, urls }: WantedFacts): PageReader {
  return {
    longest: wishes.texts ? PAGE_LIMIT : 0,
    read: (path, page) => {
      const uri = makeUri(url, path, urls);
      const content = page.content ?? hash('sha256', page.bytes);
      return packSeen({ uri, content }, wishes, look(page, { uri, url }, wishes));
    },
  };
}

/** Reads from a page if it says `noindex`, which URL it names as canonical, and to which URL it redirects. */
export function readPageFacts(uri: string, page: Uint8Array): PageFacts {
  const wishes = { noindex: true, canonical: true, leads: true, links: false, lists: false, texts: false };
  return look({ bytes: page, length: page.length }, { uri, url: uri }, wishes).facts;
}

/** Reads all wanted facts of a page in one pass. Only texts need the bytes of a page after `BEGINNING_BYTES`. */
function look({ bytes, length }: PageBytes, place: PagePlace, wishes: PageWishes): SeenPage {
  if (wantsOnlyLeads(wishes) && !mayLead(bytes)) return SILENT_PAGE;
  const page = wishes.texts && length <= PAGE_LIMIT ? readWholePage(bytes) : undefined;
  const { head, isEditable } =
    page !== undefined && length < BEGINNING_BYTES
      ? { head: page.head, isEditable: canEdit(bytes, page.encoding) }
      : readPageHead(bytes);
  const { uri, url } = place;
  const links = wishes.canonical || wishes.links || wishes.lists ? listLinks(head, uri) : [];
  const facts = {
    noindex: wishes.noindex && saysNoindex(head.elements),
    leads: wishes.canonical || wishes.leads ? findLead(head, uri) : undefined,
    canonical: wishes.canonical ? findOther(links, uri) : undefined,
    lists: isEditable ? (wishes.lists ? findListLinks(links).map(({ href }) => href) : []) : undefined,
    feed: wishes.lists && findFeedLinks(links).some(({ href }) => href === url + FEED),
  };
  return {
    facts,
    record: page && recordPage(page, place),
    links: wishes.links ? selectPageLinks(links, uri, url) : [],
  };
}

const SILENT_PAGE: SeenPage = {
  facts: { noindex: false, lists: [], feed: false },
  record: undefined,
  links: [],
};

function wantsOnlyLeads({ leads, ...others }: PageWishes): boolean {
  return leads && !Object.values(others).includes(true);
}

/** Tests if a page may redirect, by a search that is far cheaper than parsing. In UTF-16, every other byte is zero. */
function mayLead(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, BEGINNING_BYTES));
  return /r\0?e\0?f\0?r\0?e\0?s\0?h/i.test(beginning.toString('latin1'));
}

/** Returns the URL that a page makes browsers load (`refresh`), its own if it only reloads itself; undefined if none. */
function findLead(head: PageHead, uri: string): string | undefined {
  const refresh = head.elements.find(
    (element) =>
      element.name === 'meta' && attributeOf(element, 'http-equiv')?.trim().toLowerCase() === 'refresh',
  );
  if (refresh === undefined) return undefined;
  const [, quote = '', target = ''] = matchGroups(REFRESH, attributeOf(refresh, 'content')?.trim() ?? '');
  const end = quote === '' ? -1 : target.indexOf(quote);
  const address = resolve(end < 0 ? target : target.slice(0, end), findRoot(head, uri));
  return address === '' || target === '' || address.length >= URI_LENGTH ? uri : address;
}

/** Matches the content of a `refresh`, as browsers read it: seconds, then a URL. */
const REFRESH = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(['"]?)(.*)$/is;

function findOther(links: readonly FoundLink[], uri: string): string | undefined {
  const said = findCanonical(links);
  return said === undefined || sameAddress(said, uri) ? undefined : said;
}

/** Registered relation types that describe a page; others make browsers fetch something, or lead to our documents. */
const RELATIONS: ReadonlySet<string> = new Set(
  `alternate amphtml author bookmark canonical cite-as collection copyright current describedby describes duplicate
edit first glossary help item last latest-version license memento next original predecessor-version prev
privacy-policy related section start successor-version terms-of-service timegate timemap type up version-history via
working-copy`.split(/\s+/),
);

/** Matches the media types of feeds: links to feeds are not listed, since a feed is no other form of the page. */
const FEED_TYPES = /^application\/(?:(?:atom|rss|rdf)\+xml|feed\+json)$/;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** Limits of the links of a page, and of the length of a URL: no page needs more, and no list may hold longer URLs. */
const MOST_LINKS = 50;
const URI_LENGTH = 2048;

/**
 * Selects the links of a page to list. Drops attributes that `rs:ln` lacks, such as `hreflang`.
 * @param found links in the head @param uri of the page @param url of the site, with a trailing slash
 */
function selectPageLinks(found: readonly FoundLink[], uri: string, url: string): Link[] {
  const links: Link[] = [];
  for (const { href, rels, element } of found) {
    // Most pages name themselves as canonical.
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

function readType(element: Tag): string {
  const type = attributeOf(element, 'type');
  return type === undefined ? '' : type.replace(/;.*$/s, '').trim().toLowerCase();
}
