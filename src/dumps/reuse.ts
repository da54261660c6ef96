/** Takes out of former packages what is still right, so that it need not be compressed again. */

import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Bitstream } from '../plan/packages.js';
import { pickDigest } from './bitstreams.js';
import { isWorthCompressing } from './compress.js';
import { EAGER_BYTES, MANIFEST, type PackJob } from './job.js';
import { isCompressed, listMembers, type Part, type ReadAt, readContent, readPart } from './zip.js';

/** Takes from former packages what is still what was described, and is stored as it would be now. */
export function takeParts({ former, bitstreams, comment }: PackJob): Map<string, Part> {
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
export function mergeParts(
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
