/** What is to be found out of pages, and what is known then. Pure. */

import type { Link } from '../resourcesync/model.js';

/** What to look for. */
export interface Wanted {
  /** Relations of links; those with others are passed by. */
  readonly relations: readonly string[];
}

/**
 * What was seen of a page, packed into a text so that threads can hand it on at little cost: whether the page is in UTF-8,
 * and the elements of its head that may matter. `UNSURE` (in `look/look.ts`) where a parser has to find out; undefined where nothing matters.
 */
export type Seen = string | undefined;

/** What is of interest. */
export interface Wishes {
  readonly noindex: boolean;
  /** Whether the page names another one as canonical. */
  readonly canonical: boolean;
  /** Links to list. */
  readonly links: boolean;
  /** Links to documents of ours. */
  readonly lists: boolean;
}

export interface PageFacts {
  /** Whether the page says `noindex`. */
  readonly noindex: boolean;
  /** URL of another page that this one names as canonical. */
  readonly canonical: string | undefined;
  /** What is to be listed. */
  readonly links: readonly Link[];
  /** The Capability Lists that the page links to; undefined where it cannot be read. */
  readonly lists: readonly string[] | undefined;
  /** Whether it links to the feed of the site. */
  readonly feed: boolean;
}

/** What is known of a page that says nothing. */
export const SILENT: PageFacts = { noindex: false, canonical: undefined, links: [], lists: [], feed: false };
