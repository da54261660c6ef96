/** Finds the part of a text that changed without decoding or splitting the rest. */

/** Where two versions differ, in bytes: from `start`, which both have in common, up to the ends, which are exclusive. */
export interface Window {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

const LINE_FEED = 0x0a;
const TAG_OPEN = 0x3c;
const TAG_CLOSE = 0x3e;

/** Leaves out what both versions begin with, and what both end with. */
export function findWindow(before: Uint8Array, after: Uint8Array): Window {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let [beforeEnd, afterEnd] = [before.length, after.length];
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--;
    afterEnd--;
  }
  return { start, beforeEnd, afterEnd };
}

/**
 * Widens a window to whole lines, or to whole pieces: a piece ends where a line does, and between two tags, so that
 * pages that are one long line have pieces too.
 */
export function widenWindow(
  before: Uint8Array,
  after: Uint8Array,
  { start, beforeEnd, afterEnd }: Window,
  by: 'lines' | 'pieces',
): Window {
  // What stands before the start is the same in both; what stands at it is not.
  let first = start;
  while (first > 0 && before[first - 1] !== LINE_FEED) {
    if (by === 'pieces' && first < start && isBetweenTags(before, first)) break;
    first--;
  }
  const endsInBoth =
    (beforeEnd === first || before[beforeEnd - 1] === LINE_FEED) &&
    (afterEnd === first || after[afterEnd - 1] === LINE_FEED);
  let last = beforeEnd;
  if (!endsInBoth) {
    last++;
    while (last < before.length && before[last - 1] !== LINE_FEED) {
      if (by === 'pieces' && isBetweenTags(before, last)) break;
      last++;
    }
    last = Math.min(last, before.length);
  }
  return { start: first, beforeEnd: last, afterEnd: afterEnd + last - beforeEnd };
}

function isBetweenTags(bytes: Uint8Array, place: number): boolean {
  return bytes[place] === TAG_OPEN && bytes[place - 1] === TAG_CLOSE;
}

/** Splits a text as `widenWindow` does by pieces. A piece keeps its end. */
export function splitPieces(text: string): string[] {
  return text.split(/(?<=\n)|(?<=>)(?=<)/);
}
