/** Records of pages for comparison: two versions with the same text say the same. */

import { hash } from 'node:crypto';
import {
  PAGE_LIMIT,
  type PagePlace,
  type ReadPage,
  readLanguage,
  readMain,
  readRest,
  readTitle,
  readWholePage,
} from './page.js';

/** The number of the rule by which texts are read; another rule, or another version of the library, has another number. */
export const RULE = 1;

export interface PageRecord {
  /** The digest of the main text: 16 hexadecimal digits, the first 64 bits of SHA-256. */
  readonly text: string;
  /** As `readTitle` gives it, at most `LONGEST_TITLE` characters. */
  readonly title: string | undefined;
  /** As `readLanguage` gives it; undefined if it is longer than any language tag. */
  readonly lang: string | undefined;
  /** True if this Node.js does not know the encoding that the page declares, so that it was read as windows-1252. */
  readonly isEncodingUnknown: boolean;
}

const LONGEST_TITLE = 1000;
const LONGEST_LANGUAGE = 100;

/** Undefined for a page of more than `PAGE_LIMIT`. */
export function readRecord(bytes: Uint8Array, place: PagePlace): PageRecord | undefined {
  return bytes.length > PAGE_LIMIT ? undefined : recordPage(readWholePage(bytes), place);
}

export function recordPage(page: ReadPage, place: PagePlace): PageRecord {
  const lang = readLanguage(page.head) ?? '';
  return {
    text: hash('sha256', readMain(page, place)).slice(0, 16),
    // Half a character is none.
    title: readTitle(page.head)
      ?.slice(0, LONGEST_TITLE)
      .replace(/[\ud800-\udbff]$/, ''),
    lang: lang.length > LONGEST_LANGUAGE ? undefined : lang || undefined,
    isEncodingUnknown: page.encoding.unknown !== undefined,
  };
}

/** The part of a page that a change touches: the main *text*, *layout* (the text around it), or only *markup*. */
export type PageChangeKind = 'text' | 'layout' | 'markup';

/** Compares two versions of a page; one that is too long counts as text. @param noteText gets both if the text differs */
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
