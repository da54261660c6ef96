/** Says whether readers see a change of a page, as far as a glance tells. Pure; threads load it. */

import { countSame } from '../../../base/text/same.js';
import { decodePage } from '../../../base/text/utf8.js';
import { compareAtGlance } from './glance.js';
import { compareInStep } from './step.js';

/** Longer pages are not read, in bytes. */
export const PAGE_LIMIT = 1_000_000;

/**
 * Compares what readers see of two versions.
 *
 * @param readLink what is read of a link's target, such as `maskLink`. @default as it is
 * @returns whether it differs; undefined where only a parser can tell
 */
export function compareTexts(
  before: Uint8Array,
  after: Uint8Array,
  readLink?: (href: string) => string,
): boolean | undefined {
  const told = compareStarts(before, after) ?? compareInStep(before, after);
  if (told !== undefined || Math.max(before.length, after.length) > PAGE_LIMIT) return told;
  return compareAtGlance(decodePage(before), decodePage(after), readLink);
}

/** In bytes. */
const START = 4096;

/** Most versions differ soon, if readers see it: then the rest need not be made a text. */
function compareStarts(before: Uint8Array, after: Uint8Array): true | undefined {
  if (countSame(before, 0, after, 0) > START / 2) return undefined;
  return compareInStep(before.subarray(0, START), after.subarray(0, START)) || undefined;
}
