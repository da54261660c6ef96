/** Takes out of former packages what is still right, so that it need not be compressed again. */

import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Bitstream } from '../../history/plan/packages.js';
import { pickDigest } from './bitstreams.js';
import { isWorthCompressing } from './compress.js';
import { type PackJob, WHOLE_BYTES } from './job.js';
import { listMembers, type ReadAt, readContent, readPart, type WholePart } from './zip.js';

/** Takes from former packages what is still what was described, and is stored as it would be now. */
export function takeParts({ former, bitstreams, comment }: PackJob): Map<string, WholePart> {
  const wanted = new Map(bitstreams.map((bitstream) => [bitstream.name, bitstream]));
  const parts = new Map<string, WholePart>();
  for (const file of isLittle(bitstreams) ? former : []) {
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
}

/** What is taken is held until it is written. */
function isLittle(bitstreams: readonly Bitstream[]): boolean {
  return bitstreams.reduce((sum, { length }) => sum + length, 0) <= WHOLE_BYTES;
}

function isOf(part: WholePart, bitstream: Bitstream): boolean {
  const content = readContent(part);
  const [algorithm, digest] = pickDigest(bitstream);
  return (
    content?.length === bitstream.length &&
    hash(algorithm, content, 'hex') === digest &&
    isWorthCompressing(bitstream, content) === part.compressed
  );
}

function readIn(zip: Buffer): ReadAt {
  return (position, length) => zip.subarray(position, position + length);
}

/**
 * Lists what can be taken from a package of a former run.
 *
 * @returns nothing for one that is too large to be read at once
 */
export function listPackage(path: string, comment: string): string[] {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > 2 * WHOLE_BYTES) return [];
    const readAt: ReadAt = (position, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position));
    };
    return listMembers(size, readAt, comment).map(({ name }) => name);
  } finally {
    closeSync(file);
  }
}
