/** Reads ZIP packages of others, and trusts no name and no size in them. */

import { closeSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, inflateRawSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { isSafePath } from '../../standard/model.js';
import { type Body, type Bounds, makeBody } from '../web/bounds.js';

/** A package may unpack to this many times its own bytes, plus this many bytes; a ZIP bomb claims any number. */
const MOST_TIMES = 200;
const MOST_MORE = 64 * 1024 * 1024;
const MOST_UNPACKED = 16 * 1024 ** 3;
/** Limit of the files in a package; a manifest names at most half as many. */
const MOST_ENTRIES = 2 * DOCUMENT_LIMITS.entries;
/** Limit of the bytes of all names and comments in the table of contents, which stays in memory. */
const MOST_TABLE = 32 * 1024 * 1024;
const MOST_UNSAFE = 1000;

type PackageFault = 'package-unreadable' | 'package-unsafe' | 'package-excessive';

/** Thrown if a package, or a file in it, cannot be read; the message is what was found. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly code: PackageFault;

  constructor(code: PackageFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export class OpenPackage {
  /** The paths of the files in the package, each with a leading slash. */
  readonly paths: ReadonlySet<string>;
  /** Names of files that are unsafe to unpack: outside of the folder, links, or names that occur twice; the first thousand. */
  readonly unsafe: readonly string[];
  readonly #opened: OpenedZip;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #bounds: Bounds;

  constructor(opened: OpenedZip, { entries, unsafe }: TableOfContents, bounds: Bounds) {
    this.paths = new Set(entries.keys());
    this.unsafe = unsafe;
    this.#opened = opened;
    this.#entries = entries;
    this.#bounds = bounds;
  }

  /** Reads a file in the package. @throws PackageError, also while the body is read */
  read(path: string): Body {
    const { zip, window } = this.#opened;
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new PackageError('package-unreadable', `${path} is not there`);
    const small = readSmall(window, entry);
    if (small === undefined) return readEntry(zip, entry, path, this.#bounds);
    this.#bounds.take(small.length);
    if (crc32(small) !== entry.crc32) throw wrongChecksum(path);
    return makeBody(small);
  }

  close(): void {
    this.#opened.zip.close();
    closeSync(this.#opened.descriptor);
  }
}

interface OpenedZip {
  readonly descriptor: number;
  readonly window: FileWindow;
  readonly zip: ZipFile;
}

/** Opens a package. @param bytes size of the file @throws PackageError */
export async function openPackage(file: string, bytes: number, bounds: Bounds): Promise<OpenPackage> {
  const descriptor = openSync(file, 'r');
  let zip: ZipFile | undefined;
  try {
    const window = new FileWindow(descriptor);
    const options = { autoClose: false, decodeStrings: false };
    const opened = await guard(() =>
      yauzl.fromRandomAccessReaderPromise(new WindowReader(window), bytes, options),
    );
    zip = opened;
    const contents = await guard(() => readTable(opened, bytes));
    return new OpenPackage({ descriptor, window, zip }, contents, bounds);
  } catch (error) {
    zip?.close();
    closeSync(descriptor);
    throw error;
  }
}

interface TableOfContents {
  /** Files in the package by path, with a leading slash. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly unsafe: readonly string[];
}

async function readTable(zip: ZipFile, bytes: number): Promise<TableOfContents> {
  if (zip.entryCount > MOST_ENTRIES) throw new PackageError('package-excessive', `${zip.entryCount} files`);
  const entries = new Map<string, Entry>();
  const unsafe: string[] = [];
  const mostUnpacked = Math.min(bytes * MOST_TIMES + MOST_MORE, MOST_UNPACKED);
  let unpacked = 0;
  let table = 0;
  for await (const entry of zip.eachEntry()) {
    const name = String(entry.fileName);
    table += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (table > MOST_TABLE)
      throw new PackageError('package-excessive', `a table of contents of more than ${MOST_TABLE} bytes`);
    if (name.endsWith('/')) continue;
    unpacked += entry.uncompressedSize;
    if (unpacked > mostUnpacked)
      throw new PackageError('package-excessive', `unpacks to more than ${unpacked} bytes; it has ${bytes}`);
    if (!isSafePath(`/${name}`) || isLink(entry) || entries.has(`/${name}`)) {
      if (unsafe.length < MOST_UNSAFE) unsafe.push(name);
    } else entries.set(`/${name}`, entry);
  }
  return { entries, unsafe };
}

/** Tests for a symbolic link of Unix, which is a file with a mode of its own. */
function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

async function* readEntry(zip: ZipFile, entry: Entry, path: string, bounds: Bounds): AsyncGenerator<Buffer> {
  let checksum = 0;
  const stream = await guard(() => zip.openReadStreamPromise(entry));
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      // yauzl fails if a file has more bytes than the table of contents says, or fewer.
      const { done, value } = await guard(() => chunks.next());
      if (done === true) break;
      bounds.take(value.length);
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

/** Turns errors of yauzl and zlib, which are plain ones, into errors about the package. */
async function guard<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw new PackageError('package-unreadable', error.message, { cause: error });
  }
}

/** Limit of a small file in bytes, both packed and unpacked. */
const MOST_BYTES = 256 * 1024;
/** Bytes of the header before a file, without its name, and of its extra fields: the table of contents may have shorter ones. */
const HEADER_BYTES = 30;
const MOST_EXTRA = 512;
const SIGNATURE = 0x04034b50;

/** Reads a small file at once; undefined if it is large or unusual in any way, which yauzl then reads or refuses. */
function readSmall(window: FileWindow, entry: Entry): Buffer | undefined {
  const { compressedSize, uncompressedSize, compressionMethod, fileNameLength } = entry;
  if (Math.max(compressedSize, uncompressedSize) > MOST_BYTES || !entry.canDecodeFileData()) return undefined;
  const start = entry.relativeOffsetOfLocalHeader;
  const found = window.read(start, HEADER_BYTES + fileNameLength + MOST_EXTRA + compressedSize);
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

/** A part of a file in memory, for many small reads nearby. */
class FileWindow {
  readonly #descriptor: number;
  #bytes = Buffer.alloc(0);
  #start = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Returns bytes at a position, fewer at the end of the file. The bytes never change: each window is a new buffer. */
  read(position: number, length: number): Buffer {
    const from = position - this.#start;
    if (from >= 0 && from + length <= this.#bytes.length) return this.#bytes.subarray(from, from + length);
    const room = Buffer.allocUnsafe(Math.max(length, WINDOW_BYTES));
    this.#bytes = room.subarray(0, readSync(this.#descriptor, room, 0, room.length, position));
    this.#start = position;
    return this.#bytes.subarray(0, length);
  }

  *readRange(start: number, end: number): Generator<Buffer, void> {
    for (let position = start; position < end; ) {
      const piece = this.read(position, Math.min(end - position, PIECE_BYTES));
      if (piece.length === 0) return;
      yield piece;
      position += piece.length;
    }
  }
}

const PIECE_BYTES = 64 * 1024;

/** Reads a file for yauzl, whose own reader needs a turn of a thread for every few bytes. */
class WindowReader extends yauzl.RandomAccessReader {
  readonly #window: FileWindow;

  constructor(window: FileWindow) {
    super();
    this.#window = window;
  }

  override read(
    ...[buffer, offset, length, position, callback]: Parameters<yauzl.RandomAccessReader['read']>
  ): void {
    try {
      const found = this.#window.read(position, length);
      found.copy(buffer, offset);
      callback(found.length < length ? new Error('unexpected EOF') : null);
    } catch (error) {
      callback(error as Error);
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#window.readRange(start, end), { objectMode: false });
  }
}
