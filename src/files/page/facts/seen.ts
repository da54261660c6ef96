/** Facts of a page in one line of text: cheap to pass between threads, to keep in memory and to write to a file. Pure. */

import type { UrlStyle } from '../../../paths/urls.js';
import type { Link } from '../../../standard/model.js';
import type { PageRecord } from '../record.js';

/** Marks, URL, content, record, facts and links of a page as columns without tabs or line breaks; undefined if it is no page. */
export type SeenFacts = string | undefined;

export interface PageVersion {
  readonly uri: string;
  /** A digest of the bytes in hexadecimal, such as the id of a blob: equal only for equal bytes. */
  readonly content: string;
}

/** Bytes of the content of a version that are kept: as many of SHA-1 or SHA-2 do not collide by accident. */
export const CONTENT_BYTES = 16;

/** Identifies a version of a page in a cache. */
export function keyOf({ uri, content }: PageVersion): string {
  return `${uri}\t${content.slice(0, 2 * CONTENT_BYTES)}`;
}

export interface PageWishes {
  readonly noindex: boolean;
  readonly canonical: boolean;
  /** The URL that the page makes browsers load; found with `canonical`, too. */
  readonly leads: boolean;
  readonly links: boolean;
  readonly lists: boolean;
  readonly texts: boolean;
}

/** Wishes for pages of which only the text is needed, such as versions that the site does not have any more. */
export const TEXT_ALONE: PageWishes = {
  noindex: false,
  canonical: false,
  leads: false,
  links: false,
  lists: false,
  texts: true,
};

/** Marks of the facts that were looked for, a letter each. */
const LETTERS: Readonly<Record<keyof PageWishes, string>> = {
  noindex: 'n',
  canonical: 'c',
  leads: 'r',
  links: 'l',
  lists: 's',
  texts: 't',
};
/** Marks after these letters. */
const SAYS_NOINDEX = '!';
const ENCODING_UNKNOWN = '?';

export interface SeenPage {
  readonly facts: PageFacts;
  /** Undefined if it was not wanted, or the page is too long. */
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

/** Makes a test for facts in which all wishes were looked for. */
export function covers(wishes: PageWishes): (seen: string) => boolean {
  const letters = listLetters(wishes);
  const usual = letters.join('');
  return (seen) => seen.startsWith(usual) || letters.every((letter) => signsOf(seen).includes(letter));
}

function signsOf(seen: string): string {
  return seen.slice(0, seen.indexOf('\t'));
}

/** Returns the key of the version that was seen. */
export function seenKey(seen: string): string {
  const start = seen.indexOf('\t') + 1;
  return seen.slice(start, seen.indexOf('\t', seen.indexOf('\t', start) + 1));
}

/** Returns the content of the version that was seen, in hexadecimal. */
export function seenContent(seen: string): string {
  const key = seenKey(seen);
  return key.slice(key.indexOf('\t') + 1);
}

type Columns = [signs: string, uri: string, content: string, text: string, lang: string, title: string];

export function unpackSeen(seen: SeenFacts): PageFacts {
  if (seen === undefined) return { noindex: false, ...SILENT };
  // Nearly all pages say nothing, and there is one line for each.
  const end = seen.lastIndexOf('\t');
  const facts = seen.slice(seen.lastIndexOf('\t', end - 1) + 1, end);
  return { noindex: seenNoindex(seen), ...(facts === '' ? SILENT : (JSON.parse(facts) as typeof SILENT)) };
}

/** The record in a line; undefined if none was wanted, or the page is longer than `PAGE_LIMIT`. */
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

/** True if this Node.js does not know the encoding that the page declares. */
export function seenUnknownEncoding(seen: SeenFacts): boolean {
  return seen !== undefined && signsOf(seen).includes(ENCODING_UNKNOWN);
}

export function seenNoindex(seen: SeenFacts): boolean {
  return seen !== undefined && signsOf(seen).includes(SAYS_NOINDEX);
}

/** All that a thread needs to know to find it out. */
export interface WantedFacts {
  readonly wishes: PageWishes;
  /** URL of the site, with a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
}

/** Finds what an earlier run saw of the page at a path, to be used if its content is still the same. */
export type KnownPages = (path: string) => SeenFacts;

/** Facts of a page, except for the links to list. */
export interface PageFacts {
  /** True if the page says `noindex`. */
  readonly noindex: boolean;
  /** URL of another page that this one names as canonical. */
  readonly canonical?: string | undefined;
  /** URL that the page makes browsers load, its own if it reloads itself (`<meta http-equiv="refresh">`). */
  readonly leads?: string | undefined;
  /** The Capability Lists that the page links to; absent where it cannot be read. */
  readonly lists?: readonly string[] | undefined;
  /** True if it links to the feed of the site. */
  readonly feed: boolean;
}

/** Facts of a page without any statement. */
const SILENT: Omit<PageFacts, 'noindex'> = { lists: [], feed: false };

/** Pages are edited before anything is known of them, so this follows the extension, and not the configured types. */
export const PAGE_FILE = /\.html?$/i;
