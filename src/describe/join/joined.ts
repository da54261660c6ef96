/** Sets that other builds describe. */

import type { Notice } from '../../base/notices.js';
import type { JoinedSums } from '../signature/sign.js';

/** Sets that other builds describe, as far as they could be read. */
export interface Joined {
  /** URLs of the Capability Lists that could be read, whatever is wrong with them. */
  readonly read: ReadonlySet<string>;
  /** URLs of the Resource Lists that they name. */
  readonly resourceLists: readonly string[];
  /** Sums and signatures of the sets whose Capability Lists could be read; empty if this build does not sign. */
  readonly signed: readonly JoinedSums[];
  readonly notices: readonly Notice[];
}

/** The value of a configuration without such sets. */
export const NO_JOINED: Joined = { read: new Set(), resourceLists: [], signed: [], notices: [] };
