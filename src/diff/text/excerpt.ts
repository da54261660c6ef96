/** Makes excerpts: quotes what is new in the main text of a page. */

import { readWholePage } from '../../files/page/page.js';
import { readPassages } from '../../files/page/text.js';
import { compareLines, cut } from './lines.js';

/** Limit of pages to quote, in bytes. */
const QUOTED_LENGTH = 1_000_000;
/** Maximum length of an excerpt, and of its part before the change, in characters. */
const EXCERPT_LENGTH = 160;
const EXCERPT_LEAD = 40;
/** Length of an excerpt below which the next passage is added to it, in characters. */
const EXCERPT_SHORT = 60;
const BETWEEN = ' · ';
const WORD_LENGTH = 40;
const STEPS_LIMIT = 100_000;
/** Number of removed passages among which the previous version of the new passage is searched. */
const REMOVED_LIMIT = 50;

/** Quotes the first new passage of the main text; undefined if none is new, or a version is over `QUOTED_LENGTH`. */
export function findExcerpt(before: Uint8Array, after: Uint8Array): string | undefined {
  if (Math.max(before.length, after.length) > QUOTED_LENGTH) return undefined;
  const [previous, present] = [passagesOf(before), passagesOf(after)];
  const hunks = compareLines(previous, present, { left: STEPS_LIMIT });
  const hunk = hunks.find(({ added }) => added > 0);
  if (hunk === undefined) return undefined;
  const removed = previous.slice(hunk.before, hunk.before + Math.min(hunk.removed, REMOVED_LIMIT));
  const added = present.slice(hunk.after, hunk.after + hunk.added);
  const [first = ''] = added;
  const like = removed.map((text) => findCommon(text, first));
  const [nearest] = like.sort((a, b) => b.start + b.end - a.start - a.end);
  return quotePassages(added, nearest);
}

/** Tests if an excerpt is in the main text of a page. @param clean the function that was applied to the excerpt, too */
export function holdsExcerpt(page: Uint8Array, excerpt: string, clean: (text: string) => string): boolean {
  const text = clean(passagesOf(page).join('\n'));
  return excerpt
    .replace(/^… | …$/g, '')
    .split(BETWEEN)
    .every((piece) => text.includes(piece));
}

const passagesOf = (page: Uint8Array) => readPassages(readWholePage(page).body.main);

interface Common {
  readonly start: number;
  readonly end: number;
}

/** Counts the characters that two texts have in common at the start, and at the end without overlap. */
function findCommon(a: string, b: string): Common {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

/** Quotes the first passage around its change, and adds further ones while the excerpt is short, such as only a date. */
function quotePassages(
  [first = '', ...more]: readonly string[],
  { start, end }: Common = { start: 0, end: 0 },
): string {
  let text = first;
  while (text.length < EXCERPT_SHORT && more.length > 0) text += BETWEEN + more.shift();
  return cutAround(text, start, first.length - end);
}

/** Cuts a text to the words around a range, with an ellipsis at each cut. */
function cutAround(text: string, start: number, end: number): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const first = text.lastIndexOf(' ', start - 1) + 1;
  const last = (text.indexOf(' ', end) + 1 || text.length + 1) - 1;
  const left = start - first <= WORD_LENGTH ? first : start;
  const right = last - end <= WORD_LENGTH ? last : end;
  const room = EXCERPT_LENGTH - 4;
  let from = 0;
  if (right > room) {
    from = Math.max(0, left - Math.max(0, Math.min(EXCERPT_LEAD, room - (right - left))));
    const space = text.indexOf(' ', from);
    if (from > 0 && space >= 0 && space < left) from = space + 1;
    else if (isTrail(text, from)) from++;
  }
  const lead = from === 0 ? '' : '… ';
  const rest = text.slice(from);
  if (lead.length + rest.length <= EXCERPT_LENGTH) return lead + rest;
  const part = cut(rest, room);
  const space = part.lastIndexOf(' ');
  const isEnough = space >= Math.min(right - from, room - WORD_LENGTH);
  return `${lead}${isEnough ? part.slice(0, space) : part} …`;
}

function isTrail(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code < 0xe000;
}
