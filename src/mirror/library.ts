/** `mirror` for users of the library: apart from the rest, so that its types need none of Node's. */

import { resolveMirror } from './config.js';
import { mirrorSource } from './mirror.js';
import type { MirrorConfig } from './options.js';
import type { MirrorOptions, MirrorReport } from './report.js';

/**
 * Copies what a Source lists into a folder, or brings the copy up to date.
 *
 * Prints nothing. What could not be had is in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `source-unreadable`, `bound-reached`, `write-failed`, `not-ours`,
 *   `file-unreadable`
 */
export async function mirror(config: MirrorConfig, options: MirrorOptions = {}): Promise<MirrorReport> {
  return mirrorSource(resolveMirror(config), options);
}
