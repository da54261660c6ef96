/**
 * Takes members out of ZIP files and puts them together to another, as they stand there, without compressing them again.
 * Knows of the format (APPNOTE.TXT, section 4.3) what JSZip writes when it is not streaming.
 */

import { inflateRawSync } from 'node:zlib';
import { systemErrorCode } from '../errors.js';

/** Reads so many bytes from a position on; fewer where there are no more. */
export type ReadAt = (position: number, length: number) => Buffer;

/** A file in a ZIP file. */
export interface Member {
  readonly name: string;
  /** Its entry in the directory at the end of the ZIP file. */
  readonly entry: Buffer;
}

/** A member with its bytes. */
export interface Part extends Member {
  /** Header, name and content, one after another. */
  readonly record: Buffer;
}

const RECORD = { signature: 0x04034b50, bytes: 30 };
const ENTRY = { signature: 0x02014b50, bytes: 46 };
const END = { signature: 0x06054b50, bytes: 22 };

/**
 * Lists what is in a ZIP file.
 *
 * @param size of the file, in bytes
 * @param comment with which the file has to end
 * @returns nothing if it is not a ZIP file that ends so
 */
export function listMembers(size: number, readAt: ReadAt, comment: string): Member[] {
  const ending = Buffer.from(comment);
  const position = size - END.bytes - ending.length;
  if (position < 0) return [];
  const end = readAt(position, END.bytes + ending.length);
  if (!begins(end, END) || !end.subarray(END.bytes).equals(ending)) return [];
  const directory = readAt(end.readUInt32LE(16), end.readUInt32LE(12));
  const members: Member[] = [];
  for (let start = 0; start < directory.length; ) {
    const rest = directory.subarray(start);
    if (!begins(rest, ENTRY)) return [];
    const entry = rest.subarray(0, ENTRY.bytes + nameBytes(rest) + rest.readUInt16LE(32));
    members.push({ name: entry.toString('utf8', ENTRY.bytes, ENTRY.bytes + entry.readUInt16LE(28)), entry });
    start += entry.length;
  }
  return members;
}

/** Gets the bytes of a member; undefined where they are not what its entry says. */
export function readPart(member: Member, readAt: ReadAt): Part | undefined {
  const { entry } = member;
  const names = nameBytes(entry);
  const length = RECORD.bytes + names + entry.readUInt32LE(20);
  const record = readAt(entry.readUInt32LE(42), length);
  const agrees =
    record.length === length &&
    begins(record, RECORD) &&
    // What entry and header have in common, names included.
    record.subarray(4, RECORD.bytes).equals(entry.subarray(6, 32)) &&
    record
      .subarray(RECORD.bytes, RECORD.bytes + names)
      .equals(entry.subarray(ENTRY.bytes, ENTRY.bytes + names));
  return agrees ? { ...member, record } : undefined;
}

/** Whether the bytes of a member are compressed. */
export function isCompressed({ entry }: Member): boolean {
  return entry.readUInt16LE(10) !== 0;
}

/** Gets what the bytes of a member stand for; undefined if they are damaged in a way that shows. */
export function readContent(part: Part): Buffer | undefined {
  const { entry, record } = part;
  const data = record.subarray(RECORD.bytes + nameBytes(entry));
  return isCompressed(part) ? inflate(data, entry.readUInt32LE(24)) : data;
}

function inflate(data: Buffer, length: number): Buffer | undefined {
  try {
    return inflateRawSync(data, { maxOutputLength: length + 1 });
  } catch (error) {
    // Of zlib, or too much of it.
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/**
 * Makes a ZIP file. What only entries say, such as who may read a file, is said of all as of the first.
 *
 * @param parts at least one
 */
export function* joinParts(parts: readonly [Part, ...Part[]], comment: string): Generator<Buffer, void> {
  const [{ entry: first }] = parts;
  const entries: Buffer[] = [];
  let position = 0;
  for (const { record } of parts) {
    yield record;
    const entry = Buffer.alloc(ENTRY.bytes);
    first.copy(entry, 0, 0, ENTRY.bytes);
    record.copy(entry, 6, 4, RECORD.bytes);
    entry.writeUInt32LE(position, 42);
    entries.push(entry, record.subarray(RECORD.bytes, RECORD.bytes + nameBytes(entry)));
    position += record.length;
  }
  const directory = Buffer.concat(entries);
  const ending = Buffer.from(comment);
  const end = Buffer.alloc(END.bytes);
  end.writeUInt32LE(END.signature, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(position, 16);
  end.writeUInt16LE(ending.length, 20);
  yield Buffer.concat([directory, end, ending]);
}

function begins(bytes: Buffer, { signature, bytes: least }: typeof RECORD): boolean {
  return bytes.length >= least && bytes.readUInt32LE(0) === signature;
}

/** How many bytes an entry has for the name, and for more about it. */
function nameBytes(entry: Buffer): number {
  return entry.readUInt16LE(28) + entry.readUInt16LE(30);
}
