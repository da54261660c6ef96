/** Data about the sets that other builds describe: URLs of their lists, sums and signatures. */

import type { Notice } from '../../base/notices.js';
import type { JoinedSet } from '../../config/config.js';

/** A set of another build, with its sums and their signature. */
export interface JoinedSums extends Pick<JoinedSet, 'name' | 'uri'> {
  readonly sums: Buffer | undefined;
  readonly signature: Buffer | undefined;
}

export interface Joined {
  /** URLs of the Capability Lists that could be read, even if their contents are wrong. */
  readonly read: ReadonlySet<string>;
  /** URLs of the Resource Lists that the Capability Lists of other builds name. */
  readonly resourceLists: readonly string[];
  /** Sums and signatures of the readable sets; empty if this build does not sign. */
  readonly signed: readonly JoinedSums[];
  readonly notices: readonly Notice[];
}

export const NO_JOINED: Joined = { read: new Set(), resourceLists: [], signed: [], notices: [] };
