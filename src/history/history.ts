/** Types of a history: its place, the publications that were read there, and the state of the site by them. */

import type { Notice } from '../base/notices.js';
import type { ChangeSegment } from '../standard/limits.js';
import type { ChangeEvent, Resource } from '../standard/model.js';
import type { KnownArchive } from './archives/archive.js';
import type { BlobDigest } from './git/digest-blobs.js';
import type { Repository } from './git/repository.js';
import type { PublishedHistory } from './live/published.js';
import type { PlannedChangeDump } from './plan/change-packages.js';
import type { SiteHistory } from './plan/derive.js';
import type { Publication, PublicationLog } from './plan/replay.js';

/** The place that keeps the publications of a site. */
export type HistoryPlace = GitPlace | { readonly kind: 'published' };

/** A ref of a git repository. */
export interface GitPlace {
  readonly kind: 'git';
  readonly repository: Repository;
  /** Full name of the ref. */
  readonly ref: string;
  /** The commit it pointed to when it was found. Only for a ref that no run of ours writes: it is not asked for again. */
  readonly commit?: string;
  /** The folder that holds the site in its commits; '' for the top. */
  readonly folder: string;
  /** If true, a ref that does not exist means that there is no publication yet. */
  readonly mayBeMissing: boolean;
}

export type History = GitHistory | PublishedHistory;

/** The publications, and where the next one goes. */
export interface GitHistory extends PublicationLog {
  readonly kind: 'git';
  readonly place: GitPlace;
  /** The commit that the ref points to, or undefined if there is none yet. */
  readonly tip: string | undefined;
  /** Publications with a date that cannot be, as they have it. */
  readonly misdated: readonly Publication[];
  /** Versions that were digested on the way, by blob; not all that may be listed. */
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** True for versions of pages that say `noindex`, by blob. Only versions that were read; empty if `noindex` does not matter. */
  readonly noindex: ReadonlyMap<string, boolean>;
}

/** The state of the site by its history, whoever keeps it. */
export interface KnownHistory extends Omit<SiteHistory, 'baseline' | 'begins' | 'truncated' | 'sets'> {
  /** In the order of the configuration. */
  readonly sets: readonly KnownSet[];
  /** All publications that git has, or undefined if the live site keeps them. */
  readonly committed?: SiteHistory;
  /** Digests of the listed changes and of the present site, by blob; undefined likewise. */
  readonly digests?: BlobDigests;
  readonly notices: readonly Notice[];
}

/** Digests of bytes that git keeps, by blob. */
export interface BlobDigests extends Iterable<[blob: string, digest: BlobDigest]> {
  readonly has: (blob: string) => boolean;
  readonly get: (blob: string) => BlobDigest | undefined;
}

/** The history of a set of resources. */
export interface KnownSet {
  /** The lists of changes to publish. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** The moment at which the bytes of a resource were published, by its index in the set; undefined if it is not known. */
  readonly lastmod: (resource: Resource, place: number) => Date | undefined;
  /** Undefined if there is to be none. */
  readonly changeDump: PlannedChangeDump | undefined;
  /** Undefined when there is to be none. */
  readonly archive?: KnownArchive | undefined;
}
