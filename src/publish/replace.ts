/** Replaces files of the site that are not ours, one after another. */

import { chmodSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WaitObserver } from '../progress.js';
import { say } from '../text/say.js';
import { countOf, explainFailure } from './failure.js';
import { takeLock } from './lock.js';

/**
 * Replaces files of the site, one after another, or makes them. Each is the old or the new one at any moment, whole, and
 * keeps its mode.
 *
 * @param files paths relative to the site, and the bytes that belong there; asked for one by one
 * @throws ResyncError `write-failed`, and whatever `files` throws; those replaced before stay
 */
export async function replaceFiles(
  site: string,
  files: AsyncIterable<{ readonly path: string; readonly content: Uint8Array }>,
  onWaiting: WaitObserver,
): Promise<void> {
  let replaced = 0;
  try {
    const lock = await takeLock(site, onWaiting);
    try {
      const file = join(lock.folder, 'edited');
      for await (const { path, content } of files) {
        const target = join(site, path);
        const mode = statSync(target, { throwIfNoEntry: false })?.mode;
        writeFileSync(file, content);
        if (mode !== undefined) chmodSync(file, mode & 0o7777);
        lock.confirm();
        renameSync(file, target);
        replaced++;
      }
    } finally {
      lock.release();
    }
  } catch (error) {
    const edited =
      replaced === 0 ? say`` : say`${countOf(replaced, 'file was', 'files were')} edited before that. `;
    throw explainFailure(site, error, say`${edited}The documents published before are still in place.`);
  }
}
