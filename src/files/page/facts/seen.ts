/** Packs facts of a page in a line of text: cheap to pass between threads, to keep in memory and to save. Pure. */

import type { UrlStyle } from '../../../paths/urls.js';
import type { Link } from '../../../standard/model.js';
import type { PageRecord } from '../record.js';

/** Facts of a page in tab-separated columns: marks, URL, content, text, language, title, other facts, links. Undefined if unknown. */
export type SeenFacts = string | undefined;

export interface PageVersion {
  readonly uri: string;
  /** A digest of the version's bytes in hexadecimal, such as the id of a blob: equal only for equal bytes. */
  readonly content: string;
}

/** Number of bytes of a digest that identify a version: as many of SHA-1 or SHA-2 do not collide by accident. */
const CONTENT_BYTES = 16;

/** Returns the key of a version of a page in the cache. */
export function keyOf({ uri, content }: PageVersion): string {
  return `${uri}\t${content.slice(0, 2 * CONTENT_BYTES)}`;
}

export interface PageWishes {
  readonly noindex: boolean;
  readonly canonical: boolean;
  /** True to find the URL that a page makes browsers load; found with `canonical`, too. */
  readonly leads: boolean;
  readonly links: boolean;
  readonly lists: boolean;
  readonly texts: boolean;
}

/** Wishes for versions of pages of which only the text is needed, such as those that the site does not have any more. */
export const TEXT_ALONE: PageWishes = {
  noindex: false,
  canonical: false,
  leads: false,
  links: false,
  lists: false,
  texts: true,
};

/** Letters that mark, in the line of a page's facts, which facts were looked for. */
const LETTERS: Readonly<Record<keyof PageWishes, string>> = {
  noindex: 'n',
  canonical: 'c',
  leads: 'r',
  links: 'l',
  lists: 's',
  texts: 't',
};
/** Marks in the line of a page's facts: the page says `noindex`; its encoding is unknown. */
const SAYS_NOINDEX = '!';
const ENCODING_UNKNOWN = '?';

export interface SeenPage {
  readonly facts: PageFacts;
  /** Record of the page's text; undefined if not wanted, or if the page is longer than `PAGE_LIMIT`. */
  readonly record: PageRecord | undefined;
  readonly links: readonly Link[];
}

export function packSeen(
  version: PageVersion,
  wishes: PageWishes,
  { facts, record, links }: SeenPage,
): string {
  const { noindex, ...others } = facts;
  const { lists, canonical, leads, feed } = others;
  const isSilent = lists?.length === 0 && canonical === undefined && leads === undefined && !feed;
  const { text = '', lang = '', title = '' } = record ?? {};
  return [
    listLetters(wishes).join('') +
      (noindex ? SAYS_NOINDEX : '') +
      (record?.isEncodingUnknown === true ? ENCODING_UNKNOWN : ''),
    keyOf(version),
    text,
    lang,
    title,
    isSilent ? '' : JSON.stringify(others),
    links.length === 0 ? '' : JSON.stringify(links),
  ].join('\t');
}

function listLetters(wishes: PageWishes): string[] {
  return (Object.keys(LETTERS) as (keyof PageWishes)[])
    .filter((wish) => wishes[wish])
    .map((wish) => LETTERS[wish]);
}

/** Makes a test for lines of facts that answer all wishes. */
export function covers(wishes: PageWishes): (seen: string) => boolean {
  const letters = listLetters(wishes);
  return (seen) => {
    const signs = signsOf(seen);
    return letters.every((letter) => signs.includes(letter));
  };
}

function signsOf(seen: string): string {
  return seen.slice(0, seen.indexOf('\t'));
}

/** Returns the key of the version that a line of facts is about. */
export function seenKey(seen: string): string {
  const start = seen.indexOf('\t') + 1;
  return seen.slice(start, seen.indexOf('\t', seen.indexOf('\t', start) + 1));
}

/** Returns the content of the version that a line of facts is about: a part of its digest, in hexadecimal. */
export function seenContent(seen: string): string {
  const key = seenKey(seen);
  return key.slice(key.indexOf('\t') + 1);
}

type Columns = [signs: string, uri: string, content: string, text: string, lang: string, title: string];

export function unpackSeen(seen: SeenFacts): PageFacts {
  const [, , , , , , facts = ''] = seen?.split('\t') ?? [];
  return { noindex: seenNoindex(seen), ...(facts === '' ? SILENT : (JSON.parse(facts) as typeof SILENT)) };
}

/** Returns the record in a line of facts; undefined if not wanted, or if the page is longer than `PAGE_LIMIT`. */
export function unpackRecord(seen: SeenFacts): PageRecord | undefined {
  if (seen === undefined) return undefined;
  const [signs, , , text, lang, title] = seen.split('\t', 6) as Columns;
  if (text === '') return undefined;
  const isEncodingUnknown = signs.includes(ENCODING_UNKNOWN);
  return { text, title: title || undefined, lang: lang || undefined, isEncodingUnknown };
}

export function unpackLinks(seen: SeenFacts): readonly Link[] {
  if (seen === undefined) return [];
  const links = seen.slice(seen.lastIndexOf('\t') + 1);
  return links === '' ? [] : JSON.parse(links);
}

/** Tests if this Node.js does not know the encoding that a page declares, by the line of its facts. */
export function seenUnknownEncoding(seen: SeenFacts): boolean {
  return seen !== undefined && signsOf(seen).includes(ENCODING_UNKNOWN);
}

export function seenNoindex(seen: SeenFacts): boolean {
  return seen !== undefined && signsOf(seen).includes(SAYS_NOINDEX);
}

/** The facts of pages to read, and the way in which pages get their URLs. */
export interface WantedFacts {
  readonly wishes: PageWishes;
  /** URL of the site, with a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
}

/** Function that returns the facts of the page at a path from an earlier run; they hold if its content is still the same. */
export type KnownPages = (path: string) => SeenFacts;

export interface PageFacts {
  readonly noindex: boolean;
  /** The canonical URL that the page names, if it is that of another page. */
  readonly canonical?: string | undefined;
  /** URL that the page makes browsers load (`<meta http-equiv="refresh">`), its own if it reloads itself. */
  readonly leads?: string | undefined;
  /** URLs of the Capability Lists to which the page links; undefined if it is not in UTF-8, and so cannot be edited. */
  readonly lists?: readonly string[] | undefined;
  /** True if the page links to the feed of the site. */
  readonly feed: boolean;
}

const SILENT: Omit<PageFacts, 'noindex'> = { lists: [], feed: false };

/** Matches paths of pages, by extension and not by configured type, since pages are edited before types are known. */
export const PAGE_FILE = /\.html?$/i;
