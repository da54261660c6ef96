/** Carries out a journal, now or in a later run, and tells the next program of the changes. */

import { basename, dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { type HeldFolder, nameKind } from '../../paths/held/folder.js';
import { isObstacle, type Obstacle, openTree, type Tree } from '../../paths/held/tree.js';
import type { MirrorHead } from '../memory/format.js';
import {
  closeJournal,
  compact,
  dropJournal,
  hasJournal,
  holdReady,
  type Journal,
  readJournal,
  writeJournal,
} from '../memory/journal.js';
import { isSealed, sealMemory, unsealMemory } from '../memory/seal.js';
import { countStates, readFiles } from '../memory/state.js';
import { foldersAbove } from '../names/path.js';
import type { Kept } from '../plan/model.js';
import { listFiles } from '../plan/settle.js';
import type { MirrorObserver } from '../report.js';
import { appendChanges, tellLine } from './changes.js';
import type { Session, Store } from './session.js';

/** What carrying out a journal needs of a session. */
interface Carrier {
  readonly store: Pick<Store, 'copy' | 'memory'>;
  /** File that gets the changes; never one that a journal names. */
  readonly changes: string | undefined;
  readonly observe: MirrorObserver;
}

/**
 * Does what a run left undone that was killed after it had written its journal. One that was not written here is
 * dropped: nothing of it has been done.
 *
 * @param check throws where the journal is one of another Source
 */
export async function finishJournal(carrier: Carrier, check: (head: MirrorHead) => void): Promise<void> {
  const { memory } = carrier.store;
  if (!hasJournal(memory)) return;
  const journal = isSealed(memory) ? readJournal(memory) : undefined;
  if (journal === undefined) return dropJournal(memory);
  check(journal.head);
  if (await carryOut(carrier, journal)) sealMemory(memory);
  else unsealMemory(memory);
}

/**
 * Does what a journal says; doing it twice does no harm.
 *
 * @param isFirst whether other files that are ready stay so, for another journal of the same run
 * @returns whether all is where it belongs: otherwise the memory has to be confirmed
 */
async function carryOut(carrier: Carrier, { head, lines }: Journal, isFirst = false): Promise<boolean> {
  const { changes, store } = carrier;
  const { memory } = store;
  const ready = holdReady(memory);
  let isWhole: boolean;
  try {
    const texts: string[] = [];
    isWhole = await doLines(carrier, ready, lines, changes === undefined ? undefined : texts);
    if (changes !== undefined) appendChanges(changes, texts.join(''));
  } finally {
    ready.close();
  }
  closeJournal(memory, head, isFirst);
  return isWhole;
}

const BETWEEN_BREATHS = 1000;

/**
 * Does what the lines say, in their order.
 *
 * @param told gets a line for each file that changed, in what it is now: one that changed several times has one
 * @returns whether all is where it belongs: of a run that was killed, somebody may have taken files away since
 * @throws ResyncError `not-ours` where something has come into the way, `write-failed` where a folder was replaced; the
 *   journal stays then, for the next run
 */
async function doLines(
  { store: { copy }, observe }: Carrier,
  ready: HeldFolder,
  lines: Journal['lines'],
  told: string[] | undefined,
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
        const { change, kept, staged } = line;
        const mayReplace = change !== 'created' || taken.has(kept.path);
        isWhole = put({ tree, copy, ready }, kept, staged, mayReplace) && isWhole;
      }
      const change = told && tellLine(line);
      if (change !== undefined) told?.push(`${JSON.stringify(change)}\n`);
      observe({ stage: 'moves', done: ++done, total: lines.length });
      // The sign of life of the lock is given in between.
      if (done % BETWEEN_BREATHS === 0) await breathe();
    }
    tree.confirm();
    return isWhole;
  } finally {
    tree.close();
  }
}

/**
 * Moves a file into place; where it is gone, tells whether a run that was killed has moved it.
 *
 * @param mayReplace whether a file that stands there is ours
 */
function put(
  { tree, copy, ready }: { readonly tree: Tree; readonly copy: HeldFolder; readonly ready: HeldFolder },
  { path, length }: Kept,
  staged: string,
  mayReplace: boolean,
): boolean {
  const [above, name] = [dirname(path), basename(path)];
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

/** So many files of memory are put together into one. */
const MOST_STATES = 20;

/**
 * Writes the journal, carries it out, and makes it part of the memory.
 *
 * @param isFirst as for `carryOut`
 */
export async function commit(
  { config, store, observe }: Pick<Session, 'config' | 'store' | 'observe'>,
  journal: Journal,
  isFirst = false,
): Promise<void> {
  const { memory, scratch } = store;
  store.confirm();
  writeJournal(memory, scratch, journal);
  const isWhole = await carryOut({ store, changes: config.changes, observe }, journal, isFirst);
  const files = countStates(memory) > MOST_STATES ? readFiles(memory) : undefined;
  if (files !== undefined) compact(memory, scratch, journal.head, listFiles(files));
  if (isWhole) sealMemory(memory);
  else unsealMemory(memory);
}
