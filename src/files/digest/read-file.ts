/** Reads a file once for all its digests, and again if it changes meanwhile. */

import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { OPEN_FLAGS } from '../../base/open-flags.js';
import { DIGESTS, type DigestKind, type DigestName } from './kinds.js';

/** Size of the buffer for reading, which fits in the cache of a core. Larger files are streamed through the buffer. */
const BUFFER_BYTES = 256 * 1024;

/** Room before the bytes for the longest git header, `blob 9007199254740991` and a NUL. */
const HEADER_BYTES = 32;

/** Buffer into which a thread reads one file after another, after room for a git header. Each thread has its own. */
const buffer = Buffer.allocUnsafeSlow(HEADER_BYTES + BUFFER_BYTES);

/** Milliseconds after a file's timestamps in which its bytes may change without new ones: clocks of systems go in steps. */
const SETTLING = 20;

/** Pauses, in milliseconds, after which a file is read again if it changed while it was read, or just before. */
const RETRY_PAUSES = [SETTLING, 30, 100, 300];

interface ReadFile {
  readonly length: number;
  /** All bytes of a file that fits in the buffer or in `longest`, or else the first bytes. Valid until the next file is read. */
  readonly beginning: Buffer;
}

/** Makes a function that digests a file into `digests` from `offset` on, and returns files of up to `longest` bytes whole. */
export function makeFileDigester(
  names: readonly DigestName[],
  digests: Uint8Array,
): (path: string, offset: number, longest?: number) => ReadFile {
  const kinds = names.map((name) => DIGESTS[name]);
  const table = Buffer.from(digests.buffer);

  return (path, offset, longest = 0) => {
    for (const pause of [...RETRY_PAUSES, 0]) {
      const read = readOnce(path, offset, longest);
      if (read !== undefined) return read;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
    throw Object.assign(new Error(`${path} kept changing`), { code: 'ECHANGED' });
  };

  /** Reads and digests a file; undefined if the file has changed meanwhile, or may have. */
  function readOnce(path: string, offset: number, longest: number): ReadFile | undefined {
    const file = openSync(path, OPEN_FLAGS);
    try {
      const before = fstatSync(file);
      if (!before.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EFILETYPE' });
      if (Math.abs(Date.now() - before.ctimeMs) < SETTLING) return undefined;
      const streams = before.size > BUFFER_BYTES ? createHashes(kinds, before.size) : undefined;
      const pieces: Buffer[] = [];
      let length = 0;
      let filled = 0;
      // A short read is not the end of a file, and a file that grows has no end: the size says when to stop.
      while (length < before.size) {
        const count = readSync(file, buffer, HEADER_BYTES + filled, BUFFER_BYTES - filled, null);
        if (count === 0) return undefined;
        length += count;
        filled += count;
        if (streams !== undefined && (filled === BUFFER_BYTES || length >= before.size)) {
          const piece = buffer.subarray(HEADER_BYTES, HEADER_BYTES + filled);
          for (const stream of streams) stream.update(piece);
          if (length === filled || before.size <= longest) pieces.push(Buffer.from(piece));
          filled = 0;
        }
        if (length > before.size) return undefined;
      }
      const after = fstatSync(file);
      const changed =
        after.size !== length || after.mtimeMs !== before.mtimeMs || after.ctimeMs !== before.ctimeMs;
      if (changed) return undefined;
      const content = buffer.subarray(HEADER_BYTES, HEADER_BYTES + filled);
      let target = offset;
      for (let index = 0; index < kinds.length; index++) {
        const kind = kinds[index] as DigestKind;
        // Digests come as binary strings: the quickest encoding of node:crypto.
        const digest = streams?.[index]?.digest('binary') ?? digestBuffer(kind, content);
        target += table.write(digest, target, 'latin1');
      }
      return { length, beginning: streams === undefined ? content : Buffer.concat(pieces) };
    } finally {
      closeSync(file);
    }
  }
}

function createHashes(kinds: readonly DigestKind[], size: number): Hash[] {
  return kinds.map((kind) => {
    const stream = createHash(kind.openssl);
    return kind.gitHeader ? stream.update(`blob ${size}\0`) : stream;
  });
}

/** Digests a file that is in the buffer. @param content the bytes of the whole file */
function digestBuffer({ openssl, gitHeader }: DigestKind, content: Buffer): string {
  if (!gitHeader) return hash(openssl, content, 'binary');
  const header = `blob ${content.length}\0`;
  const start = HEADER_BYTES - header.length;
  buffer.write(header, start, 'latin1');
  return hash(openssl, buffer.subarray(start, HEADER_BYTES + content.length), 'binary');
}

/** Digests bytes that are in memory, in the order of the names: lower-case hexadecimal. */
export function digestBytes(bytes: Uint8Array, names: readonly DigestName[]): string[] {
  return names.map((name) => {
    const { openssl, gitHeader } = DIGESTS[name];
    if (!gitHeader) return hash(openssl, bytes, 'hex');
    return createHash(openssl).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  });
}
