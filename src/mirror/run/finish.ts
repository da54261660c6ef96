/** The end of a run: its journal is written, carried out and remembered. */

import type { MirrorHead } from '../memory/format.js';
import { compact, type Journal, writeJournal } from '../memory/journal.js';
import { sealMemory, unsealMemory } from '../memory/seal.js';
import { applyLine, countStates, readState } from '../memory/state.js';
import type { FileTable } from '../plan/columns/files.js';
import { listFiles } from '../plan/lines.js';
import { carryOut } from './carry.js';
import type { Session } from './session.js';

/** So many files of memory are put together into one. */
const MOST_STATES = 20;

/**
 * Writes the journal, does what it says, and remembers it; returns what the next run will find.
 *
 * @param files what was known; where the memory is not written anew, also what is known now, if `isHeld`
 * @param isHeld whether `files` are handed on to the next run
 */
export async function commit(
  session: Session,
  files: FileTable,
  journal: Journal,
  isHeld: boolean,
): Promise<MirrorHead> {
  const { config, memory, scratch, confirm, observe } = session;
  confirm();
  writeJournal(memory, scratch, journal);
  const isWhole = await carryOut(session, journal, { changes: config.changes, observe });
  const head = remember(session, files, journal.head, isHeld);
  if (isWhole) sealMemory(memory);
  else unsealMemory(memory);
  return head;
}

function remember(
  { memory, scratch }: Session,
  files: FileTable,
  head: MirrorHead,
  isHeld: boolean,
): MirrorHead {
  const isMany = countStates(memory) > MOST_STATES;
  if (head.whole || !(isHeld || isMany)) return head;
  // As they were written: the lines of the plan are made of the files that are changed here.
  for (const line of readState(memory, head)) applyLine(files, line);
  return isMany ? compact(memory, scratch, head, listFiles(files)) : head;
}
