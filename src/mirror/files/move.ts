/** Does what a journal says: moves what is ready into place, then removes what is listed no more. Doing it twice does no harm. */

import { existsSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../../errors.js';
import { say } from '../../text/say.js';
import type { Line } from '../memory/format.js';
import { type Places, removeEmptyFolders, startLooking } from './place.js';

const BETWEEN_BREATHS = 1000;

/**
 * Does what the lines say, in their order.
 *
 * @param ready the folder of what is ready
 * @throws ResyncError `not-ours` where something has come into the way; the journal stays then, for the next run
 */
export async function doLines(
  folder: string,
  ready: string,
  lines: Iterable<Line>,
  observe: (done: number) => void,
): Promise<void> {
  let places = startLooking(folder);
  let done = 0;
  for (const line of lines) {
    if (line.kind === 'gone') {
      if (line.path !== undefined && remove(folder, line.path, places)) places = startLooking(folder);
    } else if (line.staged !== undefined) put(folder, join(ready, line.staged), line.kept.path, places);
    observe(++done);
    // The sign of life of the lock is given in between.
    if (done % BETWEEN_BREATHS === 0) await breathe();
  }
}

function put(folder: string, file: string, path: string, places: Places): void {
  const standing = places.prepare(path);
  if (standing.kind === 'obstacle' && existsSync(file)) {
    throw new ResyncError(
      'not-ours',
      say`${join(folder, standing.path)} is ${standing.what}, where a file of the mirror belongs.\nMove or rename it, and run again. Every file is whole, an old or a new one.`,
    );
  }
  try {
    renameSync(file, join(folder, path));
  } catch (error) {
    // Where it is gone, a run that was killed has moved it.
    if (systemErrorCode(error) === undefined || existsSync(file)) throw error;
  }
}

/** Removes a file; returns whether folders may have gone with it. */
function remove(folder: string, path: string, places: Places): boolean {
  if (places.look(path).kind !== 'file') return false;
  unlinkSync(join(folder, path));
  removeEmptyFolders(folder, path);
  return path.includes('/') && lstatSync(join(folder, path, '..'), { throwIfNoEntry: false }) === undefined;
}
