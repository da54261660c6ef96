/** The journal: lists what a run will do to the folder, before the first file moves. Once carried out, it is part of the memory. */

import { closeSync } from 'node:fs';
import type { HeldFolder } from '../../paths/held/folder.js';
import { holdOwn, openOwn } from '../../paths/held/own.js';
import type { Line, Lines } from '../plan/lines.js';
import type { MirrorHead } from './format.js';
import { JOURNAL, sealMemory } from './seal.js';
import { addState, guard, readHeadOf, readLines, writeLines } from './state.js';

/** Name of the folder of complete files that are to be moved into place. */
export const READY = 'ready';

export interface Journal {
  readonly head: MirrorHead;
  readonly lines: Lines;
}

/** Holds the `ready` folder, and makes it if it is missing. The caller closes it. */
export function holdReady(memory: HeldFolder): HeldFolder {
  const there = holdOwn(memory, READY);
  if (there !== undefined) return there;
  memory.makeFolder(READY);
  return memory.hold(READY);
}

/** Writes a journal, and seals the memory. @param scratch a folder for the incomplete file, on the same file system */
export function writeJournal(memory: HeldFolder, scratch: HeldFolder, { head, lines }: Journal): void {
  writeLines(scratch, JOURNAL, head, lines);
  scratch.move(JOURNAL, memory, JOURNAL);
  sealMemory(memory);
}

/** Tests whether there is a journal. @throws ResyncError `not-ours` if something else has its name */
export function hasJournal(memory: HeldFolder): boolean {
  const file = openOwn(memory, JOURNAL);
  if (file !== undefined) closeSync(file);
  return file !== undefined;
}

/** Reads the journal of an interrupted run; returns undefined if there is none, or it cannot be read. */
export function readJournal(memory: HeldFolder): Journal | undefined {
  const open = () => openOwn(memory, JOURNAL);
  return guard(() => {
    const head = readHeadOf(open);
    // A first pass finds damage before any line is carried out, without holding lines in memory.
    let length = 0;
    for (const _ of readLines(open)) length++;
    return { head, lines: { length, [Symbol.iterator]: () => readLines(open) } };
  });
}

/** Makes a journal that was carried out part of the memory. */
export function closeJournal(memory: HeldFolder, head: MirrorHead): void {
  addState(memory, memory, JOURNAL, head);
  dropReady(memory);
}

/** Removes the `ready` folder; files in it that no journal names are left by a killed run. */
export function dropReady(memory: HeldFolder): void {
  memory.clear(READY);
}

/** Writes one base file in place of all files of the memory; returns its head. */
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
