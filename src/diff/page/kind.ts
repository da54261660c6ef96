/** Says whether readers see a change of a page: by reading both versions, within bounds, or by reading what changed. */

import { decodePage, decodeText } from '../../base/text/utf8.js';
import { maskLink } from '../../paths/asset-names.js';
import { compareTexts, PAGE_LIMIT } from '../../site/page/text/compare.js';
import { estimatePageText, findContext } from '../../site/page/text/seen.js';
import { compareInStep } from '../../site/page/text/step.js';
import { findWindow, widenWindow } from '../text/window.js';

type LinkReader = (href: string) => string;

/** Reads what is seen of a page, as `readPageText` does; undefined where it refuses. */
export type MarkupReader = (markup: string, readLink?: LinkReader) => string | undefined;

/** How much is done before changes are taken to be seen. */
export interface SeenBounds {
  /** Pages of which both versions are read. */
  readonly pages: number;
  /** What a reader is given in all. @default 16 million characters, which takes it about a second */
  readonly characters?: number;
  /** What is looked at without it, in all, and may be told wrong. @default 64 MB, about a second, too */
  readonly estimates?: number;
}

/** Whether readers see a change. */
export type SeenTest = (before: Uint8Array, after: Uint8Array) => boolean;

/** Makes the test, which remembers how much it did. Beyond all bounds, it takes changes to be seen. */
export function makeSeenTest(readPage: MarkupReader | undefined, bounds: SeenBounds): SeenTest {
  const left = {
    pages: readPage === undefined ? 0 : bounds.pages,
    characters: bounds.characters ?? 16_000_000,
  };
  const read = startReading(readPage, left);
  let { estimates = 64_000_000 } = bounds;

  function estimate(before: Uint8Array, after: Uint8Array): boolean {
    const changed = findWindow(before, after);
    const { start, beforeEnd, afterEnd } = widenWindow(before, after, changed);
    estimates -= beforeEnd + afterEnd - start;
    if (estimates < 0) return true;
    const lead = decodeText(before.subarray(0, start));
    const context = lead.slice(findContext(lead));
    const former = estimatePageText(context + decodeText(before.subarray(start, beforeEnd)));
    return former !== estimatePageText(context + decodeText(after.subarray(start, afterEnd)));
  }

  return (before, after) => {
    const told = (left.pages > 0 ? compareTexts : compareInStep)(before, after);
    return told ?? read(before, after) ?? estimate(before, after);
  };
}

/** What is parsed for all pages together, in characters: a few seconds. */
const PARSED_LIMIT = 60_000_000;

/** What was found out about two versions of a page. */
export interface TextVerdict {
  /** Whether its text changed. */
  readonly isNew: boolean;
  /** What a parser was given for that, in characters. */
  readonly parsed: number;
}

/** Says what is right, or nothing: undefined where nobody found out. It remembers how much was done. */
export interface TextTest {
  readonly compare: (before: Uint8Array, after: Uint8Array) => Promise<TextVerdict | undefined>;
  /** Takes what was found out before, within the same bounds, so that it makes no difference. */
  readonly repeat: (verdict: TextVerdict) => TextVerdict | undefined;
}

/** @param load is called when a glance does not tell the first change. @default loads what reads as browsers do */
export function makeTextTest(
  load = async (): Promise<MarkupReader> => (await import('./read.js')).readPageText,
): TextTest {
  const left = { pages: Number.POSITIVE_INFINITY, characters: PARSED_LIMIT };
  let read: ReturnType<typeof startReading> | undefined;
  return {
    async compare(before, after) {
      const told = compareTexts(before, after, maskLink);
      if (told !== undefined) return { isNew: told, parsed: 0 };
      read ??= startReading(await load(), left, maskLink);
      const { characters } = left;
      const isNew = read(before, after);
      return isNew === undefined ? undefined : { isNew, parsed: characters - left.characters };
    },
    repeat(verdict) {
      if (verdict.parsed > left.characters) return undefined;
      left.characters -= verdict.parsed;
      return verdict;
    },
  };
}

/** Reads both versions of pages within bounds; undefined beyond them. @param left what may still be done */
function startReading(
  readPage: MarkupReader | undefined,
  left: { pages: number; characters: number },
  readLink?: LinkReader,
) {
  return (before: Uint8Array, after: Uint8Array): boolean | undefined => {
    const length = before.length + after.length;
    const isLong = Math.max(before.length, after.length) > PAGE_LIMIT || length > left.characters;
    if (readPage === undefined || left.pages <= 0 || isLong) return undefined;
    left.pages--;
    left.characters -= length;
    const former = readPage(decodePage(before), readLink);
    const present = former === undefined ? undefined : readPage(decodePage(after), readLink);
    return present === undefined ? undefined : former !== present;
  };
}
