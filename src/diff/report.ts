/** What `diff` tells. */

import type { Comparison, Difference } from './model.js';
import type { Unreproducible } from './reproducible.js';
import type { CommonPassage } from './text/passages.js';

/** Plain data, fit for `JSON.stringify`. */
export interface DiffReport extends Pick<Comparison, 'changes' | 'groups'> {
  /** Absolute path of the site. */
  readonly site: string;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  readonly comparedWith: ComparedWith;
  /** Present where not all former versions were read. */
  readonly incomplete?: Incomplete;
  /** Present where the build looks as if it changed nearly all pages each time. */
  readonly unreproducible?: Unreproducible;
  /** Present where one passage of main text came into more than half of the changed pages, or went from them. */
  readonly passage?: CommonPassage;
  /** Present with `sitemap`, where there is a publication to compare with. */
  readonly sitemap?: MovedDates;
}

/** What the next publication would do to the sitemap. */
export interface MovedDates {
  /** URLs of the pages whose `lastmod` would become that of the publication, sorted. */
  readonly moved: readonly string[];
  /** Pages that changed, and were not compared, because that is too much. Their dates stay. */
  readonly unread: number;
}

/**
 * The publication that the site is compared with. Without `at` there is none yet, and so there are no changes.
 */
export type ComparedWith =
  | {
      readonly history: 'git';
      /** Full name of the ref. */
      readonly ref: string;
      /** The folder that holds the site in its commits; '' for the top. */
      readonly folder: string;
      /** When it was published, a W3C Datetime. */
      readonly at?: string;
    }
  | {
      readonly history: 'published';
      /** URL of the live Source Description. */
      readonly description: string;
      readonly at?: string;
    }
  | { readonly history: 'none'; readonly at?: never };

/** Numbers of former versions. What was not read is told without lines, and may be in no group. */
export interface Incomplete {
  /** Those that would tell more. */
  readonly wanted: number;
  /** Those that were asked for: of a live site, a sample. */
  readonly asked: number;
  /** Those that were had, with the bytes that history says they have. */
  readonly read: number;
}

/**
 * A change of a publication. Those of one that was known before have no `kind`; nor have texts whose former bytes were not
 * read.
 */
export type ToldChange = Pick<Difference, 'change' | 'uri'> & Partial<Difference>;

/** What a publication changed, URL by URL. */
export interface ToldChanges extends Pick<Comparison, 'groups'>, Pick<DiffReport, 'incomplete'> {
  /** The publication before; absent where this one was known before the run. */
  readonly comparedWith?: ComparedWith;
  /** Assets that were renamed are told as such, though a Change List has no renames. */
  readonly changes: readonly ToldChange[];
}
