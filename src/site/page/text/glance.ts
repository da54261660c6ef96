/** Looks at pages without making a tree of them, as far as a glance tells: what is written oddly is left to a parser. */

import { BLOCK, fold, SEEN_ATTRIBUTES, UNSEEN } from './seen.js';

const COMMENT = /<!--(?!-?>)/y;
const DOCTYPE = /<!doctype[^<>"']*>/iy;
export const TAG_ATTRIBUTES = /(?:[\t\n\f\r ]+[^\s"'<>=/]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*/.source;
const TAG = new RegExp(`<(/?)([a-z][a-z\\d-]*)(${TAG_ATTRIBUTES})[\\t\\n\\f\\r ]*(/?)>`, 'iy');
const ATTRIBUTE = /[\t\n\f\r ]+([^\s"'<>=/]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/g;
/** What is in them is no markup; of the first two, it is seen. */
export const RAW = /^(?:title|textarea|script|style|noscript|iframe|noembed|noframes|xmp)$/;
/** Within them, or behind them, a parser has rules of its own. */
export const ODD = /^(?:template|frameset|plaintext|math|select)$/;
/** What pictures are drawn with. Others may end an `<svg>`, or have rules of their own in it. */
const DRAWN =
  /^(?:a|circle|clippath|defs|desc|ellipse|g|line|lineargradient|mask|path|polygon|polyline|radialgradient|rect|stop|svg|symbol|text|title|tspan|use)$/;
export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly isClosed: boolean;
  /** As they are written, with what stands before them. */
  readonly attributes: string;
}

/** A text in which there is no markup, or a tag; a comment is a text without any. */
export interface Piece {
  readonly text: string;
  readonly tag?: Tag;
  /** What stands behind a tag that has no markup in it, up to its end tag. */
  readonly content?: string;
  /** Where the next one begins. */
  readonly end: number;
}

/**
 * Reads a piece of markup that has no mistakes, of which a parser makes what it is written as.
 *
 * @param isDrawn whether it is in a picture
 * @returns undefined where it may have some
 */
export function readPiece(markup: string, place: number, isDrawn: boolean): Piece | undefined {
  const take = (pattern: RegExp) => {
    pattern.lastIndex = place;
    return pattern.exec(markup);
  };
  if (markup[place] !== '<') {
    const next = markup.indexOf('<', place);
    const end = next < 0 ? markup.length : next;
    return { text: markup.slice(place, end), end };
  }
  if (markup[place + 1] === '!') {
    const doctype = take(DOCTYPE)?.[0];
    if (doctype !== undefined) return { text: doctype, end: DOCTYPE.lastIndex };
    const end = take(COMMENT) === null ? -1 : markup.indexOf('-->', COMMENT.lastIndex);
    if (end < 0 || markup.slice(COMMENT.lastIndex, end).includes('--!>')) return undefined;
    return { text: '<!>', end: end + 3 };
  }
  const found = take(TAG);
  const name = found?.[2]?.toLowerCase() ?? '';
  if (found === null || ODD.test(name)) return undefined;
  const tag = { name, isEnd: found[1] !== '', isClosed: found[4] !== '', attributes: found[3] ?? '' };
  const start = TAG.lastIndex;
  if (tag.isEnd || isDrawn || !RAW.test(name)) return { text: '', tag, end: start };
  const pattern = new RegExp(`</${name}[\\s/>]`, 'gi');
  pattern.lastIndex = start;
  const end = pattern.exec(markup)?.index ?? (/^t/.test(name) ? markup.length : -1);
  const content = markup.slice(start, Math.max(start, end));
  // A comment in a script may hold the end of one.
  return end < 0 || content.includes('<!--') ? undefined : { text: '', tag, content, end };
}

/**
 * Reads markup that has no mistakes, piece by piece.
 *
 * @param visit returns true where it has seen enough
 * @returns whether all of it could be read
 */
export function skim(markup: string, visit: (text: string, tag?: Tag) => boolean | undefined): boolean {
  const drawn: string[] = [];
  for (let place = 0; place < markup.length; ) {
    const piece = readPiece(markup, place, drawn.length > 0);
    if (piece === undefined) return false;
    const { text, tag, content } = piece;
    if (visit(text, tag) === true) return true;
    if (tag !== undefined && !draw(drawn, tag)) return false;
    if (content !== undefined && !UNSEEN.has(tag?.name ?? '') && visit(content) === true) return true;
    place = piece.end;
  }
  return true;
}

/**
 * Takes note of a tag, which may be in a picture; returns whether it has a place there.
 *
 * @param drawn elements of a picture that are open: other rules hold in it
 */
export function draw(drawn: string[], { name, isEnd, isClosed }: Tag): boolean {
  if (drawn.length === 0 && (name !== 'svg' || isEnd)) return true;
  if (isEnd) return drawn.pop() === name;
  // In a title, the rules of pages hold.
  if (!DRAWN.test(name) || /^(?:title|desc)$/.test(drawn.at(-1) ?? '')) return false;
  if (!isClosed) drawn.push(name);
  return true;
}

/** Finds out soon that a tag has none of them, and says no language. */
const MAY_TELL = /alt|aria-label|placeholder|title|href|value|label|type|encoding|color|face|size|lang/i;

/** In lower case, with its value, and all as it is written. */
export function readWritten(attributes: string): { name: string; value: string; all: string }[] {
  if (!MAY_TELL.test(attributes)) return [];
  const read: ReturnType<typeof readWritten> = [];
  ATTRIBUTE.lastIndex = 0;
  // `matchAll` would make the expression anew for each tag.
  for (let found = ATTRIBUTE.exec(attributes); found !== null; found = ATTRIBUTE.exec(attributes)) {
    const [all, name = '', ...values] = found;
    read.push({ name: name.toLowerCase(), value: values.find((value) => value !== undefined) ?? '', all });
  }
  return read;
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
    if (attributes === '' || UNSEEN.has(name)) return true;
    const met: string[] = [];
    for (const { name: attribute, value } of readWritten(attributes)) {
      if (attribute.startsWith('xlink:')) return false;
      if (seen?.has(attribute) !== true || met.includes(attribute)) continue;
      met.push(attribute);
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

  function addStart(tag: Tag): boolean {
    const { name, isClosed } = tag;
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
    else isOdd = !(tag.isEnd ? addEnd(tag) : addStart(tag));
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
  const former = glanceAtText(one, readLink);
  const present = former && glanceAtText(other, readLink);
  if (present !== undefined && former?.text === present.text) return false;
  return present?.isExact === true && former?.isExact === true ? true : undefined;
}
