/** Writes packages, one after another. */

import { readFileSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { systemErrorCode } from '../../base/errors.js';
import { BlobReader } from '../../history/git/blobs.js';
import { ZIP_LIMIT } from '../../standard/cuts/borders.js';
import { Digests, formatDigests } from '../../standard/digests.js';
import { HASH_ALGORITHMS } from '../../standard/model.js';
import { collect, readBitstream, writePieces } from './bitstreams.js';
import { isWorthCompressing, loadDeflater } from './compress.js';
import { MANIFEST, type PackedFile, type PackJob, WHOLE_BYTES } from './job.js';
import { joinParts, makePart, type ZipMember } from './zip.js';

/**
 * Writes packages. @param onProgress called with the number of packages done
 * @throws ResyncError `file-changing`, `git-failed`; a system error if a package cannot be written
 */
export async function packPackages(
  jobs: readonly PackJob[],
  onProgress: (done: number) => void,
): Promise<PackedFile[]> {
  const packed: PackedFile[] = [];
  for (const job of jobs) {
    packed.push(await packPackage(job));
    onProgress(packed.length);
    // Handlers of signals and timers run here, between two packages.
    await yieldToEventLoop();
  }
  return packed;
}

/** Writes a package: its manifest first, then its bitstreams. */
async function packPackage(job: PackJob): Promise<PackedFile> {
  const blobs = job.bitstreams.flatMap(({ source }) => ('blob' in source ? source.blob : []));
  const reader =
    blobs.length === 0 || job.repository === undefined ? undefined : BlobReader.open(job.repository, blobs);
  try {
    return await writeZip(joinParts(makeParts(job, reader), job.comment), job);
  } catch (error) {
    // Not every system error names the file.
    if (error instanceof Error && systemErrorCode(error) !== undefined)
      Object.assign(error, { path: job.target });
    throw error;
  } finally {
    reader?.close();
  }
}

/** Makes the members of a package, one at a time to save memory. */
async function* makeParts(job: PackJob, reader: BlobReader | undefined): AsyncGenerator<ZipMember, void> {
  const { deflate, streamPart } = await loadDeflater();
  yield makePart(MANIFEST, readFileSync(job.manifest), deflate);
  for (const bitstream of job.bitstreams) {
    const { name, length } = bitstream;
    const pieces = readBitstream(bitstream, job.site, reader);
    if (length > WHOLE_BYTES) yield streamPart(name, pieces, isWorthCompressing(bitstream, undefined));
    else {
      const content = await collect(pieces);
      yield makePart(name, content, isWorthCompressing(bitstream, content) ? deflate : undefined);
    }
  }
}

async function writeZip(
  pieces: AsyncIterable<Uint8Array>,
  { target, hash: names }: PackJob,
): Promise<PackedFile> {
  const digests = new Digests(HASH_ALGORITHMS.filter((name) => names.includes(name)));
  let length = 0;
  await writePieces(target, pieces, (piece) => {
    digests.update(piece);
    length += piece.length;
  });
  if (length >= ZIP_LIMIT) throw new Error(`${target} is too large for a ZIP file`);
  return { length, hash: formatDigests(digests.finish()) };
}
