/** Says whether readers see a change of a page: by reading both versions, within bounds, or by reading what changed. */

import { decodeText } from '../content.js';
import type { Window } from '../text/window.js';
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

/** Behind this, what stands before a change is not looked through. In bytes. */
const LEAD_LIMIT = 200_000;
const TEXT = /[^<]*/y;
const COMMENT = /<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->/y;
const DOCTYPE = /<!doctype[^<>"']*>/y;
const TAG = /<(\/?)([a-z][a-z\d]*)(?:\s+[^\s"'<>=/]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*\s*\/?>/y;
/** What is in them is no markup; of the first two, it is seen. */
const RAW = /^(?:title|textarea|script|style|noscript|iframe|noembed|noframes|xmp)$/;
/** Within them, or behind them, a parser has rules of its own. */
const ODD = /^(?:template|frameset|plaintext|math|select)$/;
/** What comes next may make another character of it. */
const REFERENCE = /&[#\w]{0,40}$/;

/**
 * Whether readers see a change, as far as a glance tells: false where it does not. Both versions are the same up to
 * there, so a parser comes there in the same state, which is told by markup without mistakes.
 *
 * @param start up to here, both are the same at least
 */
export function isSeenAtOnce(before: Uint8Array, after: Uint8Array, start: number): boolean {
  let place = start;
  while (place < before.length && before[place] === after[place]) place++;
  if (place > LEAD_LIMIT || !isWordByte(before[place]) || !isWordByte(after[place])) return false;
  // What is not ASCII has no meaning in markup.
  const lead = Buffer.from(before.buffer, before.byteOffset, place).toString('latin1').toLowerCase();
  return endsInText(lead) && !REFERENCE.test(lead.slice(-50));
}

/** Whether what comes after a part of a page is text that is seen. */
function endsInText(lead: string): boolean {
  let place = 0;
  let isForeign = false;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = place;
    const found = pattern.exec(lead);
    if (found !== null) place = pattern.lastIndex;
    return found;
  };
  for (;;) {
    take(TEXT);
    if (place === lead.length) return true;
    if (take(COMMENT) ?? take(DOCTYPE)) continue;
    const [, slash, name = ''] = take(TAG) ?? [];
    if (name === '' || ODD.test(name)) return false;
    isForeign ||= name === 'svg';
    if (slash === '/' || !RAW.test(name)) continue;
    const end = lead.indexOf(`</${name}`, place);
    if (isForeign || end < 0) return !isForeign && /^t/.test(name);
    // A comment in a script may hold the end of one.
    if (lead.slice(place, end).includes('<!--')) return false;
    place = end;
  }
}

/** Digits and letters of ASCII: no space, and no part of a tag. */
function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}
