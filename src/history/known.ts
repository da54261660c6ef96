/** The values of a history: where it is kept, what was read there, and what that makes of the site. */

import type { Notice } from '../base/notices.js';
import type { ChangeSegment } from '../standard/limits.js';
import type { ChangeEvent, Resource } from '../standard/model.js';
import type { KnownArchive } from './archives/known.js';
import type { BlobDigest } from './git/digest-blobs.js';
import type { Repository } from './git/repository.js';
import type { PublishedHistory } from './live/published.js';
import type { PlannedChangeDump } from './plan/change-packages.js';
import type { SiteHistory } from './plan/derive.js';
import type { Publication, PublicationLog } from './plan/replay.js';

/** Where the publications of a site are kept. */
export type HistoryPlace = GitPlace | { readonly kind: 'published' };

/** Where git has them. */
export interface GitPlace {
  readonly kind: 'git';
  readonly repository: Repository;
  /** Full name of the ref. */
  readonly ref: string;
  /** What it stood for when it was found. Only of a ref that no run of ours writes: it is not asked for again. */
  readonly commit?: string;
  /** The folder that holds the site in its commits; '' for the top. */
  readonly folder: string;
  /** Whether a ref that does not exist means that there is no publication yet. */
  readonly mayBeMissing: boolean;
}

/** What was read from there. */
export type History = GitHistory | PublishedHistory;

/** The publications, and where the next one goes. */
export interface GitHistory extends PublicationLog {
  readonly kind: 'git';
  readonly place: GitPlace;
  /** The commit that the ref points to; undefined where there is none yet. */
  readonly tip: string | undefined;
  /** Publications with a date that cannot be, as they have it. */
  readonly misdated: readonly Publication[];
  /** Versions that were digested on the way, by blob; not all that may be listed. */
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** Whether versions of pages say `noindex`, by blob, for those that were read; empty where nothing goes by that. */
  readonly noindex: ReadonlyMap<string, boolean>;
}

/** What a history makes of the site as it stands, whoever keeps it. */
export interface KnownHistory extends Omit<SiteHistory, 'baseline' | 'begins' | 'truncated' | 'sets'> {
  /** In the order of the configuration. */
  readonly sets: readonly KnownSet[];
  /** What git has of all publications; undefined where the live site keeps them. */
  readonly committed?: SiteHistory;
  /** What git has of the listed changes, and of the present site, by blob; undefined likewise. */
  readonly digests?: BlobDigests;
  readonly notices: readonly Notice[];
}

/** Digests of bytes that git keeps, by blob. */
export interface BlobDigests extends Iterable<[blob: string, digest: BlobDigest]> {
  readonly has: (blob: string) => boolean;
  readonly get: (blob: string) => BlobDigest | undefined;
}

/** What is known of a set of resources. */
export interface KnownSet {
  /** The lists of changes to publish. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** When the bytes of a present resource were published, by its place in the set; undefined where that is not known. */
  readonly lastmod: (resource: Resource, place: number) => Date | undefined;
  /** Undefined when there is to be none. */
  readonly changeDump: PlannedChangeDump | undefined;
  /** Undefined when there is to be none. */
  readonly archive?: KnownArchive | undefined;
}
