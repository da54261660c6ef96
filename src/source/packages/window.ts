/** Reads a package through a window: yauzl and we ask for a few bytes at a time, several times for each of its files. */

import { readSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { RandomAccessReader } from 'yauzl';

const WINDOW_BYTES = 256 * 1024;

/** Bytes at a position; fewer at the end of the file. They stay as they are: each window is a new buffer. */
export type ReadWindow = (position: number, length: number) => Buffer;

/** Starts to read a file. */
export function openWindow(descriptor: number): ReadWindow {
  let bytes = Buffer.alloc(0);
  let start = 0;
  return (position, length) => {
    const from = position - start;
    if (from >= 0 && from + length <= bytes.length) return bytes.subarray(from, from + length);
    const room = Buffer.allocUnsafe(Math.max(length, WINDOW_BYTES));
    bytes = room.subarray(0, readSync(descriptor, room, 0, room.length, position));
    start = position;
    return bytes.subarray(0, length);
  };
}

/**
 * Makes what yauzl reads a file with: its own takes a turn of a thread for each few bytes.
 *
 * @param Reader of yauzl, which is loaded only where there are packages
 */
export function makeReader(Reader: typeof RandomAccessReader, look: ReadWindow): RandomAccessReader {
  class WindowReader extends Reader {
    override read(
      ...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader['read']>
    ): void {
      try {
        const found = look(position, length);
        found.copy(buffer, offset);
        callback(found.length < length ? new Error('unexpected EOF') : null);
      } catch (error) {
        callback(error as Error);
      }
    }

    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(readRange(look, start, end), { objectMode: false });
    }
  }
  return new WindowReader();
}

function* readRange(look: ReadWindow, start: number, end: number): Generator<Buffer, void> {
  for (let position = start; position < end; ) {
    const piece = look(position, Math.min(end - position, PIECE_BYTES));
    if (piece.length === 0) return;
    yield piece;
    position += piece.length;
  }
}

const PIECE_BYTES = 64 * 1024;
