/** The values of what the live site says of itself. */

import type { Lookup } from '../../base/columns/table.js';
import type { ChangeDump } from '../../standard/document.js';
import type { ChangeSegment } from '../../standard/limits.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import type { SitePage, SitePages } from '../../standard/pages.js';

/** The history that the live site keeps. */
export interface PublishedHistory {
  readonly kind: 'published';
  /** True if there is a Source Description. */
  readonly begun: boolean;
  /** The configured sets that are live, by name. */
  readonly sets: ReadonlyMap<string | undefined, LiveSet>;
  /** The live `pages.json`, or undefined if there is none, or none is wanted. */
  readonly pages?: LivePages | undefined;
}

export interface LivePages extends Omit<SitePages, 'pages'> {
  readonly byUrl: ReadonlyMap<string, SitePage>;
}

/** A set of resources as it was published last. */
export interface LiveSet {
  readonly at: Date;
  /** In the order of its Resource List. */
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

/** A package, as a dump of the live site lists it. */
export type LivePackage = ChangeDump['packages'][number];
