/** The journal: what a run is about to do to the folder, written before the first file moves. Done, it is part of the memory. */

import { closeSync } from 'node:fs';
import type { HeldFolder } from '../../paths/held/folder.js';
import { holdOwn, openOwn } from '../../paths/held/own.js';
import type { Line, Lines } from '../plan/lines.js';
import type { MirrorHead } from './format.js';
import { JOURNAL, sealMemory } from './seal.js';
import { addState, guard, readHeadOf, readLines, writeLines } from './state.js';

/** Files that are ready to be moved into place. */
export const READY = 'ready';

export interface Journal {
  readonly head: MirrorHead;
  readonly lines: Lines;
}

/** The folder for files that are ready. To be closed. */
export function holdReady(memory: HeldFolder): HeldFolder {
  const there = holdOwn(memory, READY);
  if (there !== undefined) return there;
  memory.makeFolder(READY);
  return memory.hold(READY);
}

/**
 * Writes a journal.
 *
 * @param scratch a folder on the same file system, for what is not whole yet
 */
export function writeJournal(memory: HeldFolder, scratch: HeldFolder, { head, lines }: Journal): void {
  writeLines(scratch, JOURNAL, head, lines);
  scratch.move(JOURNAL, memory, JOURNAL);
  sealMemory(memory);
}

/** @throws ResyncError `not-ours` where something else has its name */
export function hasJournal(memory: HeldFolder): boolean {
  const file = openOwn(memory, JOURNAL);
  if (file !== undefined) closeSync(file);
  return file !== undefined;
}

/** The journal of a run that did not come to its end; undefined where there is none, or where it cannot be read. */
export function readJournal(memory: HeldFolder): Journal | undefined {
  const open = () => openOwn(memory, JOURNAL);
  return guard(() => {
    const head = readHeadOf(open);
    // All are read before the first counts, and none is held.
    let length = 0;
    for (const _ of readLines(open)) length++;
    return { head, lines: { length, [Symbol.iterator]: () => readLines(open) } };
  });
}

/** Makes the journal part of the memory, once all that it says is done. @param isFirst whether another one follows */
export function closeJournal(memory: HeldFolder, head: MirrorHead, isFirst: boolean): void {
  addState(memory, memory, JOURNAL, head);
  if (!isFirst) dropReady(memory);
}

/** What is ready, and belongs nowhere, is left by a run that was killed. */
export function dropReady(memory: HeldFolder): void {
  memory.clear(READY);
}

/** A journal that cannot be read, or that was not written here, says nothing. */
export function dropJournal(memory: HeldFolder): void {
  memory.clear(JOURNAL);
}

/** Writes one base in place of all that came before; returns its head. */
export function compact(
  memory: HeldFolder,
  scratch: HeldFolder,
  head: MirrorHead,
  lines: Iterable<Line>,
): MirrorHead {
  const whole = { ...head, whole: true };
  writeLines(scratch, 'base', whole, lines);
  addState(memory, scratch, 'base', whole);
  return whole;
}
