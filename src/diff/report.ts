/** Types of the report of `diff`, and of the report about the changes of a publication. */

import type { GoneReport } from './gone/model.js';
import type { Comparison, Difference } from './model.js';
import type { Unreproducible } from './reproducible.js';
import type { CommonPassage } from './text/passages.js';

/** The report of `diff`: plain data, fit for `JSON.stringify`. */
export interface DiffReport extends Pick<Comparison, 'changes' | 'groups'> {
  readonly site: string;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  readonly comparedWith: ComparedWith;
  /** Present if not all previous versions were read. */
  readonly incomplete?: Incomplete;
  /** Present if every build seems to change nearly all pages. */
  readonly unreproducible?: Unreproducible;
  /** Present if one passage of main text was added to, or removed from, more than half of the changed pages. */
  readonly passage?: CommonPassage;
  /** Present with the option `sitemap`, if there is a publication to compare with. */
  readonly sitemap?: MovedDates;
  /** Present with the option `gone`, if there is a publication to compare with. */
  readonly gone?: GoneReport;
}

/** Changes of dates that the next publication would make in the sitemap. */
export interface MovedDates {
  /** URLs of the pages whose `lastmod` would become the date of the publication, sorted. */
  readonly moved: readonly string[];
  /** Number of changed pages that keep their dates because comparing them would take too much work. */
  readonly unread: number;
}

/** The publication that the site is compared with. Without `at`, there is none yet, and no changes are reported. */
export type ComparedWith =
  | {
      readonly history: 'git';
      readonly ref: string;
      /** The folder of the site in the commits of `ref`; '' for the top. */
      readonly folder: string;
      /** Moment of the publication, a W3C Datetime. */
      readonly at?: string;
    }
  | {
      readonly history: 'published';
      readonly description: string;
      readonly at?: string;
    }
  | { readonly history: 'none'; readonly at?: never };

/** Numbers of previous versions of resources. Changes whose version was not read have no line, and may be in no group. */
export interface Incomplete {
  /** Number of versions that a full comparison needs. */
  readonly wanted: number;
  /** Number of versions that were requested: a sample, if they come from a live site. */
  readonly asked: number;
  /** Number of versions that were read, with the bytes that the history names. */
  readonly read: number;
}

/** A change of a publication. `kind` is missing if the publication is an older one, or the previous text was not read. */
export type ReportedChange = Pick<Difference, 'change' | 'uri'> & Partial<Difference>;

/** The changes of a publication, one per URL. */
export interface ReportedChanges extends Pick<Comparison, 'groups'>, Pick<DiffReport, 'incomplete'> {
  /** The previous publication; absent if this one existed before the run. */
  readonly comparedWith?: ComparedWith;
  /** Renamed assets are one change here, but two in a Change List. */
  readonly changes: readonly ReportedChange[];
}
