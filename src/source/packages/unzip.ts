/** Reads ZIP packages that others made: every name and size is taken for a lie until it has been looked at. */

import { closeSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, inflateRawSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { isSafePath } from '../../standard/model.js';
import { type Body, type Bounds, makeWhole } from '../web/bounds.js';

/** Packages may unpack to so many times their own bytes, and so many more; there is no end to what a bomb claims. */
const MOST_TIMES = 200;
const MOST_MORE = 64 * 1024 * 1024;
/** Of all files of a package together. */
const MOST_UNPACKED = 16 * 1024 ** 3;
/** A manifest names half as many files at most. */
const MOST_ENTRIES = 2 * DOCUMENT_LIMITS.entries;
/** Bytes of all names and remarks in the table of contents, which stays in memory. */
const MOST_TABLE = 32 * 1024 * 1024;
const MOST_UNSAFE = 1000;

type PackageFault = 'package-unreadable' | 'package-unsafe' | 'package-excessive';

/** A package, or a file in it, cannot be read; the message is what was found. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly code: PackageFault;

  constructor(code: PackageFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A package whose table of contents has been read. */
export type OpenPackage = Readonly<Awaited<ReturnType<typeof openPackage>>>;

/**
 * Opens a package.
 *
 * @param bytes size of the file
 * @throws PackageError
 */
export async function openPackage(file: string, bytes: number, bounds: Bounds) {
  const descriptor = openSync(file, 'r');
  const look = openWindow(descriptor);
  const options = { autoClose: false, decodeStrings: false };
  const zip = await guard(() =>
    yauzl.fromRandomAccessReaderPromise(new WindowReader(look), bytes, options),
  ).catch((error: unknown) => {
    closeSync(descriptor);
    throw error;
  });
  const entries = new Map<string, Entry>();
  const unsafe: string[] = [];
  const mostUnpacked = Math.min(bytes * MOST_TIMES + MOST_MORE, MOST_UNPACKED);
  let unpacked = 0;
  let table = 0;
  try {
    if (zip.entryCount > MOST_ENTRIES) throw new PackageError('package-excessive', `${zip.entryCount} files`);
    await guard(async () => {
      for await (const entry of zip.eachEntry()) {
        const name = String(entry.fileName);
        table += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
        if (table > MOST_TABLE)
          throw new PackageError('package-excessive', `a table of contents of more than ${MOST_TABLE} bytes`);
        if (name.endsWith('/')) continue;
        unpacked += entry.uncompressedSize;
        if (unpacked > mostUnpacked) {
          throw new PackageError(
            'package-excessive',
            `unpacks to more than ${unpacked} bytes; it has ${bytes}`,
          );
        }
        if (!isSafePath(`/${name}`) || isLink(entry) || entries.has(`/${name}`)) {
          if (unsafe.length < MOST_UNSAFE) unsafe.push(name);
        } else entries.set(`/${name}`, entry);
      }
    });
  } catch (error) {
    zip.close();
    closeSync(descriptor);
    throw error;
  }
  return {
    /** The paths of its files, each with a leading slash. */
    paths: new Set(entries.keys()) as ReadonlySet<string>,
    /** Names that would be written elsewhere than below the folder where the package is unpacked. */
    unsafe: unsafe as readonly string[],
    /** @throws PackageError while it is read */
    read: (path: string): Body => {
      const entry = entries.get(path);
      const small = entry && readSmall(look, entry);
      if (entry === undefined || small === undefined) return readEntry(zip, entry, path, bounds);
      bounds.take(small.length);
      if (crc32(small) !== entry.crc32) throw wrongChecksum(path);
      return makeWhole(small);
    },
    close(): void {
      zip.close();
      closeSync(descriptor);
    },
  };
}

/** Unix symbolic links are files with a mode of their own. */
function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

async function* readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  path: string,
  { take }: Bounds,
): AsyncGenerator<Buffer> {
  if (entry === undefined) throw new PackageError('package-unreadable', `${path} is not there`);
  let checksum = 0;
  const stream = await guard(() => zip.openReadStreamPromise(entry));
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      // yauzl ends with an error when there are more bytes than the table of contents says, or fewer.
      const { done, value } = await guard(() => chunks.next());
      if (done === true) break;
      take(value.length);
      checksum = crc32(value, checksum);
      yield value;
    }
  } finally {
    stream.destroy();
  }
  if (checksum !== entry.crc32) throw wrongChecksum(path);
}

