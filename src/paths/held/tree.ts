/** Folders below a held one, by their paths. Each is opened on demand and held while there is room. */

import { posix } from 'node:path';
import { systemErrorCode, unlessRefused } from '../../base/errors.js';
import { type HeldFolder, nameKind } from './folder.js';

export interface Obstacle {
  /** Path of the obstacle, relative to the top of the tree. */
  readonly path: string;
  readonly what: string;
}

/** Limit of folders that a tree holds at once: a process may have some thousand files open. */
const MOST_HELD = 200;

/** A held folder and those below it. Paths are relative to it, with `/`; `.` is the folder itself. Must be closed in any case. */
export class Tree {
  readonly #top: HeldFolder;
  /** Held folders by path, the least recently used first. */
  readonly #held = new Map<string, HeldFolder>();
  readonly #made = new Set<string>();

  constructor(top: HeldFolder) {
    this.#top = top;
  }

  /** Finds a folder, or the obstacle on the way to it. @returns undefined if neither exists */
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
    // Another run, or somebody else, may just have made the folder.
    unlessRefused(add, 'EEXIST');
    return this.#hold(path, above) ?? this.make(path);
  }

  /** Returns whether this tree has made a folder, so that it can hold nobody else's files. */
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
      // After other errors than ENOENT, the folder is still there: it is not empty, or may not be removed.
      if (code !== 'ENOENT') return false;
    }
    this.#letGo(path);
    this.#made.delete(path);
    return true;
  }

  /** Checks that all held folders are in their places. @throws ResyncError `write-failed` if one is not */
  confirm(): void {
    this.#top.confirm();
    for (const folder of this.#held.values()) folder.confirm();
  }

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
    // The entry was removed or replaced since `look`.
    if (folder === undefined) return this.#hold(path, above);
    this.#held.set(path, folder);
    return folder;
  }

  /** Closes the least recently used folders, after a check that each is in its place. They are opened anew when they are needed. */
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
