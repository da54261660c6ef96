/** What a scan says of a site: its resources, the sets that they are in, and what its pages say of themselves. */

import type { Rows } from '../base/columns/rows.js';
import type { NamedGlob } from '../base/notices.js';
import type { SkipReason } from '../base/reasons.js';
import type { ResolvedSet } from '../config/config.js';
import type { PageFacts } from '../files/page/facts/seen.js';
import type { PageRecord } from '../files/page/record.js';
import type { TypeOf } from '../files/types.js';
import type { Link, Resource } from '../standard/model.js';

/** What the site holds. */
export interface ScannedSite {
  /** In the order of their URIs. */
  readonly resources: Rows<Resource>;
  /** The same without what was read of them. */
  readonly files: Rows<FoundFile>;
  /** Bytes of all resources but the unlisted ones. */
  readonly bytes: number;
  /** The sets of resources that are configured, in their order. */
  readonly sets: readonly ScannedSet[];
  /** The ids that git gives to the bytes of the resources, in the same order; empty unless asked for. */
  readonly blobs: readonly string[];
  readonly typeOf: TypeOf;
  /** The media type of a resource, by its place. */
  readonly typeAt: (place: number) => string | undefined;
  /** What is no resource, counted by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** The files of the site's root that tell hosts what to do. */
  readonly hostFiles: ReadonlySet<string>;
  /** What pages say of themselves; undefined where nobody wants to know. */
  readonly facts: SiteFacts | undefined;
  /** Paths of what no set has because it says `noindex`. */
  readonly unlisted: ReadonlySet<string>;
  /** What `_headers` says of `noindex`, where it does and that counts: bytes, a character each. */
  readonly tagRules: string | undefined;
  /** `include` globs that match, and brought nothing back. */
  readonly idleIncludes: readonly string[];
  /** All globs that match nothing. */
  readonly idleGlobs: readonly NamedGlob[];
}

/** What a set of resources holds. */
export interface ScannedSet extends Pick<ResolvedSet, 'name' | 'describedby'> {
  readonly resources: Rows<Resource>;
  /** The same without what was read of them, but for the ids that git gives to their bytes: '' unless asked for. */
  readonly files: Rows<SiteFile>;
}

export interface SiteFile extends Pick<Resource, 'uri' | 'path'> {
  readonly blob: string;
}

export interface FoundFile {
  readonly uri: string;
  readonly path: string;
  /** The place among all files that were found, in no particular order. */
  readonly index: number;
}

/** What is known of pages. */
export interface SiteFacts {
  readonly of: (file: Pick<FoundFile, 'index'>) => PageFacts;
  /** The links of a page that are to be listed. */
  readonly linksOf: (file: Pick<FoundFile, 'index'>) => readonly Link[];
  /** What the page says in its text; undefined if nobody wanted to know, or it is longer than `PAGE_LIMIT`. */
  readonly recordOf: (file: Pick<FoundFile, 'index'>) => PageRecord | undefined;
  /** Whether a file asks search engines not to list it, or its host does. */
  readonly saysNoindex: (file: Pick<FoundFile, 'uri' | 'index'>) => boolean;
  /** What the host says of that, as `_headers` has it: bytes, a character each; undefined where it says it of nothing. */
  readonly tagRules: string | undefined;
}
