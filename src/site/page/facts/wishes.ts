/** What is to be found out of pages, and what is known then. Pure. */

import type { UrlStyle } from '../../../paths/urls.js';

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
  /** The Capability Lists that the page links to; absent where it cannot be read. */
  readonly lists?: readonly string[] | undefined;
  /** Whether it links to the feed of the site. */
  readonly feed: boolean;
}

/** What is known of a page that says nothing. */
export const SILENT: PageFacts = { noindex: false, lists: [], feed: false };
