/** Writes documents, and compares them with those that stand already. */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { unlessRefused } from '../../base/errors.js';

/** Writes a new file, and tells its length in bytes. */
export function writeDocument(content: Iterable<string | Uint8Array>, file: string): number {
  const handle = openSync(file, 'wx');
  let bytes = 0;
  try {
    for (const text of content) {
      const buffer = typeof text === 'string' ? Buffer.from(text) : text;
      for (let offset = 0; offset < buffer.length; ) offset += writeSync(handle, buffer, offset);
      bytes += buffer.length;
    }
  } finally {
    closeSync(handle);
  }
  return bytes;
}

/** Documents are compared in pieces of so many bytes; what differs usually does so at the top. */
const COMPARE_BYTES = 64 * 1024;

/** Whether two files hold the same bytes; the second may be missing. */
export function holdSameBytes(a: string, b: string): boolean {
  const size = statSync(b, { throwIfNoEntry: false })?.size;
  if (size === undefined || size !== statSync(a).size) return false;
  const [first, second] = [openSync(a, 'r'), openSync(b, 'r')];
  try {
    const [left, right] = [Buffer.alloc(COMPARE_BYTES), Buffer.alloc(COMPARE_BYTES)];
    for (let position = 0; position < size; position += COMPARE_BYTES) {
      const length = Math.min(COMPARE_BYTES, size - position);
      readSync(first, left, 0, length, position);
      readSync(second, right, 0, length, position);
      if (!left.equals(right)) return false;
    }
    return true;
  } finally {
    closeSync(first);
    closeSync(second);
  }
}

const READ_BYTES = 256 * 1024;

/** The SHA-256 of a file, lower-case hexadecimal. */
export function sumOfFile(file: string): string {
  const digest = createHash('sha256');
  const handle = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(READ_BYTES);
    for (let count = readSync(handle, piece); count > 0; count = readSync(handle, piece)) {
      digest.update(piece.subarray(0, count));
    }
  } finally {
    closeSync(handle);
  }
  return digest.digest('hex');
}

/** Between looking and reading, another run may remove it. */
export function readIfThere(file: string): string | undefined {
  return unlessRefused(() => readFileSync(file, 'utf8'), 'ENOENT');
}

/** Something to publish. `path` is relative to the site. */
export type Publishable = {
  readonly path: string;
  /** Whether the caller has made sure that what stands there may be replaced. */
  readonly owned?: boolean;
} & (
  | {
      /** Yields the text of a document, or its bytes, once. */
      readonly content: Iterable<string | Uint8Array>;
    }
  | {
      /**
       * A file that is ready in the folder for what is staged, or a folder, where the site has nothing of its name; undefined
       * when the one in the site is to stay.
       */
      readonly file: string | undefined;
    }
);
