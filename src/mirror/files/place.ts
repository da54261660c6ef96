/** What stands at a path of the folder, found without following any link in it. */

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { nameKind } from '../../paths/held/folder.js';
import type { Obstacle } from '../../paths/held/tree.js';

/** What stands at a path: nothing, a file, or something that keeps a file from being there. */
export type Standing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly length: number }
  /** A folder, a link, or a file where a folder is needed. */
  | ({ readonly kind: 'obstacle' } & Obstacle);

const NOTHING: Standing = { kind: 'nothing' };

/** Starts to look into a folder, for one stage of a run: what was seen of the folders in it is not looked at again. */
export function startLooking(folder: string): (path: string) => Standing {
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
    return { kind: 'obstacle', path, what: nameKind(found) };
  }

  return (path) => {
    const above = lookAtFolder(dirname(path));
    if (above !== undefined) return above;
    const found = lookAt(join(folder, path));
    if (found === undefined) return NOTHING;
    if (found.isFile()) return { kind: 'file', length: found.size };
    return { kind: 'obstacle', path, what: nameKind(found) };
  };
}

function lookAt(file: string) {
  // Above it may stand something that is no folder.
  return unlessRefused(() => lstatSync(file, { throwIfNoEntry: false }), 'ENOTDIR');
}
