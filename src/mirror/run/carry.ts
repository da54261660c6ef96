/** Carries out a journal, now or in a later run, and tells the next program of the changes. */

import { appendFileSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { doLines } from '../files/move.js';
import type { Line, MirrorHead } from '../memory/format.js';
import {
  closeJournal,
  dropJournal,
  hasJournal,
  holdReady,
  type Journal,
  readJournal,
} from '../memory/journal.js';
import { isSealed, sealMemory, unsealMemory } from '../memory/seal.js';
import type { ResolvedMirror } from '../options.js';
import type { MirrorObserver } from '../report.js';

/** The folder, and what it remembers. */
export interface Folders {
  readonly copy: HeldFolder;
  readonly memory: HeldFolder;
}

/**
 * Does what a run left undone that was killed after it had written its journal. One that was not written here is
 * dropped: nothing of it has been done.
 *
 * @param check throws where the journal is one of another Source
 */
export async function finishJournal(
  folders: Folders,
  { config, check }: { readonly config: ResolvedMirror; readonly check: (head: MirrorHead) => void },
  observe: MirrorObserver,
): Promise<void> {
  const { memory } = folders;
  if (!hasJournal(memory)) return;
  const journal = isSealed(memory) ? readJournal(memory) : undefined;
  if (journal === undefined) return dropJournal(memory);
  check(journal.head);
  const isWhole = await carryOut(folders, journal, { changes: config.changes, observe });
  if (isWhole) sealMemory(memory);
  else unsealMemory(memory);
}

/** What a run does beside. */
interface Telling {
  /** File that takes a line for each change: as this run names it, never as a memory does. */
  readonly changes: string | undefined;
  readonly observe: MirrorObserver;
}

/**
 * Does what a journal says; doing it twice does no harm.
 *
 * @returns whether all is where it belongs: otherwise the memory has to be confirmed
 */
export async function carryOut(
  { copy, memory }: Folders,
  { head, lines }: Journal,
  { changes, observe }: Telling,
): Promise<boolean> {
  const ready = holdReady(memory);
  let isWhole: boolean;
  try {
    isWhole = await doLines({ copy, ready }, lines, (done) =>
      observe({ stage: 'moves', done, total: lines.length }),
    );
    if (changes !== undefined) tellChanges(changes, lines);
  } finally {
    ready.close();
  }
  closeJournal(memory, head);
  return isWhole;
}

/** As precise as the Source. */
function wordTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** A line for each file that changed, in what it is now: one that changed several times has one. */
function tellChanges(file: string, lines: Iterable<Line>): void {
  const told = Array.from(lines, (line) => {
    const datetime = line.time === undefined ? {} : { datetime: wordTime(line.time) };
    if (line.kind === 'gone') {
      // Where it is taken, a file is there again: that of another URL.
      const path = line.isTaken ? {} : { path: line.path };
      return { change: 'deleted', uri: line.uri, ...path, ...datetime };
    }
    if (line.staged === undefined || line.change === undefined) return [];
    const { path, length, hash } = line.kept;
    return { change: line.change, uri: line.uri, path, length, hash, ...datetime };
  }).flat();
  if (told.length === 0) return;
  try {
    appendFileSync(file, told.map((one) => `${JSON.stringify(one)}\n`).join(''));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError(
      'write-failed',
      say`Cannot write ${file} (${code}), which takes the changes.\nThe next run tries again. Every file of the copy is whole.`,
      { cause: error },
    );
  }
}
