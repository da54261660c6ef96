/** Links HTML pages to Capability Lists (§6.3.3) and to the feed, and leaves every other byte of them alone. */

import type { UnlinkedReason } from '../../base/reasons.js';
import { FEED, isOwnUri } from '../../paths/ours.js';
import { decode, findEncoding } from './decode.js';
import { FEED_TYPE, type FoundLink, findFeedLinks, findListLinks, listLinks } from './elements.js';
import type { PageHead } from './head.js';
import { readHead } from './head.js';
import { canEdit } from './page-head.js';
import { type Attribute, attributeOf } from './tokens.js';

interface PageLinks {
  readonly uri: string;
  /** URLs of the Capability Lists to link; none for a page that no list may name. */
  readonly capabilityLists: readonly string[];
  /** True if the page must link to the feed of changes; if false, such a link is removed. @default false */
  readonly feed?: boolean;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  /** Tests for Capability Lists of this Source that other builds write. @default none */
  readonly isJoined?: ((uri: string) => boolean) | undefined;
}

/**
 * Links a page to Capability Lists (§6.3.3) and the feed, in its `<head>`. Corrects or removes wrong links of this Source,
 * and changes nothing else.
 * @returns the new page; undefined if nothing changes; or the reason why the page cannot be linked
 */
export function linkPage(
  page: Uint8Array,
  { uri, capabilityLists, url, feed = false, isJoined = () => false }: PageLinks,
): Uint8Array | UnlinkedReason | undefined {
  const encoding = findEncoding(page);
  if (!canEdit(page, encoding)) return 'other-encoding';
  const markup = decode(page, encoding);
  const head = readHead(markup);

  const all = listLinks(head, uri);
  const links = findListLinks(all);
  const isKept = (href: string) => capabilityLists.includes(href) || isJoined(href);
  if (links.some(({ href }) => !isKept(href) && !isOwnUri(href, url))) return 'other-source';
  const missing = capabilityLists.filter((list) => !links.some(({ href }) => href === list));
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { href, element } of links) {
    if (isKept(href)) continue;
    const instead = missing.shift();
    const { start, end } = instead === undefined ? element : placeOfTarget(element);
    edits.push({ start, end, text: instead === undefined ? '' : `href="${escapeAttribute(instead)}"` });
  }
  const toFeed = findFeedLinks(all).filter(({ href }) => href === url + FEED);
  if (!feed) {
    for (const { element } of toFeed) edits.push({ start: element.start, end: element.end, text: '' });
  }
  const tags = missing.map((list) => `<link rel="resourcesync" href="${escapeAttribute(list)}">`);
  if (feed && toFeed.length === 0) {
    tags.push(`<link rel="alternate" type="${FEED_TYPE}" href="${escapeAttribute(url + FEED)}">`);
  }
  if (tags.length > 0) {
    const start = head.isPage ? findPlace(head) : markup.length;
    // If the page ends where links would begin, it may have ended within a comment.
    if (start >= markup.length) return 'fragment';
    edits.push({ start, end: start, text: tags.join('') });
  }
  if (edits.length === 0) return undefined;
  let edited = markup;
  for (const { start, end, text: replacement } of edits.sort((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + replacement + edited.slice(end);
  }
  return Buffer.from(encoding.isMarked ? BYTE_ORDER_MARK + edited : edited);
}

const BYTE_ORDER_MARK = '\ufeff';

function escapeAttribute(uri: string): string {
  return uri.replaceAll('&', '&amp;');
}

/** Returns the place of a link to replace: that of its `href`, or of the whole element if there is none. */
function placeOfTarget(link: FoundLink['element']): Pick<Attribute, 'start' | 'end'> {
  return link.attributes.find(({ name }) => name === 'href') ?? link;
}

/**
 * Returns the position for new links in a head: early, since an image in a `<noscript>` may end the head, but after the
 * declared encoding, which only counts within 1,024 bytes.
 */
function findPlace(head: PageHead): number {
  const encoding = head.elements.find(
    (element) =>
      attributeOf(element, 'charset') !== undefined ||
      attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-type',
  );
  return encoding?.end ?? head.place;
}
