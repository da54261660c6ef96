/** The four archives that a set of resources may have: the kind of document of each, and the type of its entries. */

import type { ArchiveName } from '../../paths/ours.js';
import type { Archive, ArchivedInterval, ArchivedSnapshot } from '../../standard/document.js';

/** The entries of each archive of a set of resources; an archive without entries is not written. */
export interface SetArchives extends Readonly<Record<ArchiveName, readonly unknown[]>> {
  readonly 'resourcelist-archive': readonly ArchivedSnapshot[];
  readonly 'resourcedump-archive': readonly ArchivedSnapshot[];
  readonly 'changelist-archive': readonly ArchivedInterval[];
  readonly 'changedump-archive': readonly ArchivedInterval[];
}

export const ARCHIVE_KINDS = {
  'resourcelist-archive': 'resource-list-archive',
  'resourcedump-archive': 'resource-dump-archive',
  'changelist-archive': 'change-list-archive',
  'changedump-archive': 'change-dump-archive',
} as const satisfies Readonly<Record<ArchiveName, Archive['kind']>>;