function wrongChecksum(path: string): PackageError {
  return new PackageError('package-unreadable', `${path}: the checksum is wrong`);
}

/** What yauzl and zlib throw is about the package; a bug of ours has a class of its own. */
async function guard<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw new PackageError('package-unreadable', error.message, { cause: error });
  }
}

/** Of a file in the package, and of what it unpacks to. */
const MOST_BYTES = 256 * 1024;
/** Of the header before a file, without its name; the extra fields have other lengths than in the table of contents. */
const HEADER_BYTES = 30;
const MOST_EXTRA = 512;
const SIGNATURE = 0x04034b50;

/**
 * Reads a file of a package.
 *
 * @param look into the package
 * @returns undefined where it is not small, or in any way not as usual: then it is left to those who know what is wrong
 */
function readSmall(look: ReadWindow, entry: Entry): Buffer | undefined {
  const { compressedSize, uncompressedSize, compressionMethod, fileNameLength } = entry;
  if (Math.max(compressedSize, uncompressedSize) > MOST_BYTES || !entry.canDecodeFileData()) return undefined;
  const start = entry.relativeOffsetOfLocalHeader;
  const found = look(start, HEADER_BYTES + fileNameLength + MOST_EXTRA + compressedSize);
  if (found.length < HEADER_BYTES || found.readUInt32LE(0) !== SIGNATURE) return undefined;
  const begin = HEADER_BYTES + found.readUInt16LE(26) + found.readUInt16LE(28);
  const packed = found.subarray(begin, begin + compressedSize);
  if (packed.length !== compressedSize) return undefined;
  const bytes = compressionMethod === 0 ? packed : inflate(packed, uncompressedSize);
  return bytes?.length === uncompressedSize ? bytes : undefined;
}

function inflate(packed: Buffer, length: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, length) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

const WINDOW_BYTES = 256 * 1024;

/** Bytes at a position; fewer at the end of the file. They stay as they are: each window is a new buffer. */
type ReadWindow = (position: number, length: number) => Buffer;

/** Starts to read a file. */
function openWindow(descriptor: number): ReadWindow {
  let bytes = Buffer.alloc(0);
  let start = 0;
  return (position, length) => {
    const from = position - start;
    if (from >= 0 && from + length <= bytes.length) return bytes.subarray(from, from + length);
    const room = Buffer.allocUnsafe(Math.max(length, WINDOW_BYTES));
    bytes = room.subarray(0, readSync(descriptor, room, 0, room.length, position));
    start = position;
    return bytes.subarray(0, length);
  };
}

/** Reads a file for yauzl: its own reader takes a turn of a thread for each few bytes. */
class WindowReader extends yauzl.RandomAccessReader {
  readonly #look: ReadWindow;

  constructor(look: ReadWindow) {
    super();
    this.#look = look;
  }

  override read(
    ...[buffer, offset, length, position, callback]: Parameters<yauzl.RandomAccessReader['read']>
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
    return Readable.from(readRange(this.#look, start, end), { objectMode: false });
  }
}

function* readRange(look: ReadWindow, start: number, end: number): Generator<Buffer, void> {
  for (let position = start; position < end; ) {
    const piece = look(position, Math.min(end - position, PIECE_BYTES));
    if (piece.length === 0) return;
    yield piece;
    position += piece.length;
  }
}

const PIECE_BYTES = 64 * 1024;
