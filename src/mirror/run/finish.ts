/** The end of a run: its journal is written, carried out and remembered. */

import type { Line } from '../memory/format.js';
import { compact, type Journal, writeJournal } from '../memory/journal.js';
import { applyLine, countStates } from '../memory/state.js';
import type { Kept } from '../plan/model.js';
import { carryOut } from './carry.js';
import type { Session } from './session.js';

/** So many files of memory are put together into one. */
const MOST_STATES = 20;

/** Writes the journal, does what it says, and remembers it. */
export async function commit(session: Session, files: Map<string, Kept>, journal: Journal): Promise<void> {
  const { config, memory, scratch, confirm, observe } = session;
  confirm();
  writeJournal(memory, scratch, journal);
  await carryOut(config.folder, memory, journal, observe);
  if (countStates(memory) <= MOST_STATES) return;
  for (const line of journal.lines) applyLine(files, line);
  compact(memory, scratch, journal.head, listFiles(files));
}

function* listFiles(files: ReadonlyMap<string, Kept>): Generator<Line, void> {
  for (const [uri, kept] of files) yield { kind: 'file', uri, kept };
}
