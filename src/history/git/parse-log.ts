/** Takes apart what `git log --raw -z` writes. */

import { isAscii, isUtf8 } from 'node:buffer';
import type { PathChange, Publication } from '../plan/replay.js';

/** Publications, as they come. */
export interface LogParser {
  /** Takes what comes next, and tells which publications are whole: of the last one, more changes may follow. */
  readonly take: (chunk: Buffer) => Publication[];
  /** Tells the last ones. */
  readonly finish: () => Publication[];
}

/** In a line such as `:100644 100755 3b18e51… 6361626… M`: where the mode is that the file has now. */
const MODE = 8;

/** How that of a regular file begins: `100`. */
const REGULAR = [0x31, 0x30, 0x30];

/** All of that line but the two ids, in bytes. */
const AROUND_IDS = 18;

/** What each publication begins with, as we ask for it. */
const BEGINNING = 1;
const LINE_BREAK = 10;

/** @param skip bytes of the path to the folder, with its slash */
export function startLogParser(skip: number): LogParser {
  const publications: { id: string; seconds: number; changes: PathChange[] }[] = [];
  // Most paths change again and again; each is kept once.
  const paths = new Map<string, string>();
  let change: { readonly blob: string | undefined } | undefined;
  let rest: Buffer = Buffer.alloc(0);

  return {
    take(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const isPlain = isAscii(bytes);
      let start = 0;
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
        readToken(bytes, start, end, isPlain);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      return publications.splice(0, publications.length - 1);
    },
    finish() {
      if (rest.length > 0) readToken(rest, 0, rest.length, false);
      return publications;
    },
  };

  /** Reads a path, or what stands before it. No part of the bytes is made a buffer of its own: there are very many. */
  function readToken(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (change !== undefined) {
      readPath(bytes, start + skip, end, isPlain);
      return;
    }
    const line = bytes[start] === BEGINNING ? readBeginning(bytes, start, end) : start;
    if (line >= end) return;
    const isRegular = REGULAR.every((digit, index) => bytes[line + MODE + index] === digit);
    const length = (end - line - AROUND_IDS) / 2;
    change = { blob: isRegular ? bytes.toString('latin1', end - 2 - length, end - 2) : undefined };
  }

  /** @returns where the first change begins */
  function readBeginning(bytes: Buffer, start: number, end: number): number {
    const found = bytes.indexOf(LINE_BREAK, start);
    const lineEnd = found === -1 || found > end ? end : found;
    const [id = '', seconds] = bytes.toString('latin1', start + 1, lineEnd).split(' ');
    publications.push({ id, seconds: Number(seconds), changes: [] });
    return lineEnd + 1;
  }

  function readPath(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    const blob = change?.blob;
    change = undefined;
    // A name that is not UTF-8 has no URL; it was never a resource. Nor was a file in the place of the folder.
    if (start >= end || !(isPlain || isUtf8(bytes.subarray(start, end)))) return;
    const read = bytes.toString(isPlain ? 'latin1' : 'utf8', start, end);
    const known = paths.get(read);
    if (known === undefined) paths.set(read, read);
    publications.at(-1)?.changes.push({ path: known ?? read, blob });
  }
}
