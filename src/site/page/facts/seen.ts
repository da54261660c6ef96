/** What was seen of a page, as a text: threads hand it on at little cost, and very many can be kept. Pure. */

import type { UrlStyle } from '../../../paths/urls.js';
import type { Link } from '../../../standard/model.js';

/** Undefined for a page that says nothing. */
export type SeenFacts = string | undefined;

/** Stands first, so that nothing else has to be read where only this counts. */
const NOINDEX = 'noindex';
/** Behind it are the links, which are read without the rest, and the rest without them. JSON has no line breaks. */
const BEFORE_LINKS = '\n';

/** @param links what is to be listed */
export function pack(facts: PageFacts, links: readonly Link[]): string {
  const mark = facts.noindex ? NOINDEX : '';
  return `${mark}${JSON.stringify(facts)}${BEFORE_LINKS}${links.length === 0 ? '' : JSON.stringify(links)}`;
}

/** The facts in a text. */
export function unpackSeen(seen: SeenFacts): PageFacts {
  if (seen === undefined) return SILENT;
  return JSON.parse(seen.slice(seenNoindex(seen) ? NOINDEX.length : 0, seen.indexOf(BEFORE_LINKS)));
}

export function unpackLinks(seen: SeenFacts): readonly Link[] {
  const start = seen === undefined ? -1 : seen.indexOf(BEFORE_LINKS) + 1;
  return seen === undefined || start === seen.length ? [] : JSON.parse(seen.slice(start));
}

export function seenNoindex(seen: SeenFacts): boolean {
  return seen?.startsWith(NOINDEX) === true;
}

/** What is of interest. */
export interface PageWishes {
  readonly noindex: boolean;
  /** Whether the page names another one as canonical. */
  readonly canonical: boolean;
  /** Links to list. */
  readonly links: boolean;
  /** Links to documents of ours. */
  readonly lists: boolean;
}

/** All that a thread needs to know to find it out. */
export interface WantedFacts {
  readonly wishes: PageWishes;
  /** Of the site, with a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
}

/** What a page says, but for the links that are to be listed. */
export interface PageFacts {
  /** Whether the page says `noindex`. */
  readonly noindex: boolean;
  /** URL of another page that this one names as canonical. */
  readonly canonical?: string | undefined;
  /** Whether the page leads on to another one, or loads itself again (`<meta http-equiv="refresh">`). */
  readonly leads?: boolean | undefined;
  /** The Capability Lists that the page links to; absent where it cannot be read. */
  readonly lists?: readonly string[] | undefined;
  /** Whether it links to the feed of the site. */
  readonly feed: boolean;
}

/** What is known of a page that says nothing. */
const SILENT: PageFacts = { noindex: false, lists: [], feed: false };

/** Pages are edited before anything is known of them, so this follows the extension, and not the configured types. */
export const PAGE_FILE = /\.html?$/i;
