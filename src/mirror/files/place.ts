/** What stands at a path of the folder, found without following any link in it. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { nameKind } from '../../paths/held/folder.js';
import type { Obstacle } from '../../paths/held/tree.js';
import { foldersAbove } from '../names/path.js';

/** What stands at a path: nothing, a file, or something that keeps a file from being there. */
export type Standing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly length: number }
  /** A folder, a link, or a file where a folder is needed. */
  | ({ readonly kind: 'obstacle' } & Obstacle);

export function lookAt(folder: string, path: string): Standing {
  // From the top down, so that nothing is looked for below a link or a file.
  for (const one of [...foldersAbove(path), path]) {
    const look = () => lstatSync(join(folder, one), { throwIfNoEntry: false });
    // A folder above may have been replaced in between.
    const found = unlessRefused(look, 'ENOTDIR');
    if (found === undefined) return { kind: 'nothing' };
    if (one === path && found.isFile()) return { kind: 'file', length: found.size };
    if (one === path || !found.isDirectory()) return { kind: 'obstacle', path: one, what: nameKind(found) };
  }
  return { kind: 'nothing' };
}
