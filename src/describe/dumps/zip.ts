/** Writes ZIP files, always the same bytes for the same members (APPNOTE.TXT, section 4.3; no Zip64). */

import { crc32 } from 'node:zlib';

export interface MemberFacts {
  readonly crc: number;
  readonly packed: number;
  readonly length: number;
}

export interface ZipMember {
  readonly name: string;
  readonly compressed: boolean;
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Checksum and lengths; a function if they are known only after the last piece. */
  readonly facts: MemberFacts | (() => MemberFacts);
}

const RECORD = { signature: 0x04034b50, bytes: 30 };
const DESCRIPTOR = { signature: 0x08074b50, bytes: 16 };
const ENTRY = { signature: 0x02014b50, bytes: 46 };
const END = { signature: 0x06054b50, bytes: 22 };

/** Version of the ZIP format that is needed to extract: 2.0. */
const VERSION = 20;
/** The system of members is Unix: each is a regular file that its owner may write. */
const MADE_BY = (3 << 8) | VERSION;
const ATTRIBUTES = 0o100_644 * 0x1_0000;
/** Date of all members, the earliest that a ZIP file can hold: 1 January 1980. */
const DATE = (1 << 5) | 1;
const UTF8 = 1 << 11;
/** Flag of a member whose lengths and checksum follow its bytes. */
const DESCRIBED_AFTER = 1 << 3;

/** Makes a ZIP file of members, in their order. @param comment at the end of the file */
export async function* joinParts(
  parts: AsyncIterable<ZipMember> | Iterable<ZipMember>,
  comment: string,
): AsyncGenerator<Uint8Array, void> {
  const entries: Buffer[] = [];
  let count = 0;
  let position = 0;
  for await (const part of parts) {
    const known = typeof part.facts === 'function' ? undefined : part.facts;
    const name = Buffer.from(part.name);
    const header = makeHeader(name, part.compressed, known);
    yield header;
    yield name;
    for await (const piece of part.pieces) yield piece;
    const facts = typeof part.facts === 'function' ? part.facts() : part.facts;
    const descriptor = known === undefined ? makeDescriptor(facts) : undefined;
    if (descriptor !== undefined) yield descriptor;
    entries.push(makeEntry(header, facts, position), name);
    position += header.length + name.length + facts.packed + (descriptor?.length ?? 0);
    count++;
  }
  const directory = Buffer.concat(entries);
  yield directory;
  yield makeEnd({ count, bytes: directory.length, position }, Buffer.from(comment));
}

function makeHeader(name: Buffer, compressed: boolean, facts: MemberFacts | undefined): Buffer {
  const header = Buffer.alloc(RECORD.bytes);
  header.writeUInt32LE(RECORD.signature, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(facts === undefined ? UTF8 | DESCRIBED_AFTER : UTF8, 6);
  header.writeUInt16LE(compressed ? 8 : 0, 8);
  header.writeUInt16LE(DATE, 12);
  if (facts !== undefined) writeFacts(header, 14, facts);
  header.writeUInt16LE(name.length, 26);
  return header;
}

function writeFacts(target: Buffer, offset: number, { crc, packed, length }: MemberFacts): void {
  target.writeUInt32LE(crc, offset);
  target.writeUInt32LE(packed, offset + 4);
  target.writeUInt32LE(length, offset + 8);
}

function makeDescriptor(facts: MemberFacts): Buffer {
  const descriptor = Buffer.alloc(DESCRIPTOR.bytes);
  descriptor.writeUInt32LE(DESCRIPTOR.signature, 0);
  writeFacts(descriptor, 4, facts);
  return descriptor;
}

function makeEntry(header: Buffer, facts: MemberFacts, position: number): Buffer {
  const entry = Buffer.alloc(ENTRY.bytes);
  entry.writeUInt32LE(ENTRY.signature, 0);
  entry.writeUInt16LE(MADE_BY, 4);
  header.copy(entry, 6, 4, RECORD.bytes);
  writeFacts(entry, 16, facts);
  entry.writeUInt32LE(ATTRIBUTES, 38);
  entry.writeUInt32LE(position, 42);
  return entry;
}

function makeEnd(
  { count, bytes, position }: { readonly count: number; readonly bytes: number; readonly position: number },
  comment: Buffer,
): Buffer {
  const end = Buffer.alloc(END.bytes);
  end.writeUInt32LE(END.signature, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(position, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}

export function makePart(name: string, content: Uint8Array, deflate: Deflate | undefined): ZipMember {
  const packed = deflate?.(content) ?? content;
  return {
    name,
    compressed: deflate !== undefined,
    pieces: [packed],
    facts: { crc: crc32(content), packed: packed.length, length: content.length },
  };
}

/** Compresses bytes by the method Deflate (RFC 1951). */
type Deflate = (content: Uint8Array) => Uint8Array;
