/** Types of the lists, states and bytes from which the archives of a set are written. */

import type { ClosedSegment } from '../../standard/limits.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import type { PlannedChangeDump } from '../plan/change-packages.js';
import type { Bitstream } from '../plan/packages.js';
import type { PastState } from './snapshots.js';

export interface ArchiveInput {
  /** The Change Lists to archive, oldest first. */
  readonly lists: readonly ClosedSegment<ChangeEvent>[];
  /** Derives the states of the set to archive, oldest first, one at a time to save memory. */
  readonly snapshots: () => Iterable<PastState<Resource>>;
  /** Where the bytes of archived dumps come from; undefined if only lists are archived. */
  readonly bytes: ArchivedBytes | undefined;
}

/** The bytes of previous versions for archived dumps, and the packages that hold them. */
export interface ArchivedBytes {
  /** The moment that counts for resources without a date of their own. */
  readonly undated: Date;
  readonly sourceOf: (resource: Resource) => Bitstream['source'];
  /** Tests if the option `withdraw` keeps the bytes of a URI out of packages. */
  readonly withdrawn: (uri: string) => boolean;
  /** The archived Change Dump: a package for each publication, oldest first. */
  readonly changes: PlannedChangeDump;
}
