/** The part of a text that changed, found without decoding or splitting the rest. */

import { splitLines } from '../../base/text/match.js';

/** The range in which two versions differ, in bytes; ends are exclusive. */
export interface Window {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

const LINE_FEED = 0x0a;
const TAG_OPEN = 0x3c;
const TAG_CLOSE = 0x3e;

/** Excludes the common beginning and end of both versions. */
export function findWindow(before: Uint8Array, after: Uint8Array): Window {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, beforeEnd: before.length - end, afterEnd: after.length - end };
}

/**
 * Widens a window to whole pieces. A piece ends at the end of a line or between two tags, so that pages in one long line have
 * pieces, too.
 */
export function widenWindow(
  before: Uint8Array,
  after: Uint8Array,
  { start, beforeEnd, afterEnd }: Window,
): Window {
  const lineStart = start === 0 ? 0 : before.lastIndexOf(LINE_FEED, start - 1) + 1;
  // Bytes before the start are equal in both versions.
  const first = findTagsBefore(before, start - 1, lineStart);
  const endsInBoth =
    (beforeEnd === first || before[beforeEnd - 1] === LINE_FEED) &&
    (afterEnd === first || after[afterEnd - 1] === LINE_FEED);
  if (endsInBoth) return { start: first, beforeEnd, afterEnd };
  const lineEnd = before.indexOf(LINE_FEED, beforeEnd) + 1 || before.length;
  const last = findTagsAfter(before, beforeEnd + 1, lineEnd);
  return { start: first, beforeEnd: last, afterEnd: afterEnd + last - beforeEnd };
}

function findTagsBefore(bytes: Uint8Array, from: number, lineStart: number): number {
  for (let place = from; place > lineStart; place--) if (isBetweenTags(bytes, place)) return place;
  return lineStart;
}

function findTagsAfter(bytes: Uint8Array, from: number, lineEnd: number): number {
  for (let place = from; place < lineEnd; place++) if (isBetweenTags(bytes, place)) return place;
  return lineEnd;
}

function isBetweenTags(bytes: Uint8Array, place: number): boolean {
  return bytes[place] === TAG_OPEN && bytes[place - 1] === TAG_CLOSE;
}

/** Splits a text into pieces, as `widenWindow` does, with their line endings. */
export function splitPieces(text: string): string[] {
  return splitLines(text).flatMap(splitTags);
}

function splitTags(line: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let end = line.indexOf('><'); end >= 0; end = line.indexOf('><', start)) {
    pieces.push(line.slice(start, end + 1));
    start = end + 1;
  }
  pieces.push(line.slice(start));
  return pieces;
}
