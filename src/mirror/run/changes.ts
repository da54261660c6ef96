/** Reports changes of a copy to the next program: appends a line of JSON for each changed file to the file of `--changes`. */

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

/** Returns whether a line of a journal is reported. Documents of the Source and files that did not change are not. */
export function isReported(line: Line): boolean {
  return line.kind === 'gone'
    ? line.isDocument !== true
    : line.change !== undefined && !isDocument(line.kept.sets);
}

/** Makes the reported change of a line of a journal; returns undefined if the line is not reported. */
export function toChange(line: Line): MirrorChange | undefined {
  if (!isReported(line)) return undefined;
  const { uri, time, meaning } = line;
  const datetime = time === undefined ? undefined : formatTime(time);
  if (line.kind === 'file') {
    const { path, length, hash } = line.kept;
    return {
      change: line.change ?? 'created',
      uri,
      path,
      length,
      hash,
      datetime,
      ...meaning,
    } as MirrorChange;
  }
  // Without the path if it is taken: the file of another URL is there now.
  const path = line.isTaken ? undefined : line.path;
  return { change: 'deleted', uri, path, datetime, ...meaning } as MirrorChange;
}

/** Formats a time with milliseconds only if the Source has them. */
function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Appends lines to the file of changes, and flushes them to disk before the memory is updated. @throws ResyncError `write-failed` */
export function appendChanges(file: string, lines: string): void {
  if (lines === '') return;
  try {
    appendWhole(file, lines);
  } catch (error) {
    throw explainFailure(
      file,
      error,
      say`The changes go there, and the next run tries again. Every file of the copy is whole.`,
    );
  }
}

/** Appends all of a text to a file or, if there is no room for it, nothing. */
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
    // The next program may have moved the file away, and read it before the text was appended.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== stat.ino) appendWhole(path, text);
  } finally {
    closeSync(file);
  }
}

const BEGIN = '{"change":"';
const LONGEST_LINE = 64 * 1024;

/** Returns the offset after the last whole line: a killed run may have left a part of a line. */
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
