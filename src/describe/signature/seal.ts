/** Types for the sums of the documents of a run, and for their signatures. */

import type { Notice } from '../../base/notices.js';
import type { Publishable } from '../../paths/hold/files.js';
import type { SshKey } from '../../standard/signature.js';

export interface SignatureReport extends Pick<SshKey, 'type' | 'fingerprint'> {
  /** The public key, as in `.pub` files. */
  readonly key: string;
}

export interface SealFile {
  readonly path: string;
  readonly uri: string;
  readonly kind: 'sums' | 'signature';
  /** Number of lines in the sums, or of signatures. */
  readonly entries: number;
  readonly publishable: Publishable;
}

export interface Seal {
  /** Files to publish; each signature follows its sums. */
  readonly files: readonly SealFile[];
  /** The key that signed the sums; undefined if nothing is signed. */
  readonly signature: SignatureReport | undefined;
  readonly notices: readonly Notice[];
}

export const NO_SEAL: Seal = { files: [], signature: undefined, notices: [] };
