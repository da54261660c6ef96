/** The values that archives are written from, whoever keeps the history. */

import type { DocumentKind } from '../../standard/capabilities.js';
import type { ClosedSegment } from '../../standard/limits.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import type { PlannedChangeDump } from '../plan/change-packages.js';
import type { Bitstream } from '../plan/packages.js';
import type { PastState } from './snapshots.js';

export interface ArchivedDocument {
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly kind: DocumentKind;
  readonly entries: number;
}

export interface ArchiveInput {
  /** The Change Lists to archive, oldest first. */
  readonly lists: readonly ClosedSegment<ChangeEvent>[];
  /** The states to archive, oldest first; made one after another. */
  readonly snapshots: () => Iterable<PastState<Resource>>;
  /** Sources of archived dumps, or undefined if only lists are archived. */
  readonly bytes: ArchivedBytes | undefined;
}

/** Sources of previous versions. */
export interface ArchivedBytes {
  /** The moment of resources without a date. */
  readonly undated: Date;
  readonly sourceOf: (resource: Resource) => Bitstream['source'];
  /** Whether no package may hold the bytes of a URI. */
  readonly withdrawn: (uri: string) => boolean;
  /** A package for each publication, oldest first. */
  readonly changes: PlannedChangeDump;
}
