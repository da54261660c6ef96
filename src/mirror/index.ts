/** The entry point `resync-static/mirror` of the package. Its types refer to none of Node's. */

import { resolveMirror } from './config.js';
import { mirrorSource } from './mirror.js';
import type { MirrorConfig } from './options.js';
import type { MirrorOptions, MirrorReport } from './report.js';

export { type ErrorCode, ResyncError } from '../base/errors.js';
export type { ContentKind } from '../files/page/kind.js';
export type { MirrorConfig } from './options.js';
export type { CompareReason } from './plan/reason.js';
export type {
  MirrorChange,
  MirroredSet,
  MirrorFailure,
  MirrorObserver,
  MirrorOptions,
  MirrorProgress,
  MirrorReport,
} from './report.js';

/**
 * Copies what a Source lists into a folder, or brings the copy up to date.
 *
 * Prints nothing. A resource that could not be fetched is in the report, and is not thrown as an error.
 *
 * @throws ResyncError `config-invalid`, `source-unreadable`, `signature-invalid`, `bound-reached`, `write-failed`,
 *   `not-ours`, `file-unreadable`
 */
export async function mirror(config: MirrorConfig, options: MirrorOptions = {}): Promise<MirrorReport> {
  return mirrorSource(resolveMirror(config), options);
}
