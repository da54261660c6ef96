/** A set of resources as it is planned, before its packages are made. */

import type { PlannedChangeDump } from '../../history/plan/change-packages.js';
import type { PlannedPackage } from '../../history/plan/packages.js';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../../standard/document.js';
import type { DescribedSet } from './documents.js';

/** A set of resources, and the packages that there are to be of it; undefined when there are to be none. */
export interface PlannedSet extends Omit<DescribedSet, 'resourcePackages' | 'changePackages' | 'archives'> {
  readonly resourceDump: readonly PlannedPackage<ResourceDumpManifest>[] | undefined;
  readonly changeDump: PlannedChangeDump | undefined;
  /** Packages of what is archived, those that are also in the dumps of today included; each once. */
  readonly archivedPackages?:
    | readonly PlannedPackage<ResourceDumpManifest | ChangeDumpManifest>[]
    | undefined;
}
