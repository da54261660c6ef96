/** Types of packages, before and after they are written. */

import type { Repository } from '../../history/git/repository.js';
import { OWNER_MARK } from '../../paths/ours.js';
import type { ChangeDump, ResourceDump } from '../../standard/document.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { NewDocument } from '../document.js';
import type { PackageReport } from '../report.js';
import type { Manifest } from './manifest.js';

export interface PackedFile {
  readonly length: number;
  /** Digests in the notation of §7. */
  readonly hash: string;
}

/** Size in bytes above which files are packed piece by piece, and not held in memory as a whole. */
export const WHOLE_BYTES = 32 * 1024 * 1024;

/** Comment at the end of each package. Raise its number if packing makes other bytes: runs then write all packages again. */
export const PACKAGE_COMMENT = `Packing 2. ${OWNER_MARK}`;

/** A package to publish, newly packed or kept from an earlier run, and the copy of its manifest beside it. */
export interface MadePackage extends PackedFile {
  readonly set: string | undefined;
  readonly path: string;
  readonly uri: string;
  /** Path of the staged package; undefined if the one in the site is to stay. */
  readonly file: string | undefined;
  readonly manifest: Manifest;
  readonly copy: NewDocument;
  /** True if a current dump names the package; false if only archived dumps do. */
  readonly isCurrent: boolean;
}

export function dumpOf({ manifest }: MadePackage): PackageReport['dump'] {
  return manifest.kind === 'resource-dump-manifest' ? 'resource-dump' : 'change-dump';
}

export function listForDumps(packages: readonly MadePackage[]) {
  const resources: ResourceDump['packages'][number][] = [];
  const changes: ChangeDump['packages'][number][] = [];
  for (const { uri, length, hash, manifest, copy } of packages) {
    const entry = { uri, length, hash, contents: copy.uri };
    if (manifest.kind === 'resource-dump-manifest') resources.push({ ...entry, at: manifest.at });
    else changes.push({ ...entry, from: manifest.from, until: manifest.until });
  }
  return { resources, changes };
}

export interface Packing {
  readonly url: string;
  readonly hash: readonly HashAlgorithm[];
  /** True if archived dumps keep the packages; names of Change Dump packages then contain a digest. */
  readonly archives: boolean;
  readonly site: string;
  /** The repository to read previous versions from; undefined without a history in git. */
  readonly repository: Repository | undefined;
  readonly staging: string;
}
