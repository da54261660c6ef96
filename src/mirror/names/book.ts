/** The names that are given away in a folder: a second URL that would need one gets another. Pure. */

import { FingerprintSet } from '../../base/columns/keys.js';
import { foldersAbove, foldPath, opaquePathOf, pathOf } from './path.js';

/**
 * Starts to note paths of files, and the room that they take.
 *
 * What is free may once in many million folders be said to be taken, as paths are kept by 64 bits of hash; never the reverse.
 */
export function startTakingPaths(paths: Iterable<string> = []) {
  const files = new FingerprintSet();
  const folders = new FingerprintSet();
  const add = (path: string) => {
    const folded = foldPath(path);
    files.add(folded);
    for (const folder of foldersAbove(folded)) folders.add(folder);
  };
  for (const path of paths) add(path);
  return {
    add,
    /** Whether a file can stand at a path beside all that were added. */
    isFree(path: string): boolean {
      const folded = foldPath(path);
      if (files.has(folded) || folders.has(folded)) return false;
      return !foldersAbove(folded).some((folder) => files.has(folder));
    },
  };
}

/**
 * Starts with the names that stay.
 *
 * @param base as in `pathOf`
 * @param given paths of files that are in the folder, and stay there
 */
export function startNames(base: string, given: Iterable<string>) {
  const taken = startTakingPaths(given);
  return {
    /** Gives a name to a URL that has none. */
    name(uri: string, type: string | undefined): string {
      let path = pathOf(uri, base, type);
      for (let attempt = 0; !taken.isFree(path); attempt++) path = opaquePathOf(uri, attempt);
      taken.add(path);
      return path;
    },
  };
}
