/** Types of the result of a scan: resources, sets, and metadata of pages. */

import type { Rows } from '../base/columns/rows.js';
import type { NamedGlob } from '../base/notices.js';
import type { SkipReason } from '../base/reasons.js';
import type { ResolvedSet } from '../config/config.js';
import type { PageFacts } from '../files/page/facts/seen.js';
import type { PageRecord } from '../files/page/record.js';
import type { TypeOf } from '../files/types.js';
import type { Link, Resource } from '../standard/model.js';

export interface ScannedSite {
  readonly resources: Rows<Resource>;
  /** The files of all resources, in the same order. */
  readonly files: Rows<FoundFile>;
  /** Total length of all resources except `unlisted`, in bytes. */
  readonly bytes: number;
  readonly sets: readonly ScannedSet[];
  /** Git blob ids of all resources, in the same order; empty unless requested. */
  readonly blobs: readonly string[];
  /** Returns the URI of a present or previous file by its path; undefined if it is no resource. */
  readonly uriOf: (path: string) => string | undefined;
  readonly typeOf: TypeOf;
  readonly typeAt: (place: number) => string | undefined;
  /** Number of files that are no resources, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Files in the root of the site that configure hosts, such as `CNAME`. */
  readonly hostFiles: ReadonlySet<string>;
  /** Metadata of pages, or undefined if no option needs it. */
  readonly facts: SiteFacts | undefined;
  /** Paths of files that are in no set because of `noindex`. */
  readonly unlisted: ReadonlySet<string>;
  /** The rules of `_headers` about `noindex`; undefined unless `noindex` is `skip`. Latin-1, one character per byte. */
  readonly tagRules: string | undefined;
  /** `include` globs that match files, but add none to the resources. */
  readonly idleIncludes: readonly string[];
  readonly idleGlobs: readonly NamedGlob[];
}

export interface ScannedSet extends ResolvedSet {
  readonly resources: Rows<Resource>;
  /** The files of the set's resources, in the same order, with blob ids, which are '' unless requested. */
  readonly files: Rows<SiteFile>;
}

export interface SiteFile extends Pick<Resource, 'uri' | 'path'> {
  readonly blob: string;
}

export interface FoundFile {
  readonly uri: string;
  readonly path: string;
  /** Index in the order in which the walk found the files. */
  readonly index: number;
}

export interface SiteFacts {
  readonly of: (file: Pick<FoundFile, 'index'>) => PageFacts;
  readonly linksOf: (file: Pick<FoundFile, 'index'>) => readonly Link[];
  /** Returns the record of a page's text; undefined if not requested, or the page is longer than `PAGE_LIMIT`. */
  readonly recordOf: (file: Pick<FoundFile, 'index'>) => PageRecord | undefined;
  /** Returns the content of a page that was read, in hexadecimal: equal only for equal bytes. */
  readonly contentOf: (file: Pick<FoundFile, 'index'>) => string | undefined;
  /** Tests if this Node.js does not know the encoding that a page declares; false if no text was requested. */
  readonly hasOddEncoding: (file: Pick<FoundFile, 'index'>) => boolean;
  /** Tests if a page, or a rule of its host, says `noindex`. */
  readonly saysNoindex: (file: Pick<FoundFile, 'uri' | 'index'>) => boolean;
  /** The rules of `_headers` about `noindex`, or undefined if there are none. Latin-1, one character per byte. */
  readonly tagRules: string | undefined;
}
