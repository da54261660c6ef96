/** Finds the folders around a site in which git may keep a repository, without loading what runs git. */

import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { listAround } from '../base/folders.js';

/** Lists the folders around a folder that hold a folder or a file `.git`, the nearest first. Only git knows whether that is a repository. */
export function listWorkTrees(folder: string): string[] {
  return listAround(realpathSync.native(folder)).filter((root) => existsSync(join(root, '.git')));
}
