/** The values that archives are written from, whoever keeps the history. */

import type { ChangeDump, Document, ResourceDump } from '../../standard/document.js';
import type { ClosedSegment } from '../../standard/limits.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import type { PlannedChangeDump } from '../plan/change-packages.js';
import type { Bitstream } from '../plan/packages.js';
import type { SetArchives } from './kinds.js';
import type { PastState } from './snapshots.js';

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
  /** The Change Lists to archive, oldest first; those that the live site has archived come with their texts, once they were fetched. */
  readonly lists: readonly ClosedSegment<ChangeEvent>[];
  /** The states to archive, oldest first; made one after another. */
  readonly snapshots: () => Iterable<PastState<Resource>>;
  /** What the dumps of the past are packed from; undefined where only lists are archived, or the live site has the packages. */
  readonly bytes: ArchivedBytes | undefined;
  /** Undefined where git keeps the history. */
  readonly live: LivePast | undefined;
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

/** What the live site has of the past. */
export interface LivePast {
  /** What each archive of it names. This is to be carried on: it comes before all that is new. */
  readonly entries: SetArchives;
  /** Undefined where only lists are archived. */
  readonly packages: LivePackages | undefined;
}

/** Packages that are live, and go into archived dumps as they are. */
export interface LivePackages {
  /** Those of the state that is live, where it is to be archived. */
  readonly snapshot: LiveSnapshot | undefined;
  /** Those of publications, oldest first. */
  readonly changes: ChangeDump['packages'];
}

/** The Resource Dump of a state. */
export type LiveSnapshot = Pick<ResourceDump, 'at' | 'packages'>;
