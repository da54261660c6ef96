/** The memory of a mirror: a base file, and one more file for each run since. Each file is complete or missing. */

import { closeSync, readSync, writeFileSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { holdOwn, openOwn } from '../../paths/held/own.js';
import { FileTable } from '../plan/columns.js';
import type { Line } from '../plan/lines.js';
import { type MirrorHead, readHead, readLine } from './format.js';

/** Pattern of the names of the memory's files. Eight digits suffice for the numbers of all runs. */
const NAME = /^(base|more)-(0\d{7})$/;
const STATE = 'state';
const END = 'end';
/** Limit of the bytes of a line. The first line is the longest: it has sets, documents and missing resources. */
const MOST_LINE = 16 * 1024 * 1024;

/** Thrown if the memory is damaged. It then counts as missing, so that no file of the copy counts as ours. */
class DamagedMemory extends Error {}

function nameState({ number, whole }: MirrorHead): string {
  return `${whole ? 'base' : 'more'}-${String(number).padStart(8, '0')}`;
}

/** Returns the highest number of a run, even if its file cannot be read; 0 before the first run. */
export function lastNumber(memory: HeldFolder): number {
  const last = listStates(memory).at(-1);
  return last === undefined ? 0 : last.number;
}

/** Returns the head that the last run saved, or undefined if there is no head, or it cannot be read. */
export function readLastHead(memory: HeldFolder): MirrorHead | undefined {
  const last = listStates(memory).at(-1);
  if (last === undefined) return undefined;
  return guard(() => readHeadOf(() => openState(memory, last.name)));
}

/** Returns the files that runs have put into the copy, or undefined if the memory cannot be read. */
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

/** Opens a file of the memory for reading; returns its descriptor, or undefined if the file is missing. */
type Open = () => number | undefined;

function openState(memory: HeldFolder, name: string): number | undefined {
  return withStates(memory, undefined, (states) => openOwn(states, name));
}

/** Reads the lines after the head of a file, one by one. @throws DamagedMemory */
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

/** Reads the head of a file. @throws DamagedMemory if the first line is incomplete */
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

/** Reads the lines of a file piece by piece, without an incomplete last line. */
function* readTexts(open: Open): Generator<string, void> {
  const handle = open();
  if (handle === undefined) throw new DamagedMemory('a file is missing');
  try {
    let bytes = Buffer.allocUnsafe(PIECE);
    for (let filled = 0; ; ) {
      if (filled === bytes.length) {
        if (filled >= MOST_LINE) throw new DamagedMemory('a line has no end');
        bytes = Buffer.concat([bytes], 2 * filled);
      }
      const end = filled + readSync(handle, bytes, filled, bytes.length - filled, null);
      if (end === filled) return;
      let start = 0;
      for (let next = bytes.indexOf(0x0a); next !== -1 && next < end; next = bytes.indexOf(0x0a, start)) {
        yield bytes.toString('utf8', start, next);
        start = next + 1;
      }
      bytes.copyWithin(0, start, end);
      filled = end - start;
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
      writeFileSync(handle, text);
      text = '';
    };
    for (const line of lines) {
      text += `${JSON.stringify(line)}\n`;
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

/** Moves a file with a head and lines into the memory; a base replaces all older files. */
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

export function fingerprintStates(memory: HeldFolder): string {
  return withStates(memory, '', (states) =>
    listStates(memory)
      .map(({ name }) => fingerprintFile(states, name))
      .join(''),
  );
}

/** Returns the inode and time of change of a file. A file that is written anew, as by a checkout of git, has others. */
export function fingerprintFile(folder: HeldFolder, name: string): string {
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

export function countStates(memory: HeldFolder): number {
  return listStates(memory).length;
}

interface StateName {
  readonly name: string;
  readonly kind: 'base' | 'more';
  readonly number: number;
}

/** Lists the files of the memory by number, the oldest first. A base comes after the file of the same number, which it replaces. */
function listStates(memory: HeldFolder): StateName[] {
  return withStates(memory, [], (states) => states.list())
    .flatMap(({ name }) => {
      const match = NAME.exec(name);
      return match === null ? [] : [{ name, kind: match[1] as StateName['kind'], number: Number(match[2]) }];
    })
    .sort((a, b) => a.number - b.number || (a.kind < b.kind ? 1 : -1));
}

/** Reads from the memory; undefined if it is damaged. @throws a system error, or a ResyncError for files that are not ours */
export function guard<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ResyncError || systemErrorCode(error) !== undefined) throw error;
    return undefined;
  }
}
