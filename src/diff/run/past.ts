/** Types of the previous publication: the changes since then, and how to read previous versions. */

import type { PageRecords } from '../../files/page/records.js';
import type { History, Timeline } from '../../history/history.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangeEvent } from '../../standard/model.js';
import type { LostAddress, PastEvent } from '../gone/addresses.js';
import type { ChangedResource } from '../model.js';
import type { ComparedWith } from '../report.js';

export interface SiteWithHistory {
  readonly site: string;
  readonly scanned: ScannedSite;
  readonly history: History | undefined;
  readonly timeline: Timeline | undefined;
  readonly records: PageRecords;
  /** Reads a file as the next run would edit it. @default reads the file as it is */
  readonly readFile?: ReadPresent | undefined;
}

/** The publication that a site is compared with. */
export interface Past {
  readonly comparedWith: ComparedWith;
  /** Changes of the next publication, in the order of URLs. */
  readonly changes: readonly ChangedResource[];
  readonly readLimit: number;
  /** Returns the length of the previous version of a URL, in bytes; undefined if its bytes are not available. */
  readonly previousLength: (uri: string) => number | undefined;
  readonly openVersions: (uris: readonly string[]) => Promise<VersionReader>;
  /** All known publications; undefined if there is none. */
  readonly history: PastHistory | undefined;
}

/** The changes of all publications that are known. */
export interface PastHistory {
  /** Changes before this moment are not known. */
  readonly from: Date;
  /** True if git has an older history, which this clone lacks. */
  readonly truncated: boolean;
  /** Yields all known changes after the baseline, oldest first in each set. */
  readonly events: () => Iterable<PastEvent>;
  /** Opens a reader of the last versions of lost addresses, in their order. */
  readonly openLost: (lost: readonly LostAddress[]) => Promise<VersionReader>;
}

/** Reads previous versions in the order in which their URLs were given. */
export interface VersionReader {
  /** Reads the next version; undefined if it is not available. @throws ResyncError `git-failed` */
  readNext(): Promise<Uint8Array | undefined>;
  /** Ends the reading. Must be called in the end, also after a failure. */
  close(): void;
}

/** Reads a file of a site. @throws ResyncError `file-changing` if its length has changed */
export type ReadPresent = (file: { readonly path: string; readonly length: number }) => Uint8Array;

export const NO_VERSIONS: VersionReader = { readNext: async () => undefined, close: () => undefined };

/** Joins the changes of several sets, in order of URL. A URL that is in several sets is taken from the first of these. */
export function mergeSets<T extends { readonly uri: string }>(sets: readonly (readonly T[])[]): readonly T[] {
  const [only = []] = sets;
  if (sets.length < 2) return only;
  const byUri = new Map(
    sets
      .flat()
      .toReversed()
      .map((change) => [change.uri, change]),
  );
  return [...byUri.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Finds the changes of the newest publication in the Change Lists. */
export function listNewest({ at, sets }: Timeline): readonly ChangeEvent[] {
  return sets.flatMap(({ lists }) =>
    lists.flatMap(({ changes }) => changes.filter(({ datetime }) => datetime.getTime() === at.getTime())),
  );
}
