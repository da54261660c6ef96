/** Types of packages, before and after they are written. */

import type { Repository } from '../../history/git/repository.js';
import type { Bitstream } from '../../history/plan/packages.js';
import type { Publishable } from '../../paths/hold/files.js';
import { OWNER_MARK } from '../../paths/ours.js';
import type { ChangeDump, ResourceDump } from '../../standard/document.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { PlannedDocument } from '../plan/documents.js';
import type { Manifest } from './manifest.js';

export interface PackJob {
  readonly target: string;
  /** Path of the staged file that becomes `manifest.xml` in the package. */
  readonly manifest: string;
  readonly bitstreams: readonly Bitstream[];
  readonly site: string;
  /** The repository to read blobs from; undefined if the history is not in git. */
  readonly repository: Repository | undefined;
  /** Comment at the end of the package, which marks it as ours. */
  readonly comment: string;
  readonly hash: readonly HashAlgorithm[];
}

export interface PackedFile {
  readonly length: number;
  /** Digests in the notation of §7. */
  readonly hash: string;
}

/** Size in bytes above which files are packed piece by piece, and not held in memory as a whole. */
export const WHOLE_BYTES = 32 * 1024 * 1024;

/** Comment at the end of each package. A new number makes runs write all packages again, because their bytes would differ. */
export const PACKAGE_COMMENT = `Packing 2. ${OWNER_MARK}`;

/** Name of the manifest, which is the first file in a package (§11). */
export const MANIFEST = 'manifest.xml';

/** A package to publish, new or as it was, and the copy of its manifest that stands beside it. */
export interface MadePackage extends PackedFile {
  readonly set: string | undefined;
  readonly path: string;
  readonly uri: string;
  readonly manifest: PlannedDocument & { readonly document: Manifest };
  readonly files: readonly Publishable[];
  /** True if a current dump names the package; false if only archived dumps do. */
  readonly isCurrent: boolean;
}

export function listForDumps(packages: readonly MadePackage[]) {
  const resources: ResourceDump['packages'][number][] = [];
  const changes: ChangeDump['packages'][number][] = [];
  for (const { uri, length, hash, manifest } of packages) {
    const { document } = manifest;
    const entry = { uri, length, hash, contents: manifest.uri };
    if (document.kind === 'resource-dump-manifest') resources.push({ ...entry, at: document.at });
    else changes.push({ ...entry, from: document.from, until: document.until });
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
