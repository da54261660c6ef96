/** Reads a page with a parser, where a quick look left doubts. */

import { readHead } from '../head.js';
import { judgeEncoding, LOOK_BYTES, type SeenHead } from './look.js';

/** Reads the head of a page as far as pages are looked at. */
export function readSlowly(page: Buffer): SeenHead {
  const bytes = page.subarray(0, LOOK_BYTES);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const encoding = judgeEncoding(bytes, hasMark);
  const text = bytes.toString(encoding === 'other' ? 'latin1' : 'utf8', hasMark ? 3 : 0);
  const { elements } = readHead(text);
  return {
    encoding,
    elements: elements.map(({ nodeName, attrs }) => ({ nodeName, attrs })),
  };
}
