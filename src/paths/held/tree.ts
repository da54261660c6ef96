/** The folders below one that is held, by their paths: each is held from when it is asked for, as long as there is room. */

import { posix } from 'node:path';
import { systemErrorCode, unlessRefused } from '../../base/errors.js';
import { type HeldFolder, nameKind } from './folder.js';

/** Something else than a folder is at the path of a folder. */
export interface Obstacle {
  /** Relative to the top. */
  readonly path: string;
  readonly what: string;
}

/** Paths are relative to the top, with `/` between segments; `.` is the top. */
export interface Tree {
  /** Undefined if nothing is there. */
  readonly find: (path: string) => HeldFolder | Obstacle | undefined;
  /** Makes it and those above it, where there is nothing. */
  readonly make: (path: string) => HeldFolder | Obstacle;
  /** True if the folder was made here, so that it has no files of others in it. */
  readonly isNew: (path: string) => boolean;
  /** Removes a folder that is empty; returns whether it is gone. */
  readonly removeEmpty: (path: string) => boolean;
  /** @throws ResyncError `write-failed` where one of those that are held is not in its place any more */
  readonly confirm: () => void;
  /** The top stays held. */
  readonly close: () => void;
}

/** A process may have some thousand files open. */
const MOST_HELD = 200;

/** Opens the folders below one. To be closed, whatever happens. */
export function openTree(top: HeldFolder): Tree {
  /** In the order of their last use. */
  const held = new Map<string, HeldFolder>();
  const made = new Set<string>();

  function find(path: string): HeldFolder | Obstacle | undefined {
    if (path === '.') return top;
    const known = held.get(path);
    if (known !== undefined) {
      held.delete(path);
      held.set(path, known);
      return known;
    }
    const above = find(posix.dirname(path));
    if (above === undefined || isObstacle(above)) return above;
    return hold(path, above);
  }

  function hold(path: string, above: HeldFolder): HeldFolder | Obstacle | undefined {
    const name = posix.basename(path);
    const found = above.look(name);
    if (found === undefined) return undefined;
    if (!found.isDirectory()) return { path, what: nameKind(found) };
    makeRoom();
    const folder = unlessRefused(() => above.hold(name), 'ENOTDIR', 'ENOENT');
    // Something else has come there since.
    if (folder === undefined) return hold(path, above);
    held.set(path, folder);
    return folder;
  }

  /** A folder that is let go was in its place all the time; one that is asked for again is looked at anew. */
  function makeRoom(): void {
    for (const [path, folder] of held) {
      if (held.size < MOST_HELD) return;
      held.delete(path);
      made.delete(path);
      try {
        folder.confirm();
      } finally {
        folder.close();
      }
    }
  }

  function make(path: string): HeldFolder | Obstacle {
    const found = find(path);
    if (found !== undefined) return found;
    const above = make(posix.dirname(path));
    if (isObstacle(above)) return above;
    const add = () => {
      above.makeFolder(posix.basename(path));
      made.add(path);
    };
    // Another run, or somebody else, may just have made it.
    unlessRefused(add, 'EEXIST');
    return hold(path, above) ?? make(path);
  }

  function letGo(path: string): void {
    held.get(path)?.close();
    held.delete(path);
  }

  return {
    find,
    make,
    isNew: (path) => made.has(path),
    removeEmpty(path) {
      const above = find(posix.dirname(path));
      if (above === undefined || isObstacle(above)) return above === undefined;
      try {
        above.removeFolder(posix.basename(path));
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        // Otherwise it is not empty, or not to be removed.
        if (code !== 'ENOENT') return false;
      }
      letGo(path);
      made.delete(path);
      return true;
    },
    confirm() {
      top.confirm();
      for (const folder of held.values()) folder.confirm();
    },
    close() {
      for (const path of [...held.keys()]) letGo(path);
    },
  };
}

/** Returns whether a lookup found an obstacle. */
export function isObstacle(found: HeldFolder | Obstacle | undefined): found is Obstacle {
  return found !== undefined && 'what' in found;
}
