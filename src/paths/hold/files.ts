/** Writes documents, and compares them with the existing files. */

import { createHash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { unlessRefused } from '../../base/errors.js';

/** Returns a text that stands for the present state of a file: it changes with every write, and if the file is replaced. */
export function stateOfFile(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? 'none' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

/** Gives a new file the owner and the mode of the one that it replaces. */
export function takeOwner(handle: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(handle);
  if (own.uid !== uid || own.gid !== gid) fchownSync(handle, uid, gid);
  fchmodSync(handle, mode & 0o7777);
}

/** Writes a new file, and returns its length in bytes. @param former the file whose owner and mode it gets */
export function writeDocument(content: Iterable<string | Uint8Array>, file: string, former?: Stats): number {
  const handle = openSync(file, 'wx');
  let bytes = 0;
  try {
    for (const text of content) {
      const buffer = typeof text === 'string' ? Buffer.from(text) : text;
      for (let offset = 0; offset < buffer.length; ) offset += writeSync(handle, buffer, offset);
      bytes += buffer.length;
    }
    if (former !== undefined) takeOwner(handle, former);
  } finally {
    closeSync(handle);
  }
  return bytes;
}

/** Size of the pieces in which files are compared, in bytes: different documents usually differ at the top. */
const COMPARE_BYTES = 64 * 1024;

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

/** Reads a file; returns undefined if it is missing, as another run may have removed it. */
export function readIfThere(file: string): string | undefined {
  return unlessRefused(() => readFileSync(file, 'utf8'), 'ENOENT');
}

/** A file to publish in the site. `path` is relative to the site. */
export type Publishable = {
  readonly path: string;
  /** True if the caller has made sure that the existing file may be replaced. */
  readonly owned?: boolean;
  /** State of a file of others when it was read. A file that changed since stays; owner and mode stay in any case. */
  readonly state?: string | undefined;
} & (
  | {
      /** Text or bytes of the file, which can be iterated once. */
      readonly content: Iterable<string | Uint8Array>;
    }
  | {
      /** Path of the staged file; undefined if the existing file in the site is to stay. */
      readonly file: string | undefined;
    }
);
