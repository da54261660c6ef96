/** What stands at a path of the folder, found without following any link in it. */

import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../errors.js';
import { foldersAbove } from '../names/path.js';

/** What stands at a path: nothing, a file, or something that keeps a file from being there. */
export type Standing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly length: number }
  /** A folder, a link, or a file where a folder is needed; its path is relative to the folder. */
  | { readonly kind: 'obstacle'; readonly path: string; readonly what: 'a link' | 'a folder' | 'a file' };

const NOTHING: Standing = { kind: 'nothing' };

export interface Places {
  readonly look: (path: string) => Standing;
  /** Makes the folders above a path, and tells what then stands there. */
  readonly prepare: (path: string) => Standing;
}

/** Starts to look into a folder, for one stage of a run: what was seen of the folders in it is not looked at again. */
export function startLooking(folder: string): Places {
  const seen = new Set<string>(['.']);
  const absent = new Set<string>();
  /** Made here: only what we put there is in them. */
  const made = new Set<string>();

  /** Undefined where it is a folder. */
  function lookAtFolder(path: string): Standing | undefined {
    if (seen.has(path)) return undefined;
    if (absent.has(path)) return NOTHING;
    const above = lookAtFolder(dirname(path));
    if (above !== undefined) return above;
    const found = lookAt(join(folder, path));
    if (found === undefined) {
      absent.add(path);
      return NOTHING;
    }
    if (found.isDirectory()) {
      seen.add(path);
      return undefined;
    }
    return { kind: 'obstacle', path, what: found.isSymbolicLink() ? 'a link' : 'a file' };
  }

  function look(path: string): Standing {
    const above = lookAtFolder(dirname(path));
    if (above !== undefined) return above;
    const found = lookAt(join(folder, path));
    if (found === undefined) return NOTHING;
    if (found.isFile()) return { kind: 'file', length: found.size };
    return { kind: 'obstacle', path, what: found.isDirectory() ? 'a folder' : 'a link' };
  }

  /** Undefined where it is a folder now. */
  function makeFolder(path: string): Standing | undefined {
    if (seen.has(path)) return undefined;
    try {
      mkdirSync(join(folder, path));
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
      absent.delete(path);
      return lookAtFolder(path);
    }
    seen.add(path);
    made.add(path);
    return undefined;
  }

  return {
    look,
    prepare(path) {
      for (const above of foldersAbove(path)) {
        const standing = makeFolder(above);
        if (standing !== undefined) return standing;
      }
      return made.has(dirname(path)) ? NOTHING : look(path);
    },
  };
}

function lookAt(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // Above it stands something that is no folder.
    if (systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Removes the folders above a path that are empty. */
export function removeEmptyFolders(folder: string, path: string): void {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    try {
      rmdirSync(join(folder, above));
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      // Not empty, or gone, or not to be removed: then nor are those above.
      if (code !== 'ENOENT') return;
    }
  }
}
