/** Looks at the beginning of a page while its bytes are in memory for other reasons. Imports next to nothing: threads load it. */

import { isUtf8 } from 'node:buffer';
import { attributeOf, type HeadElement, type PageHead } from '../elements.js';
import { UNSURE } from '../facts/seen.js';
import { type Interest, makeDull, scanHead, TAG_GOES_ON } from './scan.js';

/** A page is looked at as far as this, in bytes. */
export const LOOK_BYTES = 256 * 1024;

/** A head that was looked at. */
export interface SeenHead extends PageHead {
  /** `marked` where a byte order mark says so. */
  readonly encoding: 'marked' | 'utf-8' | 'other';
}

/** What came of a look: the elements that may matter; `UNSURE` where a parser has to find out; undefined where nothing matters. */
export type Looked = SeenHead | typeof UNSURE | undefined;

/** What a `<meta>` has that matters, in the order of how often. Letters may also be written as numbers. */
const WORDS = ['charset', 'noindex', '&#', 'none', 'http-equiv'];

/** Several times as fast as a regular expression. */
function mayMatter(tag: string): boolean {
  const lower = tag.toLowerCase();
  return WORDS.some((word) => lower.includes(word));
}

/** Relations of most links, which tell browsers what to fetch. */
const FETCHED =
  'stylesheet|icon|shortcut icon|apple-touch-icon|mask-icon|manifest|preload|modulepreload|prefetch|preconnect|dns-prefetch'.split(
    '|',
  );

/**
 * Makes a function that looks at the beginning of a page.
 *
 * @param relations of links; those with others are passed by
 */
export function makeLook(relations: readonly string[]): (page: Uint8Array) => Looked {
  const wanted = new Set(relations);
  const hasWanted = wanted.size > 0;
  const interest: Interest = {
    dull: makeDull(WORDS, hasWanted ? FETCHED.filter((relation) => !wanted.has(relation)) : undefined),
    mayMatter: (name, tag) => (name === 'meta' ? mayMatter(tag) : hasWanted),
    matters: (element) =>
      element.nodeName === 'link'
        ? namesOneOf(wanted, attributeOf(element, 'rel') ?? '')
        : element.nodeName === 'base' || saysRobots(element) || namesEncoding(element),
  };
  return (page) => {
    const bytes = Buffer.from(page.buffer, page.byteOffset, Math.min(page.length, LOOK_BYTES));
    const hasMark = hasByteOrderMark(bytes);
    const elements = scanPage(bytes, hasMark ? 3 : 0, interest);
    if (elements === undefined) return UNSURE;
    if (!elements.some(saysSomething)) return undefined;
    const encoding = judgeEncoding(bytes, hasMark);
    return { encoding, elements: encoding === 'other' ? elements : elements.map(decode) };
  };
}

/** Others only say how these are to be read. */
function saysSomething(element: HeadElement): boolean {
  return (
    element.nodeName === 'link' ||
    (element.nodeName === 'meta' && (saysRobots(element) || saysRefresh(element)))
  );
}

/** Most heads that are not told by a `<body>` to be over end before this, in bytes. */
const USUAL_HEAD = 4096;

/** Most of a page is its body: to make text of that would take longer than to read the head. */
function scanPage(bytes: Buffer, start: number, interest: Interest): readonly HeadElement[] | undefined {
  const end = bytes.indexOf('<body', start);
  const next = end === -1 ? '' : String.fromCharCode(bytes[end + 5] ?? 0);
  // Where it is no tag, what it stands in has no end in this text; nor has what a NUL cuts off.
  const head = TAG_GOES_ON.test(next)
    ? scanHead(bytes.toString('latin1', start, end), interest)
    : scanHead(`${bytes.toString('latin1', start, start + USUAL_HEAD)}\0`, interest);
  return head ?? scanHead(bytes.toString('latin1', start), interest);
}

function namesOneOf(wanted: ReadonlySet<string>, rel: string): boolean {
  // Nearly always, it is one word.
  return (
    wanted.has(rel) ||
    rel
      .toLowerCase()
      .split(/\s+/)
      .some((word) => wanted.has(word))
  );
}

function saysRobots(element: HeadElement): boolean {
  return /noindex|none/i.test(attributeOf(element, 'content') ?? '');
}

/** Whether an element makes a browser load another page, or this one again, after a while. */
export function saysRefresh(element: HeadElement): boolean {
  return (
    element.nodeName === 'meta' && attributeOf(element, 'http-equiv')?.trim().toLowerCase() === 'refresh'
  );
}

function namesEncoding({ attrs }: HeadElement): boolean {
  return attrs.some(({ name }) => name === 'charset' || name === 'http-equiv');
}

/** A page that is in UTF-8 was read as bytes, a character each. */
function decode(element: HeadElement): HeadElement {
  if (element.attrs.every(({ value }) => ASCII.test(value))) return element;
  const attrs = element.attrs.map(({ name, value }) => ({
    name,
    value: Buffer.from(value, 'latin1').toString(),
  }));
  return { ...element, attrs };
}

const ASCII = /^[\0-\x7f]*$/;

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** UTF-16 is never valid UTF-8 with a byte order mark, and full of NUL without. */
function judgeEncoding(bytes: Uint8Array, hasMark: boolean): SeenHead['encoding'] {
  if (bytes.includes(0) || !isUtf8(trimCharacter(bytes))) return 'other';
  return hasMark ? 'marked' : 'utf-8';
}

/** The end of what is looked at may be in the middle of a character. */
function trimCharacter(bytes: Uint8Array): Uint8Array {
  if (bytes.length < LOOK_BYTES) return bytes;
  let end = bytes.length;
  while (end > bytes.length - 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

/**
 * What a quick look saw, or what a parser finds in its place.
 *
 * @param saying what stands in every page that says anything of interest; others are not parsed
 * @returns undefined where the page says nothing of interest
 */
export async function finishLook(seen: Looked, page: Buffer, saying: RegExp): Promise<SeenHead | undefined> {
  if (seen !== UNSURE) return seen;
  const bytes = page.subarray(0, LOOK_BYTES);
  if (!saying.test(bytes.toString('latin1'))) return undefined;
  // Most sites need no parser.
  const { parseHead } = await import('../head.js');
  const hasMark = hasByteOrderMark(bytes);
  const encoding = judgeEncoding(bytes, hasMark);
  const text = bytes.toString(encoding === 'other' ? 'latin1' : 'utf8', hasMark ? 3 : 0);
  const elements = parseHead(text).elements.map(({ nodeName, attrs }) => ({ nodeName, attrs }));
  return { encoding, elements };
}
