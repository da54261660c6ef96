/** Types of packages: before and after they are written. */

import type { Config } from '../../config/config.js';
import type { Repository } from '../../history/git/repository.js';
import type { Bitstream } from '../../history/plan/packages.js';
import type { Publishable } from '../../paths/hold/files.js';
import { OWNER_MARK } from '../../paths/ours.js';
import type { ChangeDump, ResourceDump } from '../../standard/document.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { PlannedDocument } from '../plan/documents.js';
import type { Manifest } from './manifest.js';

/** A package to write. */
export interface PackJob {
  /** The file to write. */
  readonly target: string;
  /** The file that is to be its `manifest.xml`. */
  readonly manifest: string;
  /** In the order in which they are to stand. */
  readonly bitstreams: readonly Bitstream[];
  /** The folder that files are relative to. */
  readonly site: string;
  /** The repository that has the blobs, or undefined if there are none. */
  readonly repository: Repository | undefined;
  /** Stands at the very end of the package; says whose it is. */
  readonly comment: string;
  /** Digests of the package to compute. */
  readonly hash: readonly HashAlgorithm[];
}

/** A package that has been written. */
export interface PackedFile {
  /** Number of bytes. */
  readonly length: number;
  /** Digests in the notation of §7. */
  readonly hash: string;
}

/** So much is held at once: files with more are packed piece by piece. */
export const WHOLE_BYTES = 32 * 1024 * 1024;

/**
 * Stands at the end of each package. The number changes when the same content gets other bytes: then packages are
 * written anew.
 */
export const PACKAGE_COMMENT = `Packing 2. ${OWNER_MARK}`;

/** Stands first in a package (§11). */
export const MANIFEST = 'manifest.xml';

/** A package, and the copy of its manifest that stands beside it. */
export interface MadePackage extends PackedFile {
  readonly set: string | undefined;
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly manifest: PlannedDocument & { readonly document: Manifest };
  /** Both, to be published. */
  readonly files: readonly Publishable[];
  /** True if a current dump names it; otherwise only an archived one does. */
  readonly isCurrent: boolean;
}

/** Packages as dumps list them, in their order. */
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

/** Sources and target of packages. */
export interface Packing {
  readonly config: Pick<Config, 'url' | 'hash' | 'archives'>;
  readonly site: string;
  /** The repository that has previous versions, or undefined if there is none. */
  readonly repository: Repository | undefined;
  /** The folder to write into. */
  readonly staging: string;
}
