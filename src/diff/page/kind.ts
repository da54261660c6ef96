/** Says whether readers see a change of a page: by reading both versions, within bounds, or by reading what changed. */

import { decodeText } from '../content.js';
import type { Window } from '../text/window.js';
import { isSeenAtOnce } from './glance.js';
import { estimatePageText, findContext } from './seen.js';

/** Reads what is seen of a page; undefined where it refuses. */
export type MarkupReader = (markup: string) => string | undefined;

/** What a reader is given, in characters: of one page, and in all, which takes it about a second. */
const PAGE_LIMIT = 1_000_000;
const PAGES_LIMIT = 16_000_000;
/** What is looked at without it, in all; about a second, too. In bytes. */
const ESTIMATES_LIMIT = 64_000_000;

/** Whether readers see a change. */
export type SeenTest = (before: Uint8Array, after: Uint8Array, window: Window) => boolean;

/** Makes the test, which remembers how much it did. Beyond all bounds, it takes changes to be seen. */
export function makeSeenTest(readPage: MarkupReader | undefined, pageLimit: number): SeenTest {
  let pages = readPage === undefined ? 0 : pageLimit;
  let characters = PAGES_LIMIT;
  let estimates = ESTIMATES_LIMIT;

  function read(before: Uint8Array, after: Uint8Array): boolean | undefined {
    const length = before.length + after.length;
    if (pages <= 0 || Math.max(before.length, after.length) > PAGE_LIMIT || length > characters)
      return undefined;
    pages--;
    characters -= length;
    const [former, present] = [readPage?.(decodeText(before)), readPage?.(decodeText(after))];
    return former === undefined || present === undefined ? undefined : former !== present;
  }

  function estimate(before: Uint8Array, after: Uint8Array, { start, beforeEnd, afterEnd }: Window): boolean {
    estimates -= beforeEnd + afterEnd - start;
    if (estimates < 0) return true;
    const lead = decodeText(before.subarray(0, start));
    const context = lead.slice(findContext(lead));
    const former = estimatePageText(context + decodeText(before.subarray(start, beforeEnd)));
    return former !== estimatePageText(context + decodeText(after.subarray(start, afterEnd)));
  }

  return (before, after, window) =>
    isSeenAtOnce(before, after, window.start) || (read(before, after) ?? estimate(before, after, window));
}
