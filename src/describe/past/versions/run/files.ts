/** The files of versions that stand in a site: which are ours, and which are right. */

import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { foldersOf } from '../../../../paths/folders.js';
import { readIfThere } from '../../../../paths/hold/files.js';
import { isOurs, refuseForeign } from '../../../../paths/hold/ownership.js';
import { VERSIONS_INVENTORY } from '../../../../paths/ours.js';
import { type Inventory, readInventory } from '../inventory.js';

/** What stands in the site of former runs. */
export interface FormerFiles {
  readonly inventory: Inventory;
  /**
   * Whether a file has these bytes already.
   *
   * @throws ResyncError `not-ours` where something else stands there that we did not write
   */
  readonly stands: (path: string, wanted: { readonly sha256: string; readonly length: number }) => boolean;
  /**
   * Whether something of ours that leaves is in the way: a file where a folder belongs, or the other way round. It cannot
   * go before the lists that link to it, so what is to come waits until it is gone.
   */
  readonly isBlocked: (path: string) => boolean;
  /** Whether anything was found to be blocked, and waits. */
  readonly hasBlocked: () => boolean;
  /** Whether something of ours stands there. */
  readonly isOwn: (path: string) => boolean;
}

export function readFormerFiles(site: string): FormerFiles {
  const file = join(site, VERSIONS_INVENTORY);
  const text = isOurs(file) ? readIfThere(file) : undefined;
  const inventory = readInventory(text ?? '');
  const written = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const folders = new Map<string, boolean>();
  /** No link on the way leads elsewhere. */
  const isInside = (path: string) =>
    foldersOf(path).every((folder) => {
      const known =
        folders.get(folder) ??
        lstatSync(join(site, folder), { throwIfNoEntry: false })?.isDirectory() === true;
      folders.set(folder, known);
      return known;
    });
  const find = (path: string) =>
    isInside(path) ? lstatSync(join(site, path), { throwIfNoEntry: false }) : undefined;
  const own = new Set([...inventory.keys()].flatMap(foldersOf));
  let hasBlocked = false;
  return {
    inventory,
    hasBlocked: () => hasBlocked,
    stands(path, { sha256, length }) {
      // Where a link leads elsewhere, nothing is written there: that is found out before.
      const found = lstatSync(join(site, path), { throwIfNoEntry: false });
      if (found === undefined) return false;
      const listed = inventory.get(path) ?? [];
      const only = listed.length === 1 ? listed[0] : undefined;
      // One that is newer than the inventory may have been changed since.
      if (found.isFile() && only === sha256 && found.size === length && found.mtimeMs <= written) return true;
      const digest = found.isFile() ? digestFile(join(site, path)) : '';
      if (digest !== sha256 && !listed.includes(digest)) throw refuseForeign(join(site, path));
      return digest === sha256;
    },
    isBlocked(path) {
      const isBlocked =
        (own.has(path) && find(path)?.isDirectory() === true) ||
        foldersOf(path).some((folder) => inventory.has(folder) && find(folder)?.isFile() === true);
      hasBlocked ||= isBlocked;
      return isBlocked;
    },
    isOwn(path) {
      const listed = inventory.get(path) ?? [];
      return find(path)?.isFile() === true && listed.includes(digestFile(join(site, path)));
    },
  };
}

const READ_BYTES = 256 * 1024;

function digestFile(file: string): string {
  const digest = createHash('sha256');
  const handle = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(READ_BYTES);
    for (let count = readSync(handle, piece); count > 0; count = readSync(handle, piece)) {
      digest.update(piece.subarray(0, count));
    }
  } finally {
    closeSync(handle);
  }
  return digest.digest('hex');
}
