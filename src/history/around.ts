/** Finds the folders around a site in which git may keep a repository, without loading what runs git. */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder and those around it, the nearest first. */
export function listAround(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listAround(parent)];
}

/** Those that hold a folder or a file `.git`: whether that is a repository, git knows. */
export function listWorkTrees(folder: string): string[] {
  return listAround(realpathSync.native(folder)).filter((root) => existsSync(join(root, '.git')));
}
