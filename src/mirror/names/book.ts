/** The names that are given away in a folder: a second URL that would need one gets another. Pure. */

import { startSeeing } from '../../base/columns/keys.js';
import { foldersAbove, foldPath, opaquePathOf, pathOf } from './path.js';

/** Paths of files, and the room that they take. */
export interface TakenPaths {
  readonly add: (path: string) => void;
  /** Whether a file can stand at a path beside all that were added. */
  readonly isFree: (path: string) => boolean;
}

/** What is free may once in many million folders be said to be taken, as paths are kept by 64 bits of hash; never the reverse. */
export function startTakingPaths(paths: Iterable<string> = []): TakenPaths {
  const files = startSeeing();
  const folders = startSeeing();
  const add = (path: string) => {
    const folded = foldPath(path);
    files.add(folded);
    for (const folder of foldersAbove(folded)) folders.add(folder);
  };
  for (const path of paths) add(path);
  return {
    add,
    isFree(path) {
      const folded = foldPath(path);
      if (files.has(folded) || folders.has(folded)) return false;
      return !foldersAbove(folded).some(files.has);
    },
  };
}

/** The names that are given away. */
export interface NameBook {
  /** Gives a name to a URL that has none. */
  readonly name: (uri: string, type: string | undefined) => string;
}

/**
 * Starts with the names that stay.
 *
 * @param base as in `pathOf`
 * @param given paths of files that are in the folder, and stay there
 */
export function startNames(base: string, given: Iterable<string>): NameBook {
  const taken = startTakingPaths(given);
  return {
    name(uri, type) {
      let path = pathOf(uri, base, type);
      for (let attempt = 0; !taken.isFree(path); attempt++) path = opaquePathOf(uri, attempt);
      taken.add(path);
      return path;
    },
  };
}
