/** Writes one ZIP package, always the same bytes for the same content. JSZip stands behind one function. */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { formatDigests, startDigests } from '../digests.js';
import { startBlobReader } from '../history/git/blobs.js';
import { type Bitstream, ZIP_LIMIT } from '../plan/packages.js';
import { HASH_ALGORITHMS } from '../resourcesync/model.js';
import { collect, readBitstream } from './bitstreams.js';
import { isWorthCompressing } from './compress.js';
import { EAGER_BYTES, MANIFEST, type PackedFile, type PackJob } from './job.js';
import { mergeParts, takeParts } from './reuse.js';
import { isCompressed, joinParts, type Part } from './zip.js';

/** Beside so many times its bytes of files that do not compress, compressing it saves less than 2 % of the package. */
const SMALL_SHARE = 32;

/** The beginning of the time that a ZIP file can tell. JSZip writes it in UTC. */
const DATE = new Date(Date.UTC(1980, 0, 1));

/**
 * Writes a package: its manifest first, then what it holds, in the order of the job.
 *
 * @throws ResyncError `file-changing` when a file is no longer what was described, `git-failed`; a system error when
 *   the package cannot be written
 */
export async function packPackage(job: PackJob): Promise<PackedFile> {
  const { bitstreams, repository, comment } = job;
  const eager = bitstreams.reduce((sum, { length }) => sum + length, 0) <= EAGER_BYTES;
  const taken = eager ? takeParts(job) : new Map<string, Part>();
  const missing = bitstreams.filter(({ name }) => !taken.has(name));
  const blobs = missing.flatMap(({ source }) => ('blob' in source ? source.blob : []));
  const reader =
    blobs.length === 0 || repository === undefined ? undefined : startBlobReader(repository, blobs);
  try {
    const contents: Content[] = [];
    for (const bitstream of missing) {
      const pieces = readBitstream(bitstream, job.site, reader);
      if (eager) {
        const content = await collect(pieces);
        contents.push({ bitstream, content, compress: isWorthCompressing(bitstream, content) });
      } else {
        // A stream is opened when its turn comes, so that no more than one file is.
        const compress = isWorthCompressing(bitstream, undefined);
        contents.push({ bitstream, content: Readable.from(pieces), compress });
      }
    }
    const zip = await fillZip(job, contents, taken);
    const options = { platform: 'UNIX', comment } as const;
    if (taken.size === 0) {
      // The stream that JSZip writes is of an older kind.
      const stream = zip.generateNodeStream({ ...options, streamFiles: !eager });
      return await writeZip(new Readable().wrap(stream), job);
    }
    const rest = await zip.generateAsync({ ...options, type: 'nodebuffer' });
    return await writeZip(joinParts(mergeParts(job, taken, rest), comment), job);
  } finally {
    reader?.close();
  }
}

/** What goes into the package, and how. */
interface Content {
  readonly bitstream: Bitstream;
  readonly content: Uint8Array | Readable;
  readonly compress: boolean;
}

async function fillZip(job: PackJob, contents: readonly Content[], taken: ReadonlyMap<string, Part>) {
  const { default: JSZip } = await import('jszip');
  const zip = new JSZip();
  const add = (name: string, content: Uint8Array | Readable, compress: boolean) =>
    zip.file(name, content, {
      date: DATE,
      createFolders: false,
      // A regular file, that its owner may write.
      unixPermissions: 0o100_644,
      compression: compress ? 'DEFLATE' : 'STORE',
      compressionOptions: { level: 6 },
    });
  const stored = new Set(contents.filter(({ compress }) => !compress).map(({ bitstream }) => bitstream.name));
  const storedBytes = job.bitstreams
    .filter(({ name }) => {
      const part = taken.get(name);
      return part === undefined ? stored.has(name) : !isCompressed(part);
    })
    .reduce((sum, { length }) => sum + length, 0);
  const manifest = readFileSync(job.manifest);
  add(MANIFEST, manifest, manifest.length * SMALL_SHARE > storedBytes);
  for (const { bitstream, content, compress } of contents) add(bitstream.name, content, compress);
  return zip;
}

async function writeZip(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { target, hash: names }: PackJob,
): Promise<PackedFile> {
  const digests = startDigests(HASH_ALGORITHMS.filter((name) => names.includes(name)));
  const file = openSync(target, 'wx');
  let length = 0;
  try {
    for await (const piece of pieces) {
      digests.update(piece);
      for (let offset = 0; offset < piece.length; ) offset += writeSync(file, piece, offset);
      length += piece.length;
    }
  } finally {
    closeSync(file);
  }
  if (length >= ZIP_LIMIT) throw new Error(`${target} is too large for a ZIP file`);
  return { length, hash: formatDigests(digests.finish()) };
}
