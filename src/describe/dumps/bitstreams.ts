/** Reads the bitstreams of packages from the site or from git, and checks their digests. */

import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { OPEN_FLAGS } from '../../base/open-flags.js';
import { say } from '../../base/text/say.js';
import { BlobReader } from '../../history/git/blobs.js';
import type { Repository } from '../../history/git/repository.js';
import type { Bitstream } from '../../history/plan/packages.js';
import { Digests } from '../../standard/digests.js';
import { algorithmsOf, compareHashes } from '../../standard/model.js';

const READ_BYTES = 256 * 1024;

/** Joins pieces of bytes, faster than `node:stream/consumers`, which makes a Blob of them. */
export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Writes pieces of bytes to a new file. @param note is called with each piece before it is written */
export async function writePieces(
  file: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  note: (piece: Uint8Array) => void = () => undefined,
): Promise<void> {
  const handle = openSync(file, 'wx');
  try {
    for await (const piece of pieces) {
      note(piece);
      writeFileSync(handle, piece);
    }
  } finally {
    closeSync(handle);
  }
}

/** Opens a reader of the blobs among sources of bytes, to be read in their order; undefined if none is in git. */
export function openReader(
  sources: readonly Bitstream['source'][],
  repository: Repository | undefined,
): BlobReader | undefined {
  const blobs = sources.flatMap((source) => ('blob' in source ? source.blob : []));
  return blobs.length === 0 || repository === undefined ? undefined : BlobReader.open(repository, blobs);
}

/** Reads a bitstream, and checks its length and digest. @throws ResyncError `file-changing` after the last piece if they differ */
export async function* readBitstream(
  bitstream: Bitstream,
  site: string,
  reader: BlobReader | undefined,
): AsyncGenerator<Uint8Array, void> {
  const { name, length, hash, source } = bitstream;
  const pieces = 'file' in source ? readFile(join(site, source.file), length) : reader?.read(source.blob);
  const digests = new Digests(algorithmsOf(bitstream).slice(-1));
  let read = 0;
  for await (const piece of pieces ?? []) {
    digests.update(piece);
    read += piece.length;
    yield piece;
  }
  if (read === length && compareHashes(digests.finish(), hash) === 'same') return;
  const what = 'file' in source ? join(site, source.file) : `blob ${source.blob}`;
  throw new ResyncError(
    'file-changing',
    say`${what} is no longer what was described, and cannot be packed as ${name}.\nRun again when the build has finished.`,
  );
}

/** Reads a file of the site: at most one byte more than its described length, to find out if it grew. */
function* readFile(path: string, length: number): Generator<Buffer, void> {
  const file = unlessRefused(() => openSync(path, OPEN_FLAGS));
  // A missing file yields no bytes, and is then reported as changed.
  if (file === undefined) return;
  try {
    for (let rest = length + 1; rest > 0; ) {
      const piece = Buffer.allocUnsafe(Math.min(rest, READ_BYTES));
      const count = readSync(file, piece);
      if (count === 0) return;
      yield piece.subarray(0, count);
      rest -= count;
    }
  } finally {
    closeSync(file);
  }
}
