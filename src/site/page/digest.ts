/** Makes digests of what pages say: two versions of a page say the same where these are the same. */

import { hash } from 'node:crypto';
import { PAGE_LIMIT, type PagePlace, type ReadPage, readMain, readRest, readWholePage } from './page.js';

/** The number of the rule by which texts are read; another rule, or another version of the library, has another number. */
export const RULE = 1;

/** The digest of a main text. */
export interface TextDigest {
  /** 16 hexadecimal digits, the first 64 bits of SHA-256. */
  readonly main: string;
  /** The declared encoding, if it is not known. */
  readonly unknownEncoding: string | undefined;
}

/** Undefined for a page of more than `PAGE_LIMIT`. */
export function digestPage(bytes: Uint8Array, place: PagePlace): TextDigest | undefined {
  if (bytes.length > PAGE_LIMIT) return undefined;
  const page = readWholePage(bytes);
  return { main: hash('sha256', readMain(page, place)).slice(0, 16), unknownEncoding: page.unknownEncoding };
}

/**
 * What kind of change of a page it is: *text* where the main text is another one, *layout* where only the text around it is, or
 * else *markup*.
 */
export type PageChangeKind = 'text' | 'layout' | 'markup';

/**
 * Compares two versions of a page. What is too long to be read counts as text.
 *
 * @param noteText is handed both where the main text is another one
 */
export function comparePages(
  before: Uint8Array,
  after: Uint8Array,
  place: PagePlace,
  noteText: (former: ReadPage, present: ReadPage) => void = () => undefined,
): PageChangeKind {
  if (Math.max(before.length, after.length) > PAGE_LIMIT) return 'text';
  const [former, present] = [readWholePage(before), readWholePage(after)];
  if (readMain(former, place) === readMain(present, place))
    return readRest(former) === readRest(present) ? 'markup' : 'layout';
  noteText(former, present);
  return 'text';
}
