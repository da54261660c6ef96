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
  /** Makes the folders above a path. */
  readonly makeFolders: (path: string) => void;
}

/** Starts to look into a folder, for one stage of a run: what was seen of the folders in it is not looked at again. */
export function startLooking(folder: string): Places {
  const seen = new Set<string>(['.']);
  const absent = new Set<string>();

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

  return {
    look(path) {
      const above = lookAtFolder(dirname(path));
      if (above !== undefined) return above;
      const found = lookAt(join(folder, path));
      if (found === undefined) return NOTHING;
      if (found.isFile()) return { kind: 'file', length: found.size };
      return { kind: 'obstacle', path, what: found.isDirectory() ? 'a folder' : 'a link' };
    },
    makeFolders(path) {
      const above = dirname(path);
      if (seen.has(above)) return;
      mkdirSync(join(folder, above), { recursive: true });
      for (const made of foldersAbove(path)) {
        seen.add(made);
        absent.delete(made);
      }
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
