/** Writes one package of a dump: a ZIP file of a manifest and bitstreams. */

import { systemErrorCode } from '../../base/errors.js';
import type { Bitstream } from '../../history/plan/packages.js';
import { ZIP_LIMIT } from '../../standard/cuts/borders.js';
import { Digests } from '../../standard/digests.js';
import { HASH_ALGORITHMS } from '../../standard/model.js';
import { collect, openReader, readBitstream, writePieces } from './bitstreams.js';
import { isWorthCompressing, loadDeflater } from './compress.js';
import { PACKAGE_COMMENT, type PackedFile, type Packing, WHOLE_BYTES } from './job.js';
import { joinParts, makePart, type ZipMember } from './zip.js';

/** Name of the manifest, which is the first file in a package (§11). */
const MANIFEST = 'manifest.xml';

/**
 * Writes a package: its manifest first, then its bitstreams.
 * @throws ResyncError `file-changing`, `git-failed`; a system error if the package cannot be written
 */
export async function packPackage(
  target: string,
  manifest: Uint8Array,
  bitstreams: readonly Bitstream[],
  { site, repository, hash }: Packing,
): Promise<PackedFile> {
  const sources = bitstreams.map(({ source }) => source);
  const reader = openReader(sources, repository);
  const digests = new Digests(HASH_ALGORITHMS.filter((name) => hash.includes(name)));
  let length = 0;
  try {
    const parts = makeParts(manifest, bitstreams, (one) => readBitstream(one, site, reader));
    await writePieces(target, joinParts(parts, PACKAGE_COMMENT), (piece) => {
      digests.update(piece);
      length += piece.length;
    });
  } catch (error) {
    // Adds the path of the package, because not every system error names a file.
    if (error instanceof Error && systemErrorCode(error) !== undefined)
      Object.assign(error, { path: target });
    throw error;
  } finally {
    reader?.close();
  }
  if (length >= ZIP_LIMIT) throw new Error(`${target} is too large for a ZIP file`);
  return { length, hash: digests.finish() };
}

/** Makes the members of a package, one at a time to save memory. */
async function* makeParts(
  manifest: Uint8Array,
  bitstreams: readonly Bitstream[],
  read: (bitstream: Bitstream) => AsyncIterable<Uint8Array>,
): AsyncGenerator<ZipMember, void> {
  const { deflate, streamPart } = await loadDeflater();
  yield makePart(MANIFEST, manifest, deflate);
  for (const bitstream of bitstreams) {
    const { name, length } = bitstream;
    const pieces = read(bitstream);
    if (length > WHOLE_BYTES) yield streamPart(name, pieces, isWorthCompressing(bitstream, undefined));
    else {
      const content = await collect(pieces);
      yield makePart(name, content, isWorthCompressing(bitstream, content) ? deflate : undefined);
    }
  }
}
