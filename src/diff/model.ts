/** What a comparison of two versions of a site takes, and what it tells. */

import type { ChangeKind, ContentKind } from '../files/page/kind.js';
import type { CommonPassage } from './text/passages.js';

/** A resource that changed; its bytes are handed in apart from it. */
export interface ChangedResource {
  readonly change: ChangeKind;
  readonly uri: string;
  /** Relative to the site, `/` between segments. */
  readonly path: string;
  /** Media type without parameters; undefined when the name does not tell it. */
  readonly type?: string | undefined;
  /** In bytes; of a deleted resource, what it had. */
  readonly length: number;
  /** Equal where bytes are equal, whatever it is. It helps to find the former name of an asset. */
  readonly digest?: string | undefined;
}

/** A resource that is gone, and another that has its name but for the hash in it. */
export interface RenamedResource extends Omit<ChangedResource, 'change'> {
  readonly change: 'renamed';
  /** The former URL. */
  readonly from: string;
  /** The former path. */
  readonly fromPath: string;
}

/** One change, as it is told. */
export interface Difference {
  readonly change: ChangeKind | 'renamed';
  readonly uri: string;
  /** The former URL of a renamed asset. */
  readonly from?: string;
  readonly path: string;
  readonly kind: ContentKind;
  /** In bytes. */
  readonly length: number;
  /**
   * Of an updated text whose versions are both known: the first passage that changed, shortened; '' where that is too much to look at. It
   * comes from the site: whoever prints it has to escape it.
   */
  readonly line?: string;
  /** The `id` of the group that it is in. */
  readonly group?: number;
}

/** Two changes or more that are the same once times, dates, hashes and numbers are masked. */
export interface DifferenceGroup {
  /** From 1; the largest group comes first. */
  readonly id: number;
  readonly count: number;
  /** A line that changed, shortened. It comes from the site: whoever prints it has to escape it. */
  readonly line: string;
  readonly kind: ContentKind;
  /** What its changes have in common. */
  readonly reason: GroupReason;
}

/**
 * `masked`: they differ in times, dates, hashes and numbers only; `alike`: the same lines became the same lines;
 * `renamed`: assets of one folder whose names hold other hashes.
 */
export type GroupReason = 'masked' | 'alike' | 'renamed';

/** How the pages, or the texts of all kinds, that were updated differ from what they were. */
export interface PageSample {
  /** So many were compared. */
  readonly compared: number;
  /** So many of them differ in times, dates, hashes and numbers only. */
  readonly masked: number;
  /** The line in which most of these differ, of texts of all kinds most of all; undefined when there is none. */
  readonly line: string | undefined;
  /** Whether readers see it. */
  readonly kind: ContentKind | undefined;
}

export interface Comparison {
  /** In the order in which they were handed in. */
  readonly changes: readonly Difference[];
  readonly groups: readonly DifferenceGroup[];
  readonly pages: PageSample;
  /** Of texts of all kinds. */
  readonly files: PageSample;
  readonly passage: CommonPassage | undefined;
}
