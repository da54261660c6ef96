/** The names that Linux has for what a process holds, and the paths that people know instead. */

import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode, unlessRefused } from '../../base/errors.js';

/** Where Linux has what a process holds. */
export const DESCRIPTORS = '/proc/self/fd';

/** The path of something in a held folder, as long as that is held; any other path as it is. */
export function namePath(path: string): string {
  if (!path.startsWith(`${DESCRIPTORS}/`)) return path;
  const [held = '', rest = ''] = path.slice(DESCRIPTORS.length + 1).split(/\/(.*)/s);
  const folder = unlessRefused(() => readlinkSync(`${DESCRIPTORS}/${held}`));
  // Linux says so of what is gone.
  return join(folder?.replace(/ \(deleted\)$/, '') ?? path, rest);
}

/** Does something in held folders; what the system refuses is told with paths that people know. */
export function nameRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) !== undefined) {
      const refused = error as NodeJS.ErrnoException & { dest?: string };
      if (refused.path !== undefined) refused.path = namePath(refused.path);
      if (refused.dest !== undefined) refused.dest = namePath(refused.dest);
    }
    throw error;
  }
}
