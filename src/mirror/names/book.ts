/** The names that are given away in a folder: a second URL that would need one gets another. Pure. */

import { foldersAbove, foldPath, opaquePathOf, pathOf } from './path.js';

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
  const files = new Set<string>();
  const folders = new Set<string>();
  const add = (path: string) => {
    const folded = foldPath(path);
    files.add(folded);
    for (const folder of foldersAbove(folded)) folders.add(folder);
  };
  const isFree = (path: string) => {
    const folded = foldPath(path);
    if (files.has(folded) || folders.has(folded)) return false;
    return !foldersAbove(folded).some((folder) => files.has(folder));
  };
  for (const path of given) add(path);
  return {
    name(uri, type) {
      let path = pathOf(uri, base, type);
      for (let attempt = 0; !isFree(path); attempt++) path = opaquePathOf(uri, attempt);
      add(path);
      return path;
    },
  };
}
