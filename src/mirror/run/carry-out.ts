/** Carries out a journal of a mirror: moves and deletes files, and reports the changes to the next program. */

import { basename, dirname, join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { foldersOf } from '../../paths/folders.js';
import { type HeldFolder, nameKind } from '../../paths/held/folder.js';
import { isObstacle, type Obstacle, Tree } from '../../paths/held/tree.js';
import type { MirrorHead } from '../memory/format.js';
import {
  closeJournal,
  compact,
  hasJournal,
  holdReady,
  type Journal,
  readJournal,
  writeJournal,
} from '../memory/journal.js';
import { isSealed, JOURNAL, sealMemory, unsealMemory } from '../memory/seal.js';
import { countStates, readFiles } from '../memory/state.js';
import type { Kept } from '../plan/model.js';
import { listFiles } from '../plan/settle.js';
import type { MirrorObserver } from '../report.js';
import { appendChanges, toChange } from './changes.js';
import type { Session, Store } from './session.js';

/** Parts of a session that are needed to carry out a journal. */
interface Carrier {
  readonly store: Pick<Store, 'copy' | 'memory'>;
  /** File for the reported changes. It comes from the options, never from a journal. */
  readonly changes: string | undefined;
  readonly observe: MirrorObserver;
}

/**
 * Completes the journal of a killed run. A journal that was not written in this folder is dropped: none of it was done here.
 * @param check throws if the journal belongs to another Source
 */
export async function finishJournal(carrier: Carrier, check: (head: MirrorHead) => void): Promise<void> {
  const { memory } = carrier.store;
  if (!hasJournal(memory)) return;
  const journal = isSealed(memory) ? readJournal(memory) : undefined;
  if (journal === undefined) return memory.clear(JOURNAL);
  check(journal.head);
  if (await carryOut(carrier, journal)) sealMemory(memory);
  else unsealMemory(memory);
}

/** Carries out a journal. Idempotent. @returns whether all files are in place; otherwise the memory has to be confirmed */
async function carryOut(carrier: Carrier, { head, lines }: Journal): Promise<boolean> {
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
  closeJournal(memory, head);
  return isWhole;
}

/** Number of lines between two pauses, in which the lock is kept alive. */
const PAUSE_EVERY = 1000;

/**
 * Carries out the lines of a journal in order. @returns whether all files are in place: what a killed run moved may be gone again
 * @param texts gets one line of JSON for each file that changed
 * @throws ResyncError `not-ours` for a taken path, `write-failed` for a replaced folder; the journal stays for the next run
 */
async function doLines(
  { store: { copy }, observe }: Carrier,
  ready: HeldFolder,
  lines: Journal['lines'],
  texts: string[] | undefined,
): Promise<boolean> {
  const tree = new Tree(copy);
  /** Paths of deleted files that files of other URLs get. */
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
      const change = texts && toChange(line);
      if (change !== undefined) texts?.push(`${JSON.stringify(change)}\n`);
      observe({ stage: 'moves', done: ++done, total: lines.length });
      if (done % PAUSE_EVERY === 0) await yieldToEventLoop();
    }
    tree.confirm();
    return isWhole;
  } finally {
    tree.close();
  }
}

/** Moves a ready file into place, unless a killed run has. @returns whether it is in place @param mayReplace if a file there is ours */
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
      say`${join(copy.path, obstacle.path)} is ${obstacle.what}, where a file of the mirror belongs.\nMove or rename it, and run again. Every file is whole, old or new.`,
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

/** Removes a file, and the folders that become empty. */
function remove(tree: Tree, path: string): void {
  const folder = tree.find(dirname(path));
  if (folder === undefined || isObstacle(folder) || folder.look(basename(path))?.isFile() !== true) return;
  folder.remove(basename(path));
  for (const above of foldersOf(path).reverse()) if (!tree.removeEmpty(above)) return;
}

/** Limit of the files of the memory; if there are more, they are merged into one. */
const MOST_STATES = 20;

/** Writes the journal, carries it out, and makes it part of the memory. */
export async function commit(
  { config, store, observe }: Pick<Session, 'config' | 'store' | 'observe'>,
  journal: Journal,
): Promise<void> {
  const { memory, scratch } = store;
  store.confirm();
  writeJournal(memory, scratch, journal);
  const isWhole = await carryOut({ store, changes: config.changes, observe }, journal);
  const files = countStates(memory) > MOST_STATES ? readFiles(memory) : undefined;
  if (files !== undefined) compact(memory, scratch, journal.head, listFiles(files));
  if (isWhole) sealMemory(memory);
  else unsealMemory(memory);
}
