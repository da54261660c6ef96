/** Writes ZIP packages, always the same bytes for the same content. JSZip stands behind one function. */

import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { ResyncError, systemErrorCode } from '../errors.js';
import { type BlobReader, startBlobReader } from '../history/git/blobs.js';
import type { Repository } from '../history/git/git.js';
import { type Bitstream, ZIP_LIMIT } from '../plan/packages.js';
import { HASH_ALGORITHMS, type HashAlgorithm, opensslName, parseDigests } from '../resourcesync/model.js';
import { say, Words } from '../text/say.js';
import {
  isCompressed,
  joinParts,
  listMembers,
  type Part,
  type ReadAt,
  readContent,
  readPart,
} from './zip.js';

/** A package to write: all that a thread needs to know. */
export interface PackJob {
  /** The file to write. */
  readonly target: string;
  /** The file that is to be its `manifest.xml`. */
  readonly manifest: string;
  /** In the order in which they are to stand. */
  readonly bitstreams: readonly Bitstream[];
  /** The folder that files are relative to. */
  readonly site: string;
  /** Where blobs are; undefined when there are none. */
  readonly repository: Repository | undefined;
  /** Packages that may hold some of the bitstreams, compressed already; what is sound in them is taken as it is. */
  readonly former: readonly string[];
  /** Stands at the very end of the package; says whose it is. */
  readonly comment: string;
  /** Digests of the package to compute. */
  readonly hash: readonly HashAlgorithm[];
}

/** A package that has been written. */
export interface PackedFile {
  /** Number of bytes. */
  readonly length: number;
  /** Digests in the notation of §7. */
  readonly hash: string;
}

/** More threads than cores are of no use, and each takes some 100 MB. */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** Packages with less in them are put together in memory, which takes two thirds of the time. */
const EAGER_BYTES = 32 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** Stands first in a package (§11). */
const MANIFEST = 'manifest.xml';
/** Beside so many times its bytes of files that do not compress, compressing it saves less than 2 % of the package. */
const SMALL_SHARE = 32;

/** The beginning of the time that a ZIP file can tell. JSZip writes it in UTC. */
const DATE = new Date(Date.UTC(1980, 0, 1));

/** Media types whose formats compress already. */
const COMPRESSED =
  /^(?:image\/(?!svg|bmp|x-ms-bmp|tiff|x-icon|vnd\.microsoft\.icon)|video\/|audio\/(?!(?:x-)?wav|midi)|font\/woff|application\/(?:pdf|zip|gzip|x-(?:gzip|bzip2?|7z-compressed|xz|rar-compressed)|zstd|vnd\.rar|java-archive|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\.))/;

/**
 * Writes packages, in threads if there are several.
 *
 * @param onProgress called with the number of packages that are done
 * @throws ResyncError `file-changing` when a file is no longer what was described, `git-failed`; a system error when
 *   a package cannot be written
 */
export async function packPackages(
  jobs: readonly PackJob[],
  onProgress: (done: number) => void,
): Promise<PackedFile[]> {
  const [only, ...others] = jobs;
  if (only === undefined) return [];
  if (others.length === 0) return [await packPackage(only)];
  const packed: PackedFile[] = [];
  let next = 0;
  let done = 0;
  const workers = Array.from({ length: Math.min(WORKERS, jobs.length) }, () => {
    return new Worker(new URL('./pack-worker.js', import.meta.url), { execArgv: [] });
  });
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let index = next++; index < jobs.length; index = next++) {
          packed[index] = await askWorker(worker, jobs[index] as PackJob);
          onProgress(++done);
        }
      }),
    );
  } finally {
    // Until they are gone, they might write into a folder that is being removed.
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return packed;
}

/** What a thread answers: an error loses its fields on the way. */
export type PackAnswer =
  | PackedFile
  | { readonly error: { readonly ours: boolean; readonly code: string; readonly message: string } };

function askWorker(worker: Worker, job: PackJob): Promise<PackedFile> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (answer: PackAnswer) => {
      worker.off('error', reject);
      if (!('error' in answer)) return resolve(answer);
      const { ours, code, message } = answer.error;
      if (ours) reject(new ResyncError(code as ResyncError['code'], Words.asWritten(message)));
      else reject(Object.assign(new Error(message), { code, path: job.target }));
    });
    worker.postMessage(job);
  });
}

