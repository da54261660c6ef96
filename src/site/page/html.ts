/** Links HTML pages to Capability Lists (§6.3.3) and to the feed, and leaves every other byte of them alone. */

import { isUtf8 } from 'node:buffer';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { UnlinkedReason } from '../../base/notices.js';
import { FEED, isOwnUri } from '../../paths/ours.js';
import {
  FEED_TYPE,
  findCharset,
  findFeedLinks,
  findListLinks,
  findTargets,
  isNamedUtf8,
  listLinks,
} from './elements.js';
import { type ParsedHead, parseHead, placeOfElement } from './head.js';

/** A page and what it is to link to. */
export interface PageLinks {
  /** Of the page. */
  readonly uri: string;
  /** URLs; none for a page that is in no set. */
  readonly capabilityLists: readonly string[];
  /** Whether the page is to link to the feed of changes; without one, it is not to. */
  readonly feed?: boolean;
  /** Of the site's root, with a trailing slash. */
  readonly url: string;
  /** Tells Capability Lists of this Source that other builds write. @default none */
  readonly isJoined?: ((uri: string) => boolean) | undefined;
}

/**
 * Puts links to Capability Lists (§6.3.3), and to the feed, into the `<head>` of a page, and changes nothing else in it. Links of this
 * Source that are there already are kept where they are right, and brought up to date where they are not.
 *
 * @returns the page with its links, undefined when it has them, or why it can get none
 */
export function linkPage(
  page: Uint8Array,
  { uri, capabilityLists, url, feed = false, isJoined = () => false }: PageLinks,
): Uint8Array | UnlinkedReason | undefined {
  const read = readPage(page);
  if (read === undefined) return 'other-encoding';
  const { head, mark, markup, charset } = read;

  const all = listLinks(head, uri);
  const links = findListLinks(all);
  const isKept = (href: string) => capabilityLists.includes(href) || isJoined(href);
  if (links.some(({ href }) => !isKept(href) && !isOwnUri(href, url))) return 'other-source';
  const missing = capabilityLists.filter((list) => !links.some(({ href }) => href === list));
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { href, element } of links) {
    if (isKept(href)) continue;
    const instead = missing.shift();
    const place =
      instead === undefined ? placeOfElement(element) : element.sourceCodeLocation?.attrs?.['href'];
    const [start, end] = [place?.startOffset ?? 0, place?.endOffset ?? 0];
    edits.push({ start, end, text: instead === undefined ? '' : `href="${escapeAttribute(instead)}"` });
  }
  const toFeed = findFeedLinks(all).filter(({ href }) => href === url + FEED);
  if (!feed) {
    for (const { element } of toFeed) {
      const { startOffset: start = 0, endOffset: end = 0 } = placeOfElement(element) ?? {};
      edits.push({ start, end, text: '' });
    }
  }
  const tags = missing.map((list) => `<link rel="resourcesync" href="${escapeAttribute(list)}">`);
  if (feed && toFeed.length === 0) {
    tags.push(`<link rel="alternate" type="${FEED_TYPE}" href="${escapeAttribute(url + FEED)}">`);
  }
  if (tags.length > 0) {
    const start = head.isPage ? findPlace(head, charset?.element) : markup.length;
    // A page that is over before its head can hold anything may have ended within a comment.
    if (start >= markup.length) return 'fragment';
    edits.push({ start, end: start, text: tags.join('') });
  }
  if (edits.length === 0) return undefined;
  let edited = markup;
  for (const { start, end, text: replacement } of edits.sort((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + replacement + edited.slice(end);
  }
  return Buffer.from(mark + edited);
}

/** Reads a page as far as its body; undefined where its encoding is not UTF-8. */
function readPage(page: Uint8Array) {
  // UTF-16 is never valid UTF-8 with a byte order mark, and full of NUL without.
  if (!isUtf8(page) || page.includes(0)) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(page);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const markup = text.slice(mark.length);
  const head = parseHead(markup);
  const charset = findCharset(head);
  if (mark === '' && !isNamedUtf8(charset)) return undefined;
  return { head, mark, markup, charset };
}

/** The targets of all links to Capability Lists (§6.3.3) in the head of a page, as absolute URLs. */
export function readPageLinks(markup: string, uri: string): string[] {
  return findTargets(listLinks(parseHead(markup), uri), 'resourcesync');
}

/** A URL has no quotation mark. */
function escapeAttribute(uri: string): string {
  return uri.replaceAll('&', '&amp;');
}

/**
 * Where a link goes: as far to the front as can be, since what stands later in a head may be taken for the end of it,
 * such as an image in a `<noscript>`; but behind the encoding, which counts within 1,024 bytes only.
 */
function findPlace({ document, html, element }: ParsedHead, charset: Tree.Element | undefined): number {
  const behind = charset && placeOfElement(charset);
  if (behind !== undefined) return behind.endOffset;
  const tag = element.sourceCodeLocation?.startTag;
  if (tag) return tag.endOffset;
  const first = element.childNodes[0];
  const before = first && placeOfElement(first);
  if (before !== undefined) return before.startOffset;
  const above = html.childNodes.slice(0, html.childNodes.indexOf(element)).at(-1);
  const last = above
    ? placeOfElement(above)
    : (html.sourceCodeLocation?.startTag ?? document.at(-1)?.sourceCodeLocation);
  return last?.endOffset ?? 0;
}
