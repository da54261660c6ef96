/** The end of a run: its journal is written, carried out and remembered. */

import type { Head, Line } from '../memory/format.js';
import { compact, type Journal, writeJournal } from '../memory/journal.js';
import { applyLine, countStates } from '../memory/state.js';
import type { Kept } from '../plan/model.js';
import { carryOut } from './carry.js';
import type { Session } from './session.js';

/** So many files of memory are put together into one. */
const MOST_STATES = 20;

/**
 * Writes the journal, does what it says, and remembers it; returns what the next run will find.
 *
 * @param isHeld whether `files` are handed on to the next run
 */
export async function commit(
  session: Session,
  files: Map<string, Kept>,
  journal: Journal,
  isHeld: boolean,
): Promise<Head> {
  const { config, memory, scratch, confirm, observe } = session;
  confirm();
  writeJournal(memory, scratch, journal);
  await carryOut(config.folder, memory, journal, observe);
  const isMany = countStates(memory) > MOST_STATES;
  if (isHeld || isMany) for (const line of journal.lines) applyLine(files, line);
  if (!isMany) return journal.head;
  return compact(memory, scratch, journal.head, listFiles(files));
}

function* listFiles(files: ReadonlyMap<string, Kept>): Generator<Line, void> {
  for (const [uri, kept] of files) yield { kind: 'file', uri, kept };
}