/** Does a job in a thread. */
export async function answerJob(job: PackJob): Promise<PackAnswer> {
  try {
    return await packPackage(job);
  } catch (error) {
    if (error instanceof ResyncError)
      return { error: { ours: true, code: error.code, message: error.message } };
    const code = systemErrorCode(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    return { error: { ours: false, code, message: error.message } };
  }
}

async function packPackage(job: PackJob): Promise<PackedFile> {
  const { default: JSZip } = await import('jszip');
  const { bitstreams, repository, comment } = job;
  const eager = bitstreams.reduce((sum, { length }) => sum + length, 0) <= EAGER_BYTES;
  const parts = eager ? takeParts(job) : new Map<string, Part>();
  const blobs = bitstreams.flatMap(({ name, source }) => {
    return 'blob' in source && !parts.has(name) ? source.blob : [];
  });
  const reader =
    blobs.length === 0 || repository === undefined ? undefined : startBlobReader(repository, blobs);
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
  try {
    const contents: {
      readonly name: string;
      readonly content: Uint8Array | Readable;
      readonly compress: boolean;
    }[] = [];
    let stored = 0;
    for (const bitstream of bitstreams) {
      const { name, length } = bitstream;
      const part = parts.get(name);
      if (part !== undefined) {
        if (!isCompressed(part)) stored += length;
        continue;
      }
      const pieces = readBitstream(bitstream, job.site, reader);
      // A stream is opened when its turn comes, so that no more than one file is.
      const content = eager ? await collect(pieces) : Readable.from(pieces);
      const compress = isWorthCompressing(bitstream, content);
      if (!compress) stored += length;
      contents.push({ name, content, compress });
    }
    const manifest = readFileSync(job.manifest);
    add(MANIFEST, manifest, manifest.length * SMALL_SHARE > stored);
    for (const { name, content, compress } of contents) add(name, content, compress);
    const options = { platform: 'UNIX', comment } as const;
    if (parts.size === 0) {
      // The stream that JSZip writes is of an older kind.
      const stream = zip.generateNodeStream({ ...options, streamFiles: !eager });
      return await writeZip(new Readable().wrap(stream), job);
    }
    const rest = await zip.generateAsync({ ...options, type: 'nodebuffer' });
    return await writeZip(joinParts(mergeParts(job, parts, rest), comment), job);
  } finally {
    reader?.close();
  }
}

/** Takes from former packages what is still what was described, and is stored as it would be now. */
function takeParts({ former, bitstreams, comment }: PackJob): Map<string, Part> {
  const wanted = new Map(bitstreams.map((bitstream) => [bitstream.name, bitstream]));
  const parts = new Map<string, Part>();
  for (const file of former) {
    const zip = readFileSync(file);
    const readAt = readIn(zip);
    for (const member of listMembers(zip.length, readAt, comment)) {
      const bitstream = wanted.get(member.name);
      if (bitstream === undefined) continue;
      const part = readPart(member, readAt);
      if (part !== undefined && isOf(part, bitstream)) parts.set(member.name, part);
    }
  }
  return parts;

  function isOf(part: Part, bitstream: Bitstream): boolean {
    const content = readContent(part);
    const [algorithm, digest] = pickDigest(bitstream);
    return (
      content?.length === bitstream.length &&
      hash(algorithm, content, 'hex') === digest &&
      isWorthCompressing(bitstream, content) === isCompressed(part)
    );
  }
}

/** All parts of a package, in their order: those that were taken, and those of a ZIP file with the rest. */
function mergeParts(
  { bitstreams, comment }: PackJob,
  taken: ReadonlyMap<string, Part>,
  rest: Buffer,
): [Part, ...Part[]] {
  const readAt = readIn(rest);
  const made = new Map(listMembers(rest.length, readAt, comment).map((member) => [member.name, member]));
  const find = (name: string) => {
    const member = made.get(name);
    const part = taken.get(name) ?? (member && readPart(member, readAt));
    if (part === undefined) throw new Error(`${name} was not packed`);
    return part;
  };
  return [find(MANIFEST), ...bitstreams.map(({ name }) => find(name))];
}

function readIn(zip: Buffer): ReadAt {
  return (position, length) => zip.subarray(position, position + length);
}

/**
 * Lists what can be taken from a package of a former run.
 *
 * @returns nothing for one that is so large that it was streamed
 */
export function listPackage(path: string, comment: string): string[] {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > 2 * EAGER_BYTES) return [];
    const readAt: ReadAt = (position, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position));
    };
    return listMembers(size, readAt, comment).map(({ name }) => name);
  } finally {
    closeSync(file);
  }
}

