/** Folders below a held one, by their paths. Each is opened on demand and held while there is room. */

import { posix } from 'node:path';
import { systemErrorCode, unlessRefused } from '../../base/errors.js';
import { type HeldFolder, nameKind } from './folder.js';

export interface Obstacle {
  /** Relative to the top. */
  readonly path: string;
  readonly what: string;
}

/** A process may have some thousand files open. */
const MOST_HELD = 200;

/** Paths are relative to the top, with `/` between segments; `.` is the top. To be closed, whatever happens. */
export class Tree {
  readonly #top: HeldFolder;
  /** Least recently used first. */
  readonly #held = new Map<string, HeldFolder>();
  readonly #made = new Set<string>();

  constructor(top: HeldFolder) {
    this.#top = top;
  }

  /** @returns undefined if nothing is there */
  find(path: string): HeldFolder | Obstacle | undefined {
    if (path === '.') return this.#top;
    const known = this.#held.get(path);
    if (known !== undefined) {
      this.#held.delete(path);
      this.#held.set(path, known);
      return known;
    }
    const above = this.find(posix.dirname(path));
    if (above === undefined || isObstacle(above)) return above;
    return this.#hold(path, above);
  }

  make(path: string): HeldFolder | Obstacle {
    const found = this.find(path);
    if (found !== undefined) return found;
    const above = this.make(posix.dirname(path));
    if (isObstacle(above)) return above;
    const add = () => {
      above.makeFolder(posix.basename(path));
      this.#made.add(path);
    };
    // Another run, or somebody else, may just have made it.
    unlessRefused(add, 'EEXIST');
    return this.#hold(path, above) ?? this.make(path);
  }

  /** Returns whether the folder was made here, so that it has no files of others in it. */
  isNew(path: string): boolean {
    return this.#made.has(path);
  }

  /** Removes a folder if it is empty; returns whether it is gone. */
  removeEmpty(path: string): boolean {
    const above = this.find(posix.dirname(path));
    if (above === undefined || isObstacle(above)) return above === undefined;
    try {
      above.removeFolder(posix.basename(path));
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      // Otherwise it is not empty, or not to be removed.
      if (code !== 'ENOENT') return false;
    }
    this.#letGo(path);
    this.#made.delete(path);
    return true;
  }

  /** @throws ResyncError `write-failed` if a held folder is not in its place any more */
  confirm(): void {
    this.#top.confirm();
    for (const folder of this.#held.values()) folder.confirm();
  }

  /** Closes all folders but the top. */
  close(): void {
    for (const path of [...this.#held.keys()]) this.#letGo(path);
  }

  #hold(path: string, above: HeldFolder): HeldFolder | Obstacle | undefined {
    const name = posix.basename(path);
    const found = above.look(name);
    if (found === undefined) return undefined;
    if (!found.isDirectory()) return { path, what: nameKind(found) };
    this.#makeRoom();
    const folder = unlessRefused(() => above.hold(name), 'ENOTDIR', 'ENOENT');
    // Something else has come there since.
    if (folder === undefined) return this.#hold(path, above);
    this.#held.set(path, folder);
    return folder;
  }

  /** A folder that is let go was in its place all the time; one that is asked for again is looked at anew. */
  #makeRoom(): void {
    for (const [path, folder] of this.#held) {
      if (this.#held.size < MOST_HELD) return;
      this.#held.delete(path);
      this.#made.delete(path);
      try {
        folder.confirm();
      } finally {
        folder.close();
      }
    }
  }

  #letGo(path: string): void {
    this.#held.get(path)?.close();
    this.#held.delete(path);
  }
}

export function isObstacle(found: HeldFolder | Obstacle | undefined): found is Obstacle {
  return found !== undefined && 'what' in found;
}
