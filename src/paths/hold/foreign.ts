/** Refuses to write where somebody else's files and folders are in the places of documents. */

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { listFolders } from '../folders.js';
import { type HeldFolder, nameKind } from '../held/folder.js';
import { refuseFolder } from '../held/own.js';
import { isObstacle, type Tree } from '../held/tree.js';
import { isOurs } from './ownership.js';

/** Refuses targets in whose place somebody else has a file or folder, before any write. @param owned targets known as ours or missing */
export function refuseForeignFiles(
  site: string,
  targets: readonly string[],
  owned: ReadonlySet<string> = new Set(),
): void {
  const missing = new Set<string>();
  for (const folder of listFolders(targets)) {
    const isBelow = missing.has(dirname(folder));
    const entry = isBelow ? undefined : lstatSync(join(site, folder), { throwIfNoEntry: false });
    if (entry === undefined) missing.add(folder);
    else if (!entry.isDirectory()) throw refuseFolder(join(site, folder), nameKind(entry));
  }
  for (const path of targets) {
    const file = join(site, path);
    if (owned.has(path) || lstatSync(file, { throwIfNoEntry: false }) === undefined || isOurs(file)) continue;
    throw refuseForeign(file);
  }
}

/** Holds a folder of the site, and makes it if it is missing. @throws ResyncError `not-ours` if something else is there */
export function holdFor(tree: Tree, site: string, path: string): HeldFolder {
  const folder = tree.make(path);
  if (isObstacle(folder)) throw refuseFolder(join(site, folder.path), folder.what);
  return folder;
}

export function refuseForeign(file: string): ResyncError {
  return new ResyncError(
    'not-ours',
    say`${file} was not written by resync-static, and is not overwritten.\nMove or remove it; nothing has been written.`,
  );
}
