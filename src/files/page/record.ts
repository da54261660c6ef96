/** Makes records of pages, by which versions are compared: the digest of the main text, title and language. */

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

/** Number of the rule by which texts of pages are read; raised with any change of the rule, or of the HTML library. */
export const RULE = 1;

export interface PageRecord {
  /** The digest of the main text: 16 hexadecimal digits, the first 64 bits of SHA-256. */
  readonly text: string;
  /** The title, see `readTitle`, cut to `LONGEST_TITLE` characters. */
  readonly title: string | undefined;
  /** The language, see `readLanguage`; undefined if it is longer than any language tag. */
  readonly lang: string | undefined;
  /** True if the page declares an encoding that this Node.js does not know, and was read as windows-1252. */
  readonly isEncodingUnknown: boolean;
}

const LONGEST_TITLE = 1000;
const LONGEST_LANGUAGE = 100;

export function readRecord(bytes: Uint8Array, place: PagePlace): PageRecord | undefined {
  return bytes.length > PAGE_LIMIT ? undefined : recordPage(readWholePage(bytes), place);
}

export function recordPage(page: ReadPage, place: PagePlace): PageRecord {
  const lang = readLanguage(page.head) ?? '';
  return {
    text: hash('sha256', readMain(page, place)).slice(0, 16),
    // Removes half of a surrogate pair at the end of a cut title.
    title: readTitle(page.head)
      ?.slice(0, LONGEST_TITLE)
      .replace(/[\ud800-\udbff]$/, ''),
    lang: lang.length > LONGEST_LANGUAGE ? undefined : lang || undefined,
    isEncodingUnknown: page.encoding.unknown !== undefined,
  };
}

/** Finds which part of a page a change touches; `text` if a page is over `PAGE_LIMIT`. @param noteText gets pages with other texts */
export function comparePages(
  before: Uint8Array,
  after: Uint8Array,
  place: PagePlace,
  noteText: (former: ReadPage, present: ReadPage) => void = () => undefined,
): 'text' | 'layout' | 'markup' {
  if (Math.max(before.length, after.length) > PAGE_LIMIT) return 'text';
  const [former, present] = [readWholePage(before), readWholePage(after)];
  if (readMain(former, place) === readMain(present, place))
    return readRest(former) === readRest(present) ? 'markup' : 'layout';
  noteText(former, present);
  return 'text';
}
