/** The values that archives are written from, whoever keeps the history. */

import type { PlannedChangeDump } from '../plan/change-packages.js';
import type { ClosedSegment } from '../plan/changes.js';
import type { Bitstream } from '../plan/packages.js';
import type { ArchivedInterval, ArchivedSnapshot, Document } from '../resourcesync/document.js';
import type { ChangeEvent, Resource } from '../resourcesync/model.js';
import type { Snapshot } from './snapshots.js';

/** A document that is archived. */
export interface ArchivedDocument {
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly kind: Document['kind'];
  /** Number of entries. */
  readonly entries: number;
}

/** What is known of the past of one set of resources. */
export interface KnownArchive {
  /** The Change Lists to archive, oldest first. */
  readonly lists: readonly ClosedSegment<ChangeEvent>[];
  /** The states to archive, oldest first; made one after another. */
  readonly snapshots: () => Iterable<Snapshot<Resource>>;
  /** What the dumps of the past are packed from; undefined where only lists are archived. */
  readonly bytes: ArchivedBytes | undefined;
  /** What is archived on the live site, and comes before these. */
  readonly carried: CarriedArchive;
}

/** Where the bytes of the past are. */
export interface ArchivedBytes {
  /** The moment of what is not dated. */
  readonly undated: Date;
  readonly sourceOf: (resource: Resource) => Bitstream['source'];
  /** Whose bytes no package may hold, by URI. */
  readonly withdrawn: (uri: string) => boolean;
  /** A package for each publication, oldest first. */
  readonly changes: PlannedChangeDump;
}

/** Archived documents that are published again as they are. */
export interface CarriedArchive {
  readonly lists: readonly ArchivedInterval[];
  readonly snapshots: readonly ArchivedSnapshot[];
}

export const NOTHING_CARRIED: CarriedArchive = { lists: [], snapshots: [] };
