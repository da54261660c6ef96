/** Reads small files of a package at once: a stream for each would take longer than its bytes. */

import { inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { ReadWindow } from './window.js';

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
export function readSmall(look: ReadWindow, entry: Entry): Buffer | undefined {
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
