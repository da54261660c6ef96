/** Tells the next program what has changed: a line of JSON for each file, at the end of the file that it takes. */

import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { say } from '../../base/text/say.js';
import { explainFailure } from '../../paths/hold/failure.js';
import type { Line } from '../plan/lines.js';
import { isDocument } from '../plan/model.js';
import type { MirrorChange } from '../report.js';

/** Whether a program is told of a line: nobody is of documents of the builder, and of what is as it was. */
export function isTold(line: Line): boolean {
  return line.kind === 'gone'
    ? line.isDocument !== true
    : line.change !== undefined && !isDocument(line.kept.sets);
}

/** As a program is told of a line; undefined where it is not. */
export function tellLine(line: Line): MirrorChange | undefined {
  if (!isTold(line)) return undefined;
  const datetime = line.time === undefined ? {} : { datetime: wordTime(line.time) };
  if (line.kind === 'gone') {
    // Where it is taken, a file is there again: that of another URL.
    const path = line.isTaken ? {} : { path: line.path };
    return { change: 'deleted', uri: line.uri, ...path, ...datetime, ...line.meaning } as MirrorChange;
  }
  const { path, length, hash } = line.kept;
  return {
    change: line.change,
    uri: line.uri,
    path,
    length,
    hash,
    ...datetime,
    ...line.meaning,
  } as MirrorChange;
}

/** As precise as the Source. */
function wordTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Appends lines, so that they are on disk before the memory moves on. @throws ResyncError `write-failed` */
export function appendChanges(file: string, lines: string): void {
  if (lines === '') return;
  try {
    appendWhole(file, lines);
  } catch (error) {
    throw explainFailure(
      file,
      error,
      say`It takes the changes, and the next run tries again. Every file of the copy is whole.`,
    );
  }
}

/** Appends a text to a file; where there is no room for all of it, nothing. */
function appendWhole(path: string, text: string): void {
  const file = openSync(path, 'a');
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) {
      writeFileSync(file, text);
      return;
    }
    const size = findEnd(path, stat.size);
    if (size < stat.size) ftruncateSync(file, size);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
    // Whoever moved it away meanwhile may have read it before.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== stat.ino) appendWhole(path, text);
  } finally {
    closeSync(file);
  }
}

const BEGIN = '{"change":"';
const LONGEST_LINE = 64 * 1024;

/** Where the last whole line ends: a run that was killed may have left a part of one. */
function findEnd(path: string, size: number): number {
  const tail = Buffer.alloc(Math.min(size, LONGEST_LINE));
  const file = openSync(path, 'r');
  try {
    readSync(file, tail, 0, tail.length, size - tail.length);
  } finally {
    closeSync(file);
  }
  const rest = tail.subarray(tail.lastIndexOf('\n') + 1);
  const begin = rest.toString('latin1', 0, BEGIN.length);
  return begin !== '' && BEGIN.startsWith(begin) ? size - rest.length : size;
}
