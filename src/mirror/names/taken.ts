/** The paths that files of a copy have: a second URL that would need one of them gets another path. Pure. */

import { FingerprintSet } from '../../base/columns/keys.js';
import { foldersOf } from '../../paths/folders.js';
import { foldPath, opaquePathOf, pathOf } from './path.js';

/** Paths of files and folders, as 64-bit hashes: a rare collision makes a free path count as taken, never the reverse. */
export class TakenPaths {
  readonly #files = new FingerprintSet();
  readonly #folders = new FingerprintSet();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    const folded = foldPath(path);
    this.#files.add(folded);
    for (const folder of foldersOf(folded)) this.#folders.add(folder);
  }

  /** Tests whether a file can have a path, beside the files that were added. */
  isFree(path: string): boolean {
    const folded = foldPath(path);
    if (this.#files.has(folded) || this.#folders.has(folded)) return false;
    return !foldersOf(folded).some((folder) => this.#files.has(folder));
  }
}

/** Chooses paths for URLs, so that no two URLs get the same. */
export class PathChooser {
  readonly #base: string;
  readonly #taken: TakenPaths;

  /** @param base URL of the folder, as for `pathOf` @param taken paths of files that stay in the folder */
  constructor(base: string, taken: Iterable<string>) {
    this.#base = base;
    this.#taken = new TakenPaths(taken);
  }

  choose(uri: string, type: string | undefined): string {
    let path = pathOf(uri, this.#base, type);
    for (let attempt = 0; !this.#taken.isFree(path); attempt++) path = opaquePathOf(uri, attempt);
    this.#taken.add(path);
    return path;
  }
}
