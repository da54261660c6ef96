/** What a thread is told about a package that it is to write, and what it tells afterwards. */

import type { Repository } from '../history/git/repository.js';
import { OWNER_MARK } from '../paths/ours.js';
import type { Bitstream } from '../plan/packages.js';
import type { HashAlgorithm } from '../resourcesync/model.js';

/** A package to write: all that a thread needs to know. */
export interface PackJob {
  /** The file to write. */
  readonly target: string;
  /** The file that is to be its `manifest.xml`. */
  readonly manifest: string;
  /** In the order in which they are to stand. */
  readonly bitstreams: readonly Bitstream[];
  /** The folder that files are relative to. */
  readonly site: string;
  /** Where blobs are; undefined when there are none. */
  readonly repository: Repository | undefined;
  /** Packages that may hold some of the bitstreams, compressed already; what is sound in them is taken as it is. */
  readonly former: readonly string[];
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
 * written anew, and nothing is taken from older ones.
 */
export const PACKAGE_COMMENT = `Packing 2. ${OWNER_MARK}`;

/** Stands first in a package (§11). */
export const MANIFEST = 'manifest.xml';
