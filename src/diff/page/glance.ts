/** Looks at pages without making a tree of them, as far as a glance tells: what is written oddly is left to a parser. */

import { UNSEEN } from './seen.js';

/** Behind this, what stands before a change is not looked through. In bytes. */
const LEAD_LIMIT = 200_000;
const COMMENT = /<!--(?!-?>)/y;
const DOCTYPE = /<!doctype[^<>"']*>/iy;
const TAG = /<(\/?)([a-z][a-z\d-]*)((?:\s+[^\s"'<>=/]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*)\s*(\/?)>/iy;
const ATTRIBUTE = /\s+([^\s"'<>=/]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/g;
/** What is in them is no markup; of the first two, it is seen. */
const RAW = /^(?:title|textarea|script|style|noscript|iframe|noembed|noframes|xmp)$/;
/** Within them, or behind them, a parser has rules of its own. */
const ODD = /^(?:template|frameset|plaintext|math|select)$/;
/** What pictures are drawn with. Others may end an `<svg>`, or have rules of their own in it. */
const DRAWN =
  /^(?:a|circle|clippath|defs|desc|ellipse|g|line|lineargradient|mask|path|polygon|polyline|radialgradient|rect|stop|svg|symbol|text|title|tspan|use)$/;
/** What comes next may make another character of it. */
const REFERENCE = /&[#\w]{0,40}$/;

/** What is met: texts in which there is no markup, and tags; a comment is a text without any. */
type Visit = (text: string, tag?: Tag) => boolean | undefined;

interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  /** As they are written, with what stands before them. */
  readonly attributes: string;
}

/**
 * Reads markup that has no mistakes, piece by piece, and in which a parser makes of each piece what it is written as.
 *
 * @param visit returns true where it has seen enough
 * @returns whether all of it could be read, and what comes next would be text that is seen
 */
function skim(markup: string, visit: Visit): boolean {
  let place = 0;
  /** Elements of a picture that are open: other rules hold in it. */
  const drawn: string[] = [];
  const take = (pattern: RegExp) => {
    pattern.lastIndex = place;
    const found = pattern.exec(markup);
    if (found !== null) place = pattern.lastIndex;
    return found;
  };
  for (;;) {
    const next = markup.indexOf('<', place);
    const text = markup.slice(place, next < 0 ? markup.length : next);
    place += text.length;
    if (visit(text) === true || next < 0) return true;
    if (markup[place + 1] === '!') {
      const doctype = take(DOCTYPE)?.[0];
      if (doctype !== undefined) {
        visit(doctype);
        continue;
      }
      const end = take(COMMENT) === null ? -1 : markup.indexOf('-->', place);
      if (end < 0 || markup.slice(place, end).includes('--!>')) return false;
      place = end + 3;
      visit('<!>');
      continue;
    }
    const [, slash, written = '', attributes = '', closing = ''] = take(TAG) ?? [];
    const name = written.toLowerCase();
    if (name === '' || ODD.test(name)) return false;
    const isEnd = slash === '/';
    if (visit(`<${slash}${written}${closing}>`, { name, isEnd, attributes }) === true) return true;
    if (drawn.length > 0 || (name === 'svg' && !isEnd)) {
      if (!draw(drawn, name, isEnd, closing === '/')) return false;
    } else if (!isEnd && RAW.test(name)) {
      const end = findEnd(markup, name, place);
      const content = end < 0 ? markup.slice(place) : markup.slice(place, end);
      // A comment in a script may hold the end of one.
      if (content.includes('<!--')) return false;
      if (!UNSEEN.has(name) && visit(content) === true) return true;
      if (end < 0) return /^t/.test(name);
      place = end;
    }
  }
}

/** Where the end tag of an element begins that holds no markup. */
function findEnd(markup: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}[\\s/>]`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(markup)?.index ?? -1;
}

/** Takes note of a tag in a picture; returns whether it has a place there. */
function draw(drawn: string[], name: string, isEnd: boolean, isClosed: boolean): boolean {
  if (isEnd) return drawn.pop() === name;
  // In a title, the rules of pages hold.
  if (!DRAWN.test(name) || /^(?:title|desc)$/.test(drawn.at(-1) ?? '')) return false;
  if (!isClosed) drawn.push(name);
  return true;
}

/**
 * Whether readers see a change, as far as a glance tells: false where it does not. Both versions are the same up to
 * there, so a parser comes there in the same state, which is told by markup without mistakes.
 *
 * @param start up to here, both are the same at least
 */
export function isSeenAtOnce(before: Uint8Array, after: Uint8Array, start: number): boolean {
  let place = start;
  while (place < before.length && before[place] === after[place]) place++;
  if (place > LEAD_LIMIT || !isWordByte(before[place]) || !isWordByte(after[place])) return false;
  // What is not ASCII has no meaning in markup.
  const lead = Buffer.from(before.buffer, before.byteOffset, place).toString('latin1');
  return skim(lead, () => undefined) && !REFERENCE.test(lead.slice(-50));
}

/** Digits and letters of ASCII: no space, and no part of a tag. */
function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

/** Attributes that are seen, and those that a parser looks at. Of elements that nobody sees, none is. */
const TELLING = /^(?:alt|aria-label|placeholder|title|href|value|label|type|encoding|color|face|size)$/i;
/** Finds out soon that a tag has none. */
const MAY_TELL = /alt|aria-label|placeholder|title|href|value|label|type|encoding|color|face|size/i;
const DUMB = /^(?:script|style|link|noscript|iframe|noembed|noframes)$/;
/** Of those that are alike, a parser opens three again at most: then all that tells them apart counts. */
const REOPENED = /^(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/**
 * Reduces a page to what can matter to who reads it: pages of which the same is left have the same text. Undefined where
 * a glance does not tell.
 */
export function reducePage(markup: string): string | undefined {
  const pieces: string[] = [];
  const isRead = skim(markup, (text, tag) => {
    pieces.push(text);
    if (tag === undefined || !MAY_TELL.test(tag.attributes) || DUMB.test(tag.name)) return undefined;
    const telling: string[] = [];
    ATTRIBUTE.lastIndex = 0;
    // `matchAll` would make the expression anew for each tag.
    for (let found = ATTRIBUTE.exec(tag.attributes); found !== null; found = ATTRIBUTE.exec(tag.attributes))
      if (TELLING.test(found[1] ?? '')) telling.push(found[0]);
    if (telling.length > 0)
      pieces.push('<\0', REOPENED.test(tag.name) ? tag.attributes : telling.join(''), '>');
    return undefined;
  });
  return isRead ? pieces.join('') : undefined;
}

/** What the head of a page says of all of it, as it is written. */
export interface Headline {
  readonly title?: string | undefined;
  readonly lang?: string | undefined;
}

/** What stands before a title in a head. */
const BEFORE_TITLE = /^(?:html|head|meta|link|base|script|style|title)$/;

/** Reads the title of a page, and its language; undefined where a glance does not tell. */
export function glanceAtHead(markup: string): Headline | undefined {
  let lang: string | undefined;
  let [tags, isInTitle] = [0, false];
  let found: Headline | undefined;
  skim(markup, (text, tag) => {
    if (tag === undefined) {
      if (isInTitle && !/[&\0]/.test(text)) found = { title: text, lang };
      return isInTitle ? text !== '' : /[^\t\n\f\r ]/.test(text) && !text.startsWith('<!');
    }
    if (tags++ === 0) {
      const attributes = [...tag.attributes.matchAll(ATTRIBUTE)];
      const [, , ...values] = attributes.find(([, name]) => name?.toLowerCase() === 'lang') ?? [];
      lang = values.find((value) => value !== undefined);
      if (tag.name !== 'html' || lang?.includes('&') === true) return true;
    } else if (tag.name === 'html') return true;
    isInTitle = tag.name === 'title' && !tag.isEnd;
    const isEarly = BEFORE_TITLE.test(tag.name) && !(tag.isEnd && /^(?:html|head|title)$/.test(tag.name));
    return !isEarly;
  });
  return found;
}
