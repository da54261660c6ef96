/** The journal: what a run is about to do to the folder, written before the first file moves. Done, it is part of the memory. */

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Head, Line, Lines } from './format.js';
import {
  guard,
  nameState,
  prepareStates,
  readHeadOf,
  readLines,
  removeOlderStates,
  writeLines,
} from './state.js';

const JOURNAL = 'journal';
/** Files that are ready to be moved into place. */
const READY = 'ready';

export interface Journal {
  readonly head: Head;
  readonly lines: Lines;
}

/** The folder for files that are ready. */
export function readyFolder(memory: string): string {
  return join(memory, READY);
}

/**
 * Writes a journal.
 *
 * @param scratch a folder on the same file system, for what is not whole yet
 */
export function writeJournal(memory: string, scratch: string, { head, lines }: Journal): void {
  const file = join(scratch, JOURNAL);
  writeLines(file, head, lines);
  renameSync(file, join(memory, JOURNAL));
}

/** The journal of a run that did not come to its end; undefined where there is none. */
export function readJournal(memory: string): Journal | undefined {
  const file = join(memory, JOURNAL);
  if (!existsSync(file)) return undefined;
  return guard(() => {
    const head = readHeadOf(file);
    // All are read before the first counts, and none is held.
    let length = 0;
    for (const _ of readLines(file)) length++;
    return { head, lines: { length, [Symbol.iterator]: () => readLines(file) } };
  });
}

/** Makes the journal part of the memory, once all that it says is done. */
export function closeJournal(memory: string, head: Head): void {
  prepareStates(memory);
  renameSync(join(memory, JOURNAL), nameState(memory, head));
  if (head.whole) removeOlderStates(memory, head);
  rmSync(readyFolder(memory), { recursive: true, force: true });
}

/** A journal that cannot be read says nothing. */
export function dropJournal(memory: string): void {
  rmSync(join(memory, JOURNAL), { force: true });
}

/** Writes one base in place of all that came before; returns its head. */
export function compact(memory: string, scratch: string, head: Head, lines: Iterable<Line>): Head {
  const file = join(scratch, 'base');
  const whole = { ...head, whole: true };
  writeLines(file, whole, lines);
  renameSync(file, nameState(memory, whole));
  removeOlderStates(memory, whole);
  return whole;
}
