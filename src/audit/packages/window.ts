/** Reads the table of contents of a package through a window: yauzl asks for a few bytes at a time, twice for each file. */

import { readSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { RandomAccessReader } from 'yauzl';

const WINDOW_BYTES = 64 * 1024;

/**
 * Makes what yauzl reads a file with.
 *
 * @param Reader of yauzl, which is loaded only where there are packages
 * @param descriptor stays open when yauzl is done
 */
export function makeWindow(Reader: typeof RandomAccessReader, descriptor: number): RandomAccessReader {
  class Window extends Reader {
    #bytes = Buffer.alloc(0);
    #start = 0;

    override read(
      ...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader['read']>
    ): void {
      try {
        const found = this.#look(position, length);
        found.copy(buffer, offset);
        callback(found.length < length ? new Error('unexpected EOF') : null);
      } catch (error) {
        callback(error as Error);
      }
    }

    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(this.#pieces(start, end), { objectMode: false });
    }

    *#pieces(start: number, end: number): Generator<Buffer, void> {
      for (let position = start; position < end; ) {
        const piece = this.#look(position, Math.min(end - position, WINDOW_BYTES));
        if (piece.length === 0) return;
        yield piece;
        position += piece.length;
      }
    }

    /** Fewer bytes at the end of the file. What was handed out stays as it is: each window is a new buffer. */
    #look(position: number, length: number): Buffer {
      const from = position - this.#start;
      if (from >= 0 && from + length <= this.#bytes.length) return this.#bytes.subarray(from, from + length);
      const room = Buffer.allocUnsafe(Math.max(length, WINDOW_BYTES));
      this.#bytes = room.subarray(0, readSync(descriptor, room, 0, room.length, position));
      this.#start = position;
      return this.#bytes.subarray(0, length);
    }
  }
  return new Window();
}
