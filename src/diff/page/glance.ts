/** Looks at pages without making a tree of them, as far as a glance tells: what is written oddly is left to a parser. */

import { BLOCK, fold, SEEN_ATTRIBUTES, UNSEEN } from './seen.js';

/** Behind this, what stands before a change is not looked through. In bytes. */
const LEAD_LIMIT = 200_000;
const COMMENT = /<!--(?!-?>)/y;
const DOCTYPE = /<!doctype[^<>"']*>/iy;
const TAG =
  /<(\/?)([a-z][a-z\d-]*)((?:[\t\n\f\r ]+[^\s"'<>=/]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*)[\t\n\f\r ]*(\/?)>/iy;
const ATTRIBUTE = /[\t\n\f\r ]+([^\s"'<>=/]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/g;
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
const TELLING =
  /^(?:xlink:)?(?:alt|aria-label|placeholder|title|href|value|label|type|encoding|color|face|size)$/i;
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

/** Where these begin or end, a `<p>` ends. */
const FLOW = setOf(
  `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1
h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul`,
);
const VOID = setOf('area base basefont bgsound br col embed hr img input link meta param source track wbr');
/** May stand in a head, and leave it open. */
const IN_HEAD = setOf('base basefont bgsound link meta noframes noscript script style title');
/** In these, only such elements stand as are made for them: a parser moves all else. */
const ROWS = setOf('colgroup table tbody tfoot thead tr');
/** What these may stand in. */
const PARENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['li'].map((name) => [name, setOf('menu ol ul')] as const),
  ...['dd', 'dt'].map((name) => [name, setOf('dl')] as const),
  ...['td', 'th'].map((name) => [name, setOf('tr')] as const),
  ['tr', setOf('table tbody tfoot thead')],
  ['col', setOf('colgroup')],
  ...['caption', 'colgroup', 'tbody', 'tfoot', 'thead'].map((name) => [name, setOf('table')] as const),
]);
/** These need no end tag where another one follows, or what they are in ends. */
const ENDS_ALONE = setOf('p li dd dt td th tr tbody tfoot thead colgroup');
const HEADING = /^h[1-6]$/;
/** There is one of these at a time. */
const ALONE = setOf('a button form nobr');
/** A parser makes something else of these. */
const STRANGE = setOf('frame image keygen listing optgroup option rb rp rt rtc xmp');
/** Browsers nest somewhat deeper. */
const DEPTH_LIMIT = 400;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s/));
}

/** References that are written often; others stay as they are. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&nbsp;', ' '],
  ['&#39;', "'"],
]);

/** What is seen of a page, and whether pages of which something else is read have another text. */
export interface GlancedText {
  readonly text: string;
  readonly isExact: boolean;
}

/**
 * Reads what `readPageText` does of a page whose elements lie in each other as they should, so that nothing is moved, left
 * out or made twice. Undefined where a glance does not tell.
 */
export function glanceAtText(
  page: string,
  readLink: (href: string) => string = (href) => href,
): GlancedText | undefined {
  // What stands before references that are not decoded.
  if (/[\0-\x02]/.test(page)) return undefined;
  const open: string[] = [];
  const texts: string[] = [];
  let [tags, stage, isExact, isOdd] = [0, 'head' as 'head' | 'body' | 'end', true, false];
  const top = () => open.at(-1) ?? '';

  /** @param mark other references count in attributes than in texts */
  function decode(text: string, mark: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&#?\w*;?/g, (reference) => {
      const character = reference === '&' ? '&' : REFERENCES.get(reference);
      // Not to be taken for one that was written in pieces.
      isExact &&= character !== undefined;
      return character ?? mark + reference + mark;
    });
  }

  function addText(text: string): boolean {
    if (!/[^\t\n\f\r ]/.test(text)) {
      texts.push(text);
      return true;
    }
    const isRaw = /^(?:title|textarea)$/.test(top()) && !isDrawn();
    // A declaration, or a comment.
    if (text[0] === '<' && !isRaw) return true;
    if (!isRaw && !enterBody()) return false;
    texts.push(decode(text, '\x01'));
    return !ROWS.has(top());
  }

  function leave(): string | undefined {
    if (BLOCK.has(top())) texts.push(' ');
    return open.pop();
  }

  /** What stands in no head begins the body, if nothing else did. */
  function enterBody(): boolean {
    if (stage === 'head' && top() === 'head') leave();
    if (stage === 'head') stage = 'body';
    return stage === 'body';
  }

  function addAttributes({ name, attributes }: Tag): boolean {
    const seen = SEEN_ATTRIBUTES.get(name) ?? SEEN_ATTRIBUTES.get('*');
    if (attributes === '' || UNSEEN.has(name) || !MAY_TELL.test(attributes)) return true;
    const met: string[] = [];
    ATTRIBUTE.lastIndex = 0;
    for (let found = ATTRIBUTE.exec(attributes); found !== null; found = ATTRIBUTE.exec(attributes)) {
      const attribute = found[1]?.toLowerCase() ?? '';
      if (attribute.startsWith('xlink:')) return false;
      if (seen?.has(attribute) !== true || met.includes(attribute)) continue;
      met.push(attribute);
      const value = found[2] ?? found[3] ?? found[4] ?? '';
      const isLink = attribute === 'href';
      if (isLink && /&(?!amp;)|\r/.test(value)) return false;
      const decoded = decode(value, '\x02');
      texts.push(` [${attribute} ${isLink ? readLink(decoded) : decoded}] `);
    }
    return true;
  }

  function isDrawn(): boolean {
    return open.includes('svg');
  }

  /** Whether a tag has its place where it stands. */
  function enter(name: string): boolean {
    const isFirst = tags++ === 0;
    if (name === 'html') return isFirst && stage === 'head';
    if (name === 'head') return stage === 'head' && (isFirst || (tags === 2 && top() === 'html'));
    if (name === 'body') {
      if (top() === 'head') leave();
      if (stage !== 'head' || open.length > 1 || !/^(?:html)?$/.test(top())) return false;
      stage = 'body';
      return true;
    }
    if (stage === 'end' || STRANGE.has(name) || open.length > DEPTH_LIMIT) return false;
    if (!IN_HEAD.has(name) || (name === 'noscript' && top() !== 'head')) enterBody();
    if (FLOW.has(name) && top() === 'p') leave();
    const parents = PARENTS.get(name);
    while (parents?.has(top()) === false && ENDS_ALONE.has(top())) leave();
    if (parents?.has(top()) ?? (!ROWS.has(top()) || name === 'script' || name === 'style'))
      return !(
        (FLOW.has(name) && open.includes('p')) ||
        (ALONE.has(name) && open.includes(name)) ||
        (HEADING.test(name) && HEADING.test(top()))
      );
    return false;
  }

  function addStart(tag: Tag, isClosed: boolean): boolean {
    const { name } = tag;
    const isPicture = name === 'svg' || isDrawn();
    if (!(isDrawn() || enter(name))) return false;
    if (BLOCK.has(name)) texts.push(' ');
    if (!addAttributes(tag)) return false;
    open.push(name);
    if (isPicture ? isClosed : VOID.has(name)) leave();
    return true;
  }

  function addEnd({ name }: Tag): boolean {
    if (name === 'body' || name === 'html') {
      stage = 'end';
      return true;
    }
    if ((FLOW.has(name) || PARENTS.has(name)) && !isDrawn())
      while (top() !== name && ENDS_ALONE.has(top())) leave();
    return leave() === name;
  }

  const isRead = skim(page, (text, tag) => {
    if (tag === undefined) isOdd = !addText(text);
    else isOdd = !(tag.isEnd ? addEnd(tag) : addStart(tag, text.endsWith('/>')));
    return isOdd;
  });
  return isRead && !isOdd ? { text: fold(texts.join('')), isExact } : undefined;
}

/** Whether pages have another text, as `readPageText` reads it; undefined where a glance does not tell. */
export function compareAtGlance(
  one: string,
  other: string,
  readLink?: (href: string) => string,
): boolean | undefined {
  // This takes half of the time of reading both texts.
  const reduced = reducePage(one);
  if (reduced !== undefined && reduced === reducePage(other)) return false;
  const former = reduced === undefined ? undefined : glanceAtText(one, readLink);
  const present = former && glanceAtText(other, readLink);
  if (present !== undefined && former?.text === present.text) return false;
  return present?.isExact === true && former?.isExact === true ? true : undefined;
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
