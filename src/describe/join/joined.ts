/** What was read of the sets that other builds describe. */

import type { Notice } from '../../base/notices.js';
import type { JoinedSums } from '../signature/sign.js';

export interface Joined {
  /** URLs of the readable Capability Lists, even wrong ones. */
  readonly read: ReadonlySet<string>;
  /** URLs of the Resource Lists that these Capability Lists name. */
  readonly resourceLists: readonly string[];
  /** Sums and signatures of the readable sets; empty if this build does not sign. */
  readonly signed: readonly JoinedSums[];
  readonly notices: readonly Notice[];
}

export const NO_JOINED: Joined = { read: new Set(), resourceLists: [], signed: [], notices: [] };
