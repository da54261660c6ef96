/** Returns what is at a path of the copy, without following links. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { foldersOf } from '../../paths/folders.js';
import { nameKind } from '../../paths/held/folder.js';
import type { Obstacle } from '../../paths/held/tree.js';

export type Occupant =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly length: number }
  /** A folder or link at the path, or a file or link where a folder above it is needed. */
  | ({ readonly kind: 'obstacle' } & Obstacle);

export function lookAt(folder: string, path: string): Occupant {
  // Looks from the top down: nothing below a link or a file counts.
  for (const one of [...foldersOf(path), path]) {
    const look = () => lstatSync(join(folder, one), { throwIfNoEntry: false });
    // ENOTDIR: a folder above has become a file meanwhile.
    const found = unlessRefused(look, 'ENOTDIR');
    if (found === undefined) return { kind: 'nothing' };
    if (one === path && found.isFile()) return { kind: 'file', length: found.size };
    if (one === path || !found.isDirectory()) return { kind: 'obstacle', path: one, what: nameKind(found) };
  }
  return { kind: 'nothing' };
}
