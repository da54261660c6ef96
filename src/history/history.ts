/** Types of a history: its place, the publications that were read there, and the timeline that follows from them. */

import type { Notice } from '../base/notices.js';
import type { ChangeSegment } from '../standard/limits.js';
import type { ChangeEvent, Resource } from '../standard/model.js';
import type { ArchiveInput } from './archives/archive.js';
import type { BlobDigest } from './git/digest-blobs.js';
import type { Repository } from './git/repository.js';
import type { PublishedHistory } from './live/published.js';
import type { PlannedChangeDump } from './plan/change-packages.js';
import type { SiteHistory } from './plan/derive.js';
import type { Publication, PublicationLog } from './plan/replay.js';

export type HistoryPlace = GitPlace | { readonly kind: 'published' };

export interface GitPlace {
  readonly kind: 'git';
  readonly repository: Repository;
  readonly ref: string;
  /** Commit to which the ref pointed when it was found. Given only for a ref that our runs never write. */
  readonly commit?: string;
  /** The folder of the site in the commits of the ref; '' for the top. */
  readonly folder: string;
  /** True if a missing ref is no error, but means that there is no publication yet. */
  readonly mayBeMissing: boolean;
}

export type History = GitHistory | PublishedHistory;

/** The publications in git, and the place of the next one. */
export interface GitHistory extends PublicationLog {
  readonly kind: 'git';
  readonly place: GitPlace;
  /** The commit that the ref points to, or undefined if the ref does not exist yet. */
  readonly tip: string | undefined;
  /** Publications whose own date is too late, with this date uncorrected. */
  readonly misdated: readonly Publication[];
  /** Digests of the versions that were read so far, by blob; kept for later runs, with those of other runs. */
  readonly digests: Map<string, BlobDigest>;
  /** True for versions of pages that say `noindex`, by blob, as far as they were read; kept for later runs, too. */
  readonly noindex: Map<string, boolean>;
}

/** Changes, dates and pending state of the scanned site, derived from its history. */
export interface Timeline extends Omit<SiteHistory, 'baseline' | 'begins' | 'truncated' | 'sets'> {
  readonly sets: readonly SetTimeline[];
  /** The whole history as derived from git; undefined if the live site keeps it. */
  readonly committed?: SiteHistory;
  /** Digests of listed versions that the site lacks, by blob; undefined if the live site keeps the history. */
  readonly digests?: GitHistory['digests'];
  readonly notices: readonly Notice[];
}

export interface SetTimeline {
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** Returns when the bytes of a resource were published; undefined if not known. */
  readonly lastmod: (resource: Resource) => Date | undefined;
  readonly changeDump: PlannedChangeDump | undefined;
  readonly archive?: ArchiveInput | undefined;
}
