/** Looks at pages with a parser, where a quick look left doubts and there is anything to doubt. */

import { UNSURE } from '../facts/seen.js';
import { hasByteOrderMark, judgeEncoding, LOOK_BYTES, type Looked, type SeenHead } from './look.js';

/**
 * What a quick look saw, or what a parser finds in its place.
 *
 * @param saying what stands in every page that says anything of interest; others are not parsed
 * @returns undefined where the page says nothing of interest
 */
export async function finishLook(seen: Looked, page: Buffer, saying: RegExp): Promise<SeenHead | undefined> {
  if (seen !== UNSURE) return seen;
  const bytes = page.subarray(0, LOOK_BYTES);
  return saying.test(bytes.toString('latin1')) ? parseHead(bytes) : undefined;
}

async function parseHead(bytes: Buffer): Promise<SeenHead> {
  // Most sites need no parser.
  const { parseHead } = await import('../head.js');
  const hasMark = hasByteOrderMark(bytes);
  const encoding = judgeEncoding(bytes, hasMark);
  const text = bytes.toString(encoding === 'other' ? 'latin1' : 'utf8', hasMark ? 3 : 0);
  const { elements } = parseHead(text);
  return {
    encoding,
    elements: elements.map(({ nodeName, attrs }) => ({ nodeName, attrs })),
  };
}
