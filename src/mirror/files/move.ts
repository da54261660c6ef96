/** Does what a journal says: moves what is ready into place, then removes what is listed no more. Doing it twice does no harm. */

import { basename, dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { nameKind } from '../../paths/held/kinds.js';
import { isObstacle, type Obstacle, openTree, type Tree } from '../../paths/held/tree.js';
import type { Line } from '../memory/format.js';
import { foldersAbove } from '../names/path.js';

const BETWEEN_BREATHS = 1000;

/** Where files move. */
export interface Moving {
  /** The folder. */
  readonly copy: HeldFolder;
  /** What is ready. */
  readonly ready: HeldFolder;
}

type FileLine = Extract<Line, { kind: 'file' }>;

/**
 * Does what the lines say, in their order.
 *
 * @returns whether all is where it belongs: of a run that was killed, somebody may have taken files away since
 * @throws ResyncError `not-ours` where something has come into the way, `write-failed` where a folder was replaced; the
 *   journal stays then, for the next run
 */
export async function doLines(
  { copy, ready }: Moving,
  lines: Iterable<Line>,
  observe: (done: number) => void,
): Promise<boolean> {
  const tree = openTree(copy);
  /** Paths at which files of ours stand whose place is taken now. */
  const taken = new Set<string>();
  let isWhole = true;
  let done = 0;
  try {
    for (const line of lines) {
      if (line.kind === 'gone') {
        if (line.isTaken) taken.add(line.path);
        else remove(tree, line.path);
      } else if (line.staged !== undefined) {
        const mayReplace = line.change !== 'created' || taken.has(line.kept.path);
        isWhole = put({ tree, copy, ready, mayReplace }, line, line.staged) && isWhole;
      }
      observe(++done);
      // The sign of life of the lock is given in between.
      if (done % BETWEEN_BREATHS === 0) await breathe();
    }
    tree.confirm();
    return isWhole;
  } finally {
    tree.close();
  }
}

interface Putting extends Moving {
  readonly tree: Tree;
  /** Whether a file that stands there is ours. */
  readonly mayReplace: boolean;
}

/** Moves a file into place; where it is gone, tells whether a run that was killed has moved it. */
function put({ tree, copy, ready, mayReplace }: Putting, { kept }: FileLine, staged: string): boolean {
  const { path, length } = kept;
  const above = dirname(path);
  const name = basename(path);
  const folder = tree.make(above);
  const obstacle = isObstacle(folder) || tree.isNew(above) ? folder : lookFor(folder, path, mayReplace);
  if (isObstacle(obstacle) && ready.look(staged) !== undefined) {
    throw new ResyncError(
      'not-ours',
      say`${join(copy.path, obstacle.path)} is ${obstacle.what}, where a file of the mirror belongs.\nMove or rename it, and run again. Every file is whole, an old or a new one.`,
    );
  }
  if (isObstacle(folder)) return false;
  try {
    ready.move(staged, folder, name);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined || ready.look(staged) !== undefined) throw error;
    const found = folder.look(name);
    return found?.isFile() === true && found.size === length;
  }
}

function lookFor(folder: HeldFolder, path: string, mayReplace: boolean): Obstacle | undefined {
  const found = folder.look(basename(path));
  if (found === undefined || (found.isFile() && mayReplace)) return undefined;
  return { path, what: found.isFile() ? 'a file that is not ours' : nameKind(found) };
}

/** Removes a file, and the folders that are empty then. */
function remove(tree: Tree, path: string): void {
  const folder = tree.find(dirname(path));
  if (folder === undefined || isObstacle(folder) || folder.look(basename(path))?.isFile() !== true) return;
  folder.remove(basename(path));
  for (const above of foldersAbove(path).reverse()) if (!tree.removeEmpty(above)) return;
}
