/** Which paths can be files side by side: none is a folder of another one, and every file system can hold each. Pure. */

import { foldersOf } from '../paths/folders.js';

/** Takes paths, one after another. */
export interface Claims {
  /** Whether a path can be a file beside those that were taken before. */
  readonly take: (path: string) => boolean;
}

/** Bytes of a name that common file systems hold. */
const NAME_BYTES = 255;

export function startClaims(): Claims {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    take(path) {
      const above = foldersOf(path);
      if (folders.has(path) || files.has(path) || above.some((folder) => files.has(folder))) return false;
      if (path.split('/').some((name) => countBytes(name) > NAME_BYTES)) return false;
      files.add(path);
      for (const folder of above) folders.add(folder);
      return true;
    },
  };
}

function countBytes(name: string): number {
  // A character of UTF-16 takes three bytes of UTF-8 at most.
  return name.length * 3 <= NAME_BYTES ? name.length : new TextEncoder().encode(name).length;
}
