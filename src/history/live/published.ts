/** Types of the history that is read from the live site. */

import type { Lookup } from '../../base/columns/table.js';
import type { ChangeDump } from '../../standard/document.js';
import type { ChangeSegment } from '../../standard/limits.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import type { SitePage, SitePages } from '../../standard/pages.js';

export interface PublishedHistory {
  readonly kind: 'published';
  readonly begun: boolean;
  /** False if the live site lacks a Source Description that this build has to write. */
  readonly isDescribed: boolean;
  /** Those configured sets that are live, by name. */
  readonly sets: ReadonlyMap<string | undefined, LiveSet>;
  /** The live `pages.json`; undefined if it is missing or not wanted. */
  readonly pages?: LivePages | undefined;
}

export interface LivePages extends Omit<SitePages, 'pages'> {
  readonly byUrl: ReadonlyMap<string, SitePage>;
}

export interface LiveSet {
  readonly at: Date;
  readonly resources: Lookup<LiveResource>;
  /** The Change Lists of the set, oldest first; empty if it was published without a history. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** The packages of the set's Change Dump, oldest first; empty unless this run writes Change Dumps. */
  readonly packages: ChangeDump['packages'];
}

/** Length of a file in bytes, and its digests in the notation of §7. */
export type BytesFacts = Pick<Resource, 'length' | 'hash'>;

export interface LiveResource extends BytesFacts {
  readonly lastmod: Date | undefined;
}

export type LivePackage = ChangeDump['packages'][number];
