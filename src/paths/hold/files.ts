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
  writeFileSync,
} from 'node:fs';
import { unlessRefused } from '../../base/errors.js';

/** Returns a text that stands for the present state of a file: it changes with every write, and if the file is replaced. */
export function stateOfFile(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? 'none' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

function takeOwner(handle: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(handle);
  if (own.uid !== uid || own.gid !== gid) fchownSync(handle, uid, gid);
  fchmodSync(handle, mode & 0o7777);
}

/** Writes a new file, and returns its length in bytes. @param former the file whose owner and mode it gets */
export function writeDocument(content: Iterable<string | Uint8Array>, file: string, former?: Stats): number {
  const handle = openSync(file, 'wx');
  try {
    for (const piece of content) writeFileSync(handle, piece);
    if (former !== undefined) takeOwner(handle, former);
    return fstatSync(handle).size;
  } finally {
    closeSync(handle);
  }
}

export function holdSameBytes(a: string, b: string): boolean {
  const size = statSync(b, { throwIfNoEntry: false })?.size;
  return size === statSync(a).size && sumOfFile(a) === sumOfFile(b);
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
  /** State of a file that this tool did not write, as it was read. A file that changed since stays; owner and mode stay in any case. */
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
