/** A set of resources as it is planned, before its packages are made. */

import type { ChangeDumpManifest, ResourceDumpManifest } from '../resourcesync/document.js';
import type { PlannedChangeDump } from './change-packages.js';
import type { DescribedSet } from './documents.js';
import type { PlannedPackage } from './packages.js';

/** A set of resources, and the packages that there are to be of it; undefined when there are to be none. */
export interface PlannedSet extends Omit<DescribedSet, 'resourcePackages' | 'changePackages' | 'archives'> {
  readonly resourceDump: readonly PlannedPackage<ResourceDumpManifest>[] | undefined;
  readonly changeDump: PlannedChangeDump | undefined;
  /** Packages of what is archived, those that are also in the dumps of today included; each once. */
  readonly archivedPackages?:
    | readonly PlannedPackage<ResourceDumpManifest | ChangeDumpManifest>[]
    | undefined;
}
