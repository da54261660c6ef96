/** Carries out a journal, now or in a later run, and tells the next program of the changes. */

import { appendFileSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../errors.js';
import { say } from '../../text/say.js';
import { doLines } from '../files/move.js';
import type { Line } from '../memory/format.js';
import { closeJournal, dropJournal, type Journal, readJournal, readyFolder } from '../memory/journal.js';
import type { MirrorObserver } from '../report.js';

/** Does what a run left undone that was killed after it had written its journal. */
export async function finishJournal(folder: string, memory: string, observe: MirrorObserver): Promise<void> {
  const journal = readJournal(memory);
  if (journal === undefined) dropJournal(memory);
  else await carryOut(folder, memory, journal, observe);
}

/** Does what a journal says; doing it twice does no harm. */
export async function carryOut(
  folder: string,
  memory: string,
  { head, lines }: Journal,
  observe: MirrorObserver,
): Promise<void> {
  await doLines(folder, readyFolder(memory), lines, (done) =>
    observe({ stage: 'moves', done, total: lines.length }),
  );
  if (head.changes !== undefined) tellChanges(head.changes, lines);
  closeJournal(memory, head);
}

/** As precise as the Source. */
function wordTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** A line for each file that changed, in what it is now: one that changed several times has one. */
function tellChanges(file: string, lines: Iterable<Line>): void {
  const told = Array.from(lines, (line) => {
    const datetime = line.time === undefined ? {} : { datetime: wordTime(line.time) };
    if (line.kind === 'gone') return { change: 'deleted', uri: line.uri, path: line.path, ...datetime };
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
