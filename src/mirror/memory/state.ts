/** What a folder remembers of the runs before: a base, and what each run added to it. Each is a file that is whole or not there. */

import { closeSync, readSync, writeSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { holdOwn, openOwn } from '../../paths/held/own.js';
import { FileTable } from '../plan/columns.js';
import type { Line } from '../plan/lines.js';
import { type MirrorHead, readHead, readLine, writeLine } from './format.js';

/** A number with more digits would be one that no run comes to. */
const NAME = /^(base|more)-(0\d{7})$/;
const STATE = 'state';
const END = 'end';
/** Bytes of a line, of which the first is the longest: sets, documents, and what is missing. */
const MOST_LINE = 16 * 1024 * 1024;

/** A damaged memory is none: nothing that it says is ours counts. */
class DamagedMemory extends Error {}

function nameState({ number, whole }: MirrorHead): string {
  return `${whole ? 'base' : 'more'}-${String(number).padStart(8, '0')}`;
}

/** The highest number that was ever given, whatever can be read of it. */
export function lastNumber(memory: HeldFolder): number {
  return listStates(memory).at(-1)?.number ?? 0;
}

/** What the last run left; undefined where there was none, or where that cannot be read. */
export function readLastHead(memory: HeldFolder): MirrorHead | undefined {
  const last = listStates(memory).at(-1);
  if (last === undefined) return undefined;
  return guard(() => readHeadOf(() => openState(memory, last.name)));
}

/** All files of the folder that are ours, by URL; undefined where that cannot be read. */
export function readFiles(memory: HeldFolder): FileTable | undefined {
  const states = listStates(memory);
  const start = states.findLastIndex(({ kind }) => kind === 'base');
  if (start === -1) return undefined;
  return guard(() => {
    const files = new FileTable();
    for (const { name } of states.slice(start)) {
      for (const line of readLines(() => openState(memory, name))) applyLine(files, line);
    }
    return files;
  });
}

export function applyLine(files: FileTable, line: Line): void {
  if (line.kind === 'gone') files.delete(line.uri);
  else files.set(line.uri, line.kept);
}

/** Opens a file to read it; undefined where it is not there. */
type Open = () => number | undefined;

function openState(memory: HeldFolder, name: string): number | undefined {
  return withStates(memory, undefined, (states) => openOwn(states, name));
}

/** The lines after the head, read piece by piece: all together, they would take more memory than what they say. @throws DamagedMemory */
export function* readLines(open: Open): Generator<Line, void> {
  const texts = readTexts(open);
  texts.next();
  let count = 0;
  for (const text of texts) {
    if (text.startsWith(END)) {
      if (text !== `${END} ${count}`) throw new DamagedMemory('lines are missing');
      return;
    }
    yield readLine(text);
    count++;
  }
  throw new DamagedMemory('the end is missing');
}

/** Reads a head that was written whole. @throws DamagedMemory */
export function readHeadOf(open: Open): MirrorHead {
  const texts = readTexts(open);
  try {
    const { value } = texts.next();
    if (value === undefined) throw new DamagedMemory('the head is missing');
    return readHead(value);
  } finally {
    texts.return();
  }
}

/** The lines of a file as they stand, but for one that is cut off. */
export function* readTexts(open: Open): Generator<string, void> {
  const handle = open();
  if (handle === undefined) throw new DamagedMemory('a file is missing');
  try {
    let bytes = Buffer.allocUnsafe(PIECE);
    for (let kept = 0; ; ) {
      if (kept === bytes.length) {
        if (kept >= MOST_LINE) throw new DamagedMemory('a line has no end');
        bytes = Buffer.concat([bytes], 2 * kept);
      }
      const end = kept + readSync(handle, bytes, kept, bytes.length - kept, null);
      if (end === kept) return;
      let start = 0;
      for (let next = bytes.indexOf(0x0a); next !== -1 && next < end; next = bytes.indexOf(0x0a, start)) {
        yield bytes.toString('utf8', start, next);
        start = next + 1;
      }
      bytes.copyWithin(0, start, end);
      kept = end - start;
    }
  } finally {
    closeSync(handle);
  }
}

/** Writes a head and lines into a new file. */
export function writeLines(folder: HeldFolder, name: string, head: MirrorHead, lines: Iterable<Line>): void {
  const handle = folder.create(name);
  try {
    let count = 0;
    let text = `${JSON.stringify(head)}\n`;
    const flush = () => {
      const bytes = Buffer.from(text);
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(handle, bytes, offset);
      text = '';
    };
    for (const line of lines) {
      text += `${writeLine(line)}\n`;
      count++;
      if (text.length > PIECE) flush();
    }
    text += `${END} ${count}\n`;
    flush();
  } finally {
    closeSync(handle);
  }
}

const PIECE = 256 * 1024;

/** Moves a file with a head and lines into the memory, and removes what a base has made superfluous. */
export function addState(memory: HeldFolder, folder: HeldFolder, name: string, head: MirrorHead): void {
  if (memory.look(STATE) === undefined) memory.makeFolder(STATE);
  withStates(memory, undefined, (states) => {
    folder.move(name, states, nameState(head));
    if (!head.whole) return;
    for (const state of listStates(memory)) {
      const isOlder = state.number < head.number || (state.number === head.number && state.kind === 'more');
      if (isOlder) states.remove(state.name);
    }
  });
}

/** What is there of the memory: names, and what tells whether they are the files that were written here. */
export function tellStates(memory: HeldFolder): string {
  return withStates(memory, '', (states) =>
    listStates(memory)
      .map(({ name }) => tellFile(states, name))
      .join(''),
  );
}

/** Of a file that is written anew, both are others: a checkout of git does that. */
export function tellFile(folder: HeldFolder, name: string): string {
  const found = folder.look(name);
  return found === undefined ? '' : `${name} ${found.ino} ${found.ctimeMs}\n`;
}

function withStates<T>(memory: HeldFolder, without: T, work: (states: HeldFolder) => T): T {
  const states = holdOwn(memory, STATE);
  if (states === undefined) return without;
  try {
    return work(states);
  } finally {
    states.close();
  }
}

/** How many files the memory is in. */
export function countStates(memory: HeldFolder): number {
  return listStates(memory).length;
}

interface StateName {
  readonly name: string;
  readonly kind: string;
  readonly number: number;
}

/** Oldest first; where a base and what it was made of have one number, the base is later. */
function listStates(memory: HeldFolder): StateName[] {
  return withStates(memory, [], (states) => states.list())
    .flatMap(({ name }) => {
      const [, kind = '', digits] = NAME.exec(name) ?? [];
      return digits === undefined ? [] : [{ name, kind, number: Number(digits) }];
    })
    .sort((a, b) => a.number - b.number || (a.kind < b.kind ? 1 : -1));
}

/** What cannot be read is nothing that we know; what the system refuses, and what was not written by us, is told. */
export function guard<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ResyncError || systemErrorCode(error) !== undefined) throw error;
    return undefined;
  }
}
