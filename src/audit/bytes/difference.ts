/** Where the bytes of an origin and of a file begin to differ. */

import { readFileSync } from 'node:fs';
import type { Opened } from '../../source/origin/origin.js';

/** Some bytes of a file and of what was fetched instead, from where they differ on. */
export interface ByteDifference {
  /** Number of bytes before it. */
  readonly offset: number;
  readonly found: string;
  readonly expected: string;
}

const EXCERPT = 60;
const MOST_COMPARED = 64 * 1024 * 1024;

/** Fetches once more and finds where the bytes begin to differ from those of a file; undefined when they do not. */
export async function findDifference(opened: Opened, path: string): Promise<ByteDifference | undefined> {
  const expected = readFileSync(path);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of opened.body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > Math.min(expected.length + EXCERPT, MOST_COMPARED)) break;
  }
  const found = Buffer.concat(chunks);
  if (found.equals(expected)) return undefined;
  let offset = 0;
  while (offset < expected.length && found[offset] === expected[offset]) offset++;
  const excerpt = (bytes: Buffer) => JSON.stringify(bytes.toString('utf8', offset, offset + EXCERPT));
  return { offset, found: excerpt(found), expected: excerpt(expected) };
}
