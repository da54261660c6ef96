/** Types of the input and the result of a comparison of two versions of a site. */

import type { ContentKind } from '../files/page/kind.js';
import type { ChangeEvent } from '../standard/model.js';
import type { CommonPassage } from './text/passages.js';

/** A resource that changed, without its bytes. */
export interface ChangedResource {
  readonly change: ChangeEvent['change'];
  readonly uri: string;
  /** Path of the file, relative to the site, with `/` between segments. */
  readonly path: string;
  /** Media type without parameters, or undefined if the file extension is unknown. */
  readonly type?: string | undefined;
  /** Length in bytes; the last length of a deleted resource. */
  readonly length: number;
  /** Any digest that is equal only for equal bytes; it helps to find the previous name of an asset. */
  readonly digest?: string | undefined;
}

/** A deleted asset and a created one, joined because their paths differ only in hashes. */
export interface RenamedResource extends Omit<ChangedResource, 'change'> {
  readonly change: 'renamed';
  readonly from: string;
  readonly fromPath: string;
}

/** One change in a report. */
export interface Difference {
  readonly change: ChangeEvent['change'] | 'renamed';
  readonly uri: string;
  /** The previous URL of a renamed asset. */
  readonly from?: string;
  readonly path: string;
  readonly kind: ContentKind;
  readonly length: number;
  /** First changed piece of a compared text, shortened; '' if too much work. From the site: escape it for printing. */
  readonly line?: string;
  readonly group?: number;
}

/** A group of two or more changes that are equal when times, dates, hashes and numbers are masked. */
export interface DifferenceGroup {
  /** Number of the group, from 1 for the largest group. */
  readonly id: number;
  readonly count: number;
  /** A changed line, or both names of a renamed asset, shortened. It comes from the site: escape it for printing. */
  readonly line: string;
  readonly kind: ContentKind;
  readonly reason: GroupReason;
}

/**
 * `masked`: only times, dates, hashes and numbers differ; `alike`: the same lines became the same lines; `renamed`: assets
 * of one folder got names with other hashes.
 */
export type GroupReason = 'masked' | 'alike' | 'renamed';

export interface PageSample {
  readonly compared: number;
  /** Number of compared resources that differ only in times, dates, hashes and numbers. */
  readonly masked: number;
  /** The line of the largest group of masked changes; undefined if there is none. */
  readonly line: string | undefined;
  readonly kind: ContentKind | undefined;
}

export interface Comparison {
  readonly changes: readonly Difference[];
  readonly groups: readonly DifferenceGroup[];
  readonly pages: PageSample;
  readonly files: PageSample;
  readonly passage: CommonPassage | undefined;
}
