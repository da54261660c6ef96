/** What a folder remembers of the runs before: a base, and what each run added to it. Each is a file that is whole or not there. */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../../errors.js';
import { type FileTable, startFiles } from '../plan/columns/files.js';
import { type Head, type Line, readHead, readLine, writeLine } from './format.js';

const NAME = /^(base|more)-(\d{8})$/;
const STATE = 'state';
const END = 'end';
/** Of the first line: sets, documents, and what is missing. */
const MOST_HEAD = 16 * 1024 * 1024;

/** A damaged memory is none: nothing that it says is ours counts. */
class DamagedMemory extends Error {}

/** @param memory the folder of the memory */
export function nameState(memory: string, { number, whole }: Head): string {
  return join(memory, STATE, `${whole ? 'base' : 'more'}-${String(number).padStart(8, '0')}`);
}

/** The highest number that was ever given, whatever can be read of it. */
export function lastNumber(memory: string): number {
  return Math.max(0, ...listStates(memory).map(({ number }) => number));
}

/** What the last run left; undefined where there was none, or where that cannot be read. */
export function readLastHead(memory: string): Head | undefined {
  const last = listStates(memory).at(-1);
  if (last === undefined) return undefined;
  return guard(() => readHead(readFirstLine(join(memory, STATE, last.name))));
}

/** All files of the folder that are ours, by URL; undefined where that cannot be read. */
export function readFiles(memory: string): FileTable | undefined {
  const states = listStates(memory);
  const start = states.findLastIndex(({ kind }) => kind === 'base');
  if (start === -1) return undefined;
  return guard(() => {
    const files = startFiles();
    for (const { name } of states.slice(start)) {
      for (const line of readLines(join(memory, STATE, name))) applyLine(files, line);
    }
    return files;
  });
}

export function applyLine(files: FileTable, line: Line): void {
  if (line.kind === 'gone') files.delete(line.uri);
  else files.set(line.uri, line.kept);
}

/** The lines after the head, read piece by piece: all together, they would take more memory than what they say. @throws DamagedMemory */
export function* readLines(file: string): Generator<Line, void> {
  const texts = readTexts(file);
  texts.next();
  let count = 0;
  for (const text of texts) {
    if (text.startsWith(END)) {
      if (text !== `${END} ${count}`) throw new DamagedMemory(`${file} has lost lines`);
      return;
    }
    yield readLine(text);
    count++;
  }
  throw new DamagedMemory(`${file} has no end`);
}

/** The lines of a file as they stand, but for one that is cut off. */
function* readTexts(file: string): Generator<string, void> {
  const handle = openSync(file, 'r');
  try {
    let bytes = Buffer.allocUnsafe(PIECE);
    for (let kept = 0; ; ) {
      if (kept === bytes.length) bytes = Buffer.concat([bytes], 2 * kept);
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
export function writeLines(file: string, head: Head, lines: Iterable<Line>): void {
  const handle = openSync(file, 'w');
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

/** Makes the folder for it, and tells what is there. */
export function prepareStates(memory: string): void {
  if (!existsSync(join(memory, STATE))) mkdirSync(join(memory, STATE));
}

/** Removes what a base has made superfluous. */
export function removeOlderStates(memory: string, { number }: Head): void {
  for (const state of listStates(memory)) {
    if (state.number < number || (state.number === number && state.kind === 'more'))
      rmSync(join(memory, STATE, state.name), { force: true });
  }
}

/** How many files the memory is in. */
export function countStates(memory: string): number {
  return listStates(memory).length;
}

interface StateName {
  readonly name: string;
  readonly kind: string;
  readonly number: number;
}

/** Oldest first; where a base and what it was made of have one number, the base is later. */
function listStates(memory: string): StateName[] {
  const names = existsSync(join(memory, STATE)) ? readdirSync(join(memory, STATE)) : [];
  return names
    .flatMap((name) => {
      const [, kind = '', digits] = NAME.exec(name) ?? [];
      return digits === undefined ? [] : [{ name, kind, number: Number(digits) }];
    })
    .sort((a, b) => a.number - b.number || (a.kind < b.kind ? 1 : -1));
}

function readFirstLine(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length < MOST_HEAD; ) {
      const piece = Buffer.alloc(PIECE);
      const count = readSync(handle, piece);
      const end = piece.subarray(0, count).indexOf(0x0a);
      pieces.push(piece.subarray(0, end === -1 ? count : end));
      if (end !== -1) return Buffer.concat(pieces).toString();
      if (count === 0) break;
      length += count;
    }
    throw new DamagedMemory(`${file} has no head`);
  } finally {
    closeSync(handle);
  }
}

/** Reads a head that was written whole. @throws DamagedMemory */
export function readHeadOf(file: string): Head {
  return readHead(readFirstLine(file));
}

/** What cannot be read is nothing that we know; what the system refuses is told. */
export function guard<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (systemErrorCode(error) !== undefined) throw error;
    return undefined;
  }
}
