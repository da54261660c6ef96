/** Replaces files of the site that somebody else wrote, one after another. */

import { basename, dirname, join } from 'node:path';
import type { WaitObserver } from '../../base/progress.js';
import { say, type Words } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';
import { Tree } from '../held/tree.js';
import { explainFailure } from './failure.js';
import { stateOfFile, writeDocument } from './files.js';
import { holdFor } from './foreign.js';
import { takeLock } from './lock.js';

export interface FileEdit {
  readonly path: string;
  readonly content: Uint8Array;
  /** The previous state of the file, to which the edit applies. @default any state */
  readonly state?: string | undefined;
}

interface Replaced {
  readonly replaced: readonly string[];
  /** Files that somebody has changed since `state` was read: they stay as they are. */
  readonly left: readonly string[];
}

/**
 * Replaces or makes files of the site one by one, each atomically; owner and mode stay.
 * @param files read lazily @throws ResyncError `write-failed`, and errors of `files`; files that were replaced before stay so
 */
export async function replaceFiles(
  site: string,
  files: Iterable<FileEdit> | AsyncIterable<FileEdit>,
  onWaiting: WaitObserver,
): Promise<Replaced> {
  const [replaced, left]: [string[], string[]] = [[], []];
  try {
    const lock = await takeLock(site, onWaiting);
    const tree = new Tree(lock.site);
    try {
      for await (const { path, content, state } of files) {
        const folder = holdFor(tree, site, dirname(path));
        const name = basename(path);
        writeDocument([content], lock.staging.at(EDITED), folder.look(name));
        lock.confirm();
        if (state === undefined || state === stateOfFile(join(site, path))) {
          lock.staging.move(EDITED, folder, name);
          replaced.push(path);
        } else {
          lock.staging.remove(EDITED);
          left.push(path);
        }
      }
      tree.confirm();
      return { replaced, left };
    } finally {
      tree.close();
      lock.release();
    }
  } catch (error) {
    throw explainFailure(site, error, wordState(replaced.length));
  }
}

const EDITED = 'edited';

function wordState(replaced: number): Words {
  const edited =
    replaced === 0 ? say`` : say`${formatCount(replaced, 'file was', 'files were')} edited before that. `;
  return say`${edited}The documents published before are still in place.`;
}
