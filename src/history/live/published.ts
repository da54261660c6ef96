/** Values that are read from the live site. */

import type { Lookup } from '../../base/columns/table.js';
import type { ChangeDump } from '../../standard/document.js';
import type { ChangeSegment } from '../../standard/limits.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import type { SitePage, SitePages } from '../../standard/pages.js';

export interface PublishedHistory {
  readonly kind: 'published';
  readonly begun: boolean;
  /** False if the live site lacks the Source Description. */
  readonly isDescribed: boolean;
  /** By name; only configured sets. */
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
  /** Its Change Lists, oldest first; none where it was published without a history. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** The packages of its Change Dump, oldest first; none unless they are asked for. */
  readonly packages: ChangeDump['packages'];
}

/** Length of bytes, and their digests in the notation of §7. */
export type BytesFacts = Pick<Resource, 'length' | 'hash'>;

export interface LiveResource extends BytesFacts {
  readonly lastmod: Date | undefined;
}

export type LivePackage = ChangeDump['packages'][number];
