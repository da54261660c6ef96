/** Replaces files of the site that are not ours, one after another. */

import { closeSync, fchmodSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { WaitObserver } from '../../base/progress.js';
import { say, type Words } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';
import { openTree } from '../held/tree.js';
import { explainFailure } from './failure.js';
import { takeLock } from './lock.js';
import { holdFor } from './ownership.js';

/** A file of the site, and the bytes that belong there. */
export interface FileEdit {
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * Replaces files of the site, one after another, or makes them. Each is the old or the new one at any moment, whole, and
 * keeps its mode.
 *
 * @param files asked for one by one
 * @returns how many there were
 * @throws ResyncError `write-failed`, and whatever `files` throws; those replaced before stay
 */
export async function replaceFiles(
  site: string,
  files: Iterable<FileEdit> | AsyncIterable<FileEdit>,
  onWaiting: WaitObserver,
): Promise<number> {
  let replaced = 0;
  try {
    const lock = await takeLock(site, onWaiting);
    const tree = openTree(lock.site);
    try {
      for await (const { path, content } of files) {
        const folder = holdFor(tree, site, dirname(path));
        const name = basename(path);
        writeInto(lock.staging.create(EDITED), content, folder.look(name)?.mode);
        lock.confirm();
        lock.staging.move(EDITED, folder, name);
        replaced++;
      }
      tree.confirm();
      return replaced;
    } finally {
      tree.close();
      lock.release();
    }
  } catch (error) {
    throw explainFailure(site, error, wordState(replaced));
  }
}

/** The file whose turn it is, before it is moved into place. */
const EDITED = 'edited';

function writeInto(file: number, content: Uint8Array, mode: number | undefined): void {
  try {
    writeFileSync(file, content);
    if (mode !== undefined) fchmodSync(file, mode & 0o7777);
  } finally {
    closeSync(file);
  }
}

function wordState(replaced: number): Words {
  const edited =
    replaced === 0 ? say`` : say`${formatCount(replaced, 'file was', 'files were')} edited before that. `;
  return say`${edited}The documents published before are still in place.`;
}
