/** Types for the sums of the documents of a run, and for their signatures. */

import type { Notice } from '../../base/notices.js';
import type { SshKey } from '../../standard/signature.js';
import type { NewDocument } from '../document.js';

export interface SignatureReport extends Pick<SshKey, 'type' | 'fingerprint'> {
  /** The public key, as in `.pub` files. */
  readonly key: string;
}

export interface Seal {
  /** Each signature follows its sums. */
  readonly documents: readonly NewDocument[];
  /** Paths of outdated sums and signatures. */
  readonly removed: readonly string[];
  /** The key that signed the sums; undefined if nothing is signed. */
  readonly signature: SignatureReport | undefined;
  readonly notices: readonly Notice[];
}

export const NO_SEAL: Seal = { documents: [], removed: [], signature: undefined, notices: [] };
