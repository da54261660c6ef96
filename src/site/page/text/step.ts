/** Compares two versions of a page side by side, and stops where that tells whether readers see the change. */

import { countSame } from '../../../base/text/same.js';
import { decodeUtf8 } from '../../../base/text/utf8.js';
import { draw, ODD, type Piece, RAW, readPiece, readWritten, TAG_ATTRIBUTES } from './glance.js';
import { UNSEEN } from './seen.js';

/** What stands behind this is not looked at side by side. In bytes. */
const STEPS_LIMIT = 1_000_000;
/** Texts, and tags that are none of these: many at once, as each by itself takes ten times as long. */
const PLAIN = new RegExp(
  `(?:[^<]*</?(?!${[RAW, ODD].map(({ source }) => source.slice(1, -1)).join('|')}|svg)[a-z][a-z\\d-]*${TAG_ATTRIBUTES}[\\t\\n\\f\\r ]*/?>){1,500}`,
  'iy',
);
/** The end tag of such an element is no longer. */
const END_TAG = 12;
/** Tags of a head that say nothing, as `reducePiece` has them. */
const UNTOLD = /^<(?:link|meta)\/?>$/;
/** What may stand in a page before its head is over. White space is read one by one, so that it is read in one way only. */
const HEAD = new RegExp(
  `^(?:[\\t\\n\\f\\r ]|<!doctype[^<>"']*>|<(?:html|head|meta|link)${TAG_ATTRIBUTES}[\\t\\n\\f\\r ]*/?>|<(title|script|style)${TAG_ATTRIBUTES}>[^<]*</\\1>)*$`,
  'i',
);
/** Longer heads are not looked at. In characters. */
const HEAD_LIMIT = 65_536;
/** What comes next may make another character of it. */
const REFERENCE = /&[#\w]{0,40}$/;

/**
 * Reads two versions of a page side by side, until what follows is the same in both, or readers see a change. What is the
 * same is read once; where all that differs is unseen, a parser comes there in the same state. What is not ASCII has no
 * meaning in markup.
 *
 * @returns whether readers see the change; undefined where this does not tell
 */
export function compareInStep(before: Uint8Array, after: Uint8Array): boolean | undefined {
  const [one, two] = [readLatin(before), readLatin(after)];
  const drawn: string[] = [];
  /** Up to `end`, what stands at `place` is in the other one, too, so many bytes further on. */
  let [place, further, end, isAscii] = [0, 0, -1, true];
  /** Up to here, the head is not over. */
  let head = 0;
  for (;;) {
    if (end < place) {
      end = place + countSame(before, place, after, place + further);
      if (end === before.length && end + further === after.length)
        return isAscii || [before, after].filter(isUtf8).length !== 1 ? false : undefined;
    }
    PLAIN.lastIndex = 0;
    if (drawn.length === 0 && PLAIN.test(one.slice(place, end))) place += PLAIN.lastIndex;
    const piece = readPiece(one, place, drawn.length > 0);
    if (piece === undefined) return undefined;
    const { tag, content } = piece;
    const start = place;
    place = piece.end;
    if (place + END_TAG > end) {
      const twin = readPiece(two, start + further, drawn.length > 0);
      if (twin === undefined) return undefined;
      const [told, other] = [reducePiece(piece), reducePiece(twin)];
      if (told !== other) {
        const isHere = UNTOLD.test(told);
        // One has a tag that the other lacks. Nobody sees it, and a parser stays where it was.
        if (isHere !== UNTOLD.test(other) && start < HEAD_LIMIT && HEAD.test(one.slice(head, start))) {
          const lacked = isHere ? one.slice(start, place) : two.slice(start + further, twin.end);
          isAscii &&= !/[\x80-\xff]/.test(lacked);
          further += isHere ? -lacked.length : lacked.length;
          if (!isHere) place = start;
          [head, end] = [start, -1];
          continue;
        }
        const isText =
          tag === undefined ? piece.text[0] !== '<' : /^t/.test(tag.name) && content !== undefined;
        const from = content === undefined ? start : place - content.length;
        const isWord = isWordByte(before[end]) && isWordByte(after[end + further]);
        return isText && isWord && end >= from && !REFERENCE.test(one.slice(Math.max(from, end - 50), end))
          ? true
          : undefined;
      }
      isAscii &&= !/[\x80-\xff]/.test(one.slice(start, place) + two.slice(start + further, twin.end));
      [further, end] = [twin.end - place, -1];
    }
    if (tag !== undefined && !draw(drawn, tag)) return undefined;
    if (place === one.length) return undefined;
  }
}

/** A byte is a character. */
function readLatin({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, STEPS_LIMIT)).toString('latin1');
}

function isUtf8(bytes: Uint8Array): boolean {
  return decodeUtf8(bytes) !== undefined;
}

/** Digits and letters of ASCII: no space, and no part of a tag. */
function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

/** Attributes that are seen, and those that a parser looks at. Of elements that nobody sees, none is. */
const TELLING =
  /^(?:xlink:)?(?:alt|aria-label|placeholder|title|href|value|label|type|encoding|color|face|size)$/;
const DUMB = /^(?:script|style|link|noscript|iframe|noembed|noframes)$/;
/** Of those that are alike, a parser opens three again at most: then all that tells them apart counts. */
const REOPENED = /^(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** Reduces a piece to what can matter to who reads the page. */
function reducePiece({ text, tag, content = '' }: Piece): string {
  if (tag === undefined) return text;
  const { name, isEnd, isClosed, attributes } = tag;
  const telling = DUMB.test(name) ? [] : readWritten(attributes).filter((one) => TELLING.test(one.name));
  const told =
    telling.length > 0 && REOPENED.test(name) ? attributes : telling.map(({ all }) => all).join('');
  return `<${isEnd ? '/' : ''}${name}${told}${isClosed ? '/' : ''}>${UNSEEN.has(name) ? '' : content}`;
}
