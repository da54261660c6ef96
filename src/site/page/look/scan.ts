/**
 * Reads the head of a page as browsers do, where the page is written as most are. What is written otherwise is left to a
 * parser that knows all of HTML. Pure, and it imports next to nothing, because threads load it.
 */

import type { HeadElement } from '../elements.js';

/** Attributes that are being collected. */
type Attributes = HeadElement['attrs'][number][];

/** Which elements somebody wants to know of. */
export interface Interest {
  /** What is passed by in a head, see `makeDull`. */
  readonly dull?: RegExp | undefined;
  /** Judges by the text of a tag, without its name. */
  readonly mayMatter: (name: string, tag: string) => boolean;
  readonly matters: (element: HeadElement) => boolean;
}

const EVERYTHING: Interest = { mayMatter: () => true, matters: () => true };

/** As far as parsers go. */
const MOST_ELEMENTS = 10_000;

/** What comes behind the name of a tag. */
export const TAG_GOES_ON = /[\t\n\f\r />]/;
const END = /[\t\n\f\r ]*>/y;
/** The rest of a tag, from its name on. */
const REST =
  /(?:[\t\n\f\r ]+[!#-&(-.0-;?-~]+(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\t\n\f\r "'=<>`]+))?)*[\t\n\f\r ]*\/?>/y;
const TAG_END = /[\t\n\f\r ]*\/?>/y;
/** Names and values as nearly everybody writes them. */
const ATTRIBUTE =
  /[\t\n\f\r ]+([!#-&(-.0-;?-~]+)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"\0\r]*)"|'([^'\0\r]*)'|([^\t\n\f\r "'=<>`\0]+)))?/y;
const DOCTYPE = /<!doctype[^>\0]*>/iy;
const OTHER_DECLARATION = /<[!?][^>\0]*>/y;

const KEPT = new Set(['meta', 'link', 'base']);
const VOID = new Set(['meta', 'link', 'base', 'basefont', 'bgsound']);
/** What is in them is text up to their end tag. */
const WITH_TEXT: ReadonlyMap<string, RegExp> = new Map(
  ['title', 'style', 'script', 'noscript', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi'),
  ]),
);

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

/** A letter or a digit. */
function isNameCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

/**
 * Reads the elements of a head that say something: `<meta>`, `<link>` and `<base>`.
 *
 * @param text the bytes of the page, a character each, without a byte order mark, as far as it is to count
 * @returns undefined where a parser has to find out
 */
export function scanHead(text: string, interest = EVERYTHING): readonly HeadElement[] | undefined {
  const { dull, mayMatter, matters } = interest;
  const elements: HeadElement[] = [];
  let place = 0;
  let stage: 'top' | 'html' | 'head' | 'after' = moves(USUAL_START) ? 'head' : 'top';
  for (;;) {
    if (stage === 'head') {
      if (dull !== undefined) moves(dull);
      const usual = readUsual(text, place);
      if (usual !== undefined) {
        place = usual.end;
        if (matters(usual.element) && elements.push(usual.element) > MOST_ELEMENTS) return undefined;
        continue;
      }
    }
    while (isSpace(text.charCodeAt(place))) place++;
    if (place === text.length) return elements;
    if (text[place] === '\0') return undefined;
    if (text[place] !== '<') return elements;
    const next = text[place + 1] ?? '';
    if (next === '!' || next === '?') {
      if (!skipDeclaration()) return undefined;
      continue;
    }
    if (next === '/') {
      const name = readName(place + 2);
      if (!moves(END)) return undefined;
      if (name === 'head' && (stage === 'head' || stage === 'html')) stage = 'after';
      else return stage !== 'top' && (name === 'body' || name === 'html') ? elements : undefined;
      continue;
    }
    const name = readName(place + 1);
    // What looks like no tag is text, or a tag that is written oddly.
    if (name === '') return next === '' || next === '\0' ? undefined : elements;
    if (!TAG_GOES_ON.test(text[place] ?? '')) return undefined;
    if (name === 'html' || name === 'head') {
      if (stage !== 'top' && !(name === 'head' && stage === 'html')) return undefined;
      if (!moves(REST)) return undefined;
      stage = name;
      continue;
    }
    const ending = WITH_TEXT.get(name);
    if (!VOID.has(name) && ending === undefined) return name === 'template' ? undefined : elements;
    // Behind the head, it is the first thing of the body.
    if (name === 'noscript' && stage === 'after') return elements;
    const start = place;
    if (!moves(REST)) return undefined;
    if (stage !== 'after') stage = 'head';
    if (ending !== undefined) {
      if (!skipText(ending, name)) return undefined;
    } else if (KEPT.has(name) && mayMatter(name, text.slice(start, place))) {
      place = start;
      const attrs = readAttributes();
      if (attrs === undefined) return undefined;
      const element = { nodeName: name, attrs };
      if (matters(element) && elements.push(element) > MOST_ELEMENTS) return undefined;
    }
  }

  /** Whether what comes next is this; then it is behind us. */
  function moves(pattern: RegExp): boolean {
    pattern.lastIndex = place;
    const found = pattern.test(text);
    if (found) place = pattern.lastIndex;
    return found;
  }

  /** The name of a tag in lower case, which is behind us then; '' where none is here. */
  function readName(start: number): string {
    let end = start;
    while (isNameCharacter(text.charCodeAt(end))) end++;
    // It begins with a letter.
    if (end === start || text.charCodeAt(start) < 0x41) return '';
    place = end;
    return text.slice(start, end).toLowerCase();
  }

  /** A comment, a doctype, or what browsers take for a comment. */
  function skipDeclaration(): boolean {
    if (text.startsWith('<!--', place)) {
      const start = place + 4;
      const end = text.indexOf('-->', start);
      if (end === -1 || text[start] === '>' || text.startsWith('->', start)) return false;
      const odd = text.indexOf('--!>', start);
      place = end + 3;
      return odd === -1 || odd > end;
    }
    if (moves(DOCTYPE)) return stage === 'top';
    return moves(OTHER_DECLARATION);
  }

  function skipText(ending: RegExp, name: string): boolean {
    ending.lastIndex = place;
    if (!ending.test(text)) return false;
    // In a script, a comment may hide the end.
    if (name === 'script' && text.slice(place, ending.lastIndex).includes('<!--')) return false;
    place = ending.lastIndex;
    return moves(END);
  }

  function readAttributes(): HeadElement['attrs'] | undefined {
    const attrs: Attributes = [];
    for (;;) {
      ATTRIBUTE.lastIndex = place;
      const found = ATTRIBUTE.exec(text);
      if (found === null) break;
      place = ATTRIBUTE.lastIndex;
      const [, name = '', double, single, bare] = found;
      const value = decodeValue(double ?? single ?? bare ?? '');
      if (value === undefined) return undefined;
      addAttribute(attrs, name.toLowerCase(), value);
    }
    return moves(TAG_END) ? attrs : undefined;
  }
}

/** Those that name an ASCII character, and are written often. */
const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** Undefined where there are references that are seldom written. */
function decodeValue(value: string): string | undefined {
  if (!value.includes('&')) return value;
  let isKnown = true;
  const decoded = value.replace(/&(?:#?\w+;?)?/g, (reference) => {
    if (reference === '&') return reference;
    const character = REFERENCES[reference] ?? decodeNumber(reference);
    isKnown &&= character !== undefined;
    return character ?? '';
  });
  return isKnown ? decoded : undefined;
}

/** As the text is: bytes in UTF-8, a character each. Undefined for what stands for another character, or for none. */
function decodeNumber(reference: string): string | undefined {
  const [, hex, decimal] = /^&#(?:[xX]([\da-fA-F]{1,6})|(\d{1,7}));$/.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
  const isOther = code >= 0xa0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isOther ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : undefined;
}

const SPACE = '[\\t\\n\\f\\r ]';
/** What comes behind the name of a tag, up to its end. */
const USUAL_REST = `(?=[\\t\\n\\f\\r />])(?:${SPACE}+[!#-&(-.0-;?-~]+(?:=(?:"[^"\\0\\r>]*"|'[^'\\0\\r>]*'|[^\\t\\n\\f\\r "'=<>\`\\0]+))?)*${SPACE}*/?>`;

/** The beginning of a page, up to and including the tag of its head, or before what is in it: who saves bytes leaves tags out. */
const USUAL_START = new RegExp(
  `${SPACE}*<!doctype html>(?:${SPACE}*<html${USUAL_REST})?(?:${SPACE}*<head${USUAL_REST}|(?=${SPACE}*<(?:meta|link|title|script|style)[ >]))`,
  'iy',
);

/**
 * Makes an expression for what can be passed by in a head: white space, elements with text, and what says nothing of
 * interest.
 *
 * @param words without these, nobody wants to know of a `<meta>`
 * @param relations nor of a `<link>` with one of these; undefined where nobody wants to know of any
 */
export function makeDull(words: readonly string[], relations: readonly string[] | undefined): RegExp {
  const texts = ['title', 'script', 'style'].map((name) => `${name}${USUAL_REST}[^<\\0]*</${name}>`);
  const meta = `meta(?![^>]*(?:${words.join('|')}))${USUAL_REST}`;
  const link = `link${relations === undefined ? '' : `(?= rel="(?:${relations.join('|')})")`}${USUAL_REST}`;
  return new RegExp(`(?:${SPACE}+|<(?:${[meta, link, ...texts].join('|')}))*`, 'iy');
}

const USUAL = /<(link|meta)((?: [a-z:-]+="[^"&\0\r]*")+) ?\/?>/y;

/** Reads a `<link>` or a `<meta>`; undefined where none is at this place, or one that is written otherwise. */
function readUsual(
  text: string,
  place: number,
): { readonly element: HeadElement; readonly end: number } | undefined {
  USUAL.lastIndex = place;
  const found = USUAL.exec(text);
  if (found === null) return undefined;
  const attrs: Attributes = [];
  const parts = (found[2] ?? '').split('"');
  // A name and a value, and so on; behind the last one there is nothing.
  for (let index = 1; index < parts.length; index += 2) {
    addAttribute(attrs, parts[index - 1]?.slice(1, -1) ?? '', parts[index] ?? '');
  }
  return { element: { nodeName: found[1] ?? '', attrs }, end: USUAL.lastIndex };
}

/** Of two attributes with one name, the first counts. */
function addAttribute(attrs: Attributes, name: string, value: string): void {
  if (!attrs.some((one) => one.name === name)) attrs.push({ name, value });
}