async function writeZip(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { target, hash: names }: PackJob,
): Promise<PackedFile> {
  const algorithms = HASH_ALGORITHMS.filter((name) => names.includes(name));
  const digests = algorithms.map((name) => createHash(opensslName(name)));
  const file = openSync(target, 'wx');
  let length = 0;
  try {
    for await (const piece of pieces) {
      for (const digest of digests) digest.update(piece);
      for (let offset = 0; offset < piece.length; ) offset += writeSync(file, piece, offset);
      length += piece.length;
    }
  } finally {
    closeSync(file);
  }
  if (length >= ZIP_LIMIT) throw new Error(`${target} is too large for a ZIP file`);
  const hexes = digests.map((digest, index) => `${algorithms[index]}:${digest.digest('hex')}`);
  return { length, hash: hexes.join(' ') };
}

function isWorthCompressing({ type }: Bitstream, content: Uint8Array | Readable): boolean {
  return !COMPRESSED.test(type ?? '') && !(content instanceof Uint8Array && isNoise(content));
}

const PROBE_BYTES = 2048;

/**
 * Whether bytes are spread so evenly that compressing them takes long and saves next to nothing: how often two from the
 * middle are equal, against what chance would have. Media types tell of most such files, but not of all.
 */
function isNoise(content: Uint8Array): boolean {
  const start = Math.max(0, content.length - PROBE_BYTES) >>> 1;
  const end = Math.min(content.length, start + PROBE_BYTES);
  const bytes = end - start;
  const counts = new Uint16Array(256);
  let pairs = 0;
  for (let index = start; index < end; index++) {
    const byte = content[index] ?? 0;
    const before = counts[byte] ?? 0;
    pairs += before;
    counts[byte] = before + 1;
  }
  return bytes > 256 && pairs * 512 < bytes * (bytes - 1) * 1.5;
}

/** The digest to tell the bytes by, and what node:crypto calls it: one of those that are quick, the best of them. */
function pickDigest(bitstream: Bitstream): readonly [algorithm: string, hex: string] {
  const digests = parseDigests(bitstream.hash);
  const picked = digests.find(([algorithm]) => algorithm === 'sha-256') ?? digests[0];
  if (picked === undefined) throw new Error(`${bitstream.name} has no digest`);
  return [opensslName(picked[0]), picked[1]];
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  const [only] = all;
  return all.length === 1 && only !== undefined ? only : Buffer.concat(all);
}

/** Reads bytes, and makes sure that they are those which were described. */
async function* readBitstream(
  bitstream: Bitstream,
  site: string,
  reader: BlobReader | undefined,
): AsyncGenerator<Uint8Array, void> {
  const { name, length, source } = bitstream;
  const [algorithm, digest] = pickDigest(bitstream);
  const pieces = 'file' in source ? readFile(join(site, source.file), length) : reader?.read(source.blob);
  let stream: Hash | undefined;
  let only: Uint8Array = new Uint8Array();
  let read = 0;
  for await (const piece of pieces ?? []) {
    if (piece.length < length) stream = (stream ?? createHash(algorithm)).update(piece);
    else only = piece;
    read += piece.length;
    yield piece;
  }
  // Most files come in one piece, which is digested at once: that is quicker.
  const actual = stream?.digest('hex') ?? hash(algorithm, only, 'hex');
  if (read === length && actual === digest) return;
  const what = 'file' in source ? join(site, source.file) : `blob ${source.blob}`;
  throw new ResyncError(
    'file-changing',
    say`${what} is no longer what was described, and cannot be packed as ${name}.\nRun again when the build has finished.`,
  );
}

/** One piece if the file is small. Reads no more than the file had when it was described, and one byte. */
function* readFile(path: string, length: number): Generator<Buffer, void> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    // What is said of a file that has changed says enough of one that is gone.
    return;
  }
  try {
    for (let rest = length + 1; rest > 0; ) {
      const piece = Buffer.allocUnsafe(Math.min(rest, READ_BYTES + 1));
      let filled = 0;
      while (filled < piece.length) {
        const count = readSync(file, piece, filled, piece.length - filled, null);
        if (count === 0) break;
        filled += count;
      }
      if (filled > 0) yield piece.subarray(0, filled);
      if (filled < piece.length) return;
      rest -= filled;
    }
  } finally {
    closeSync(file);
  }
}
