/** Reads of an HTML page what a reader sees of it, and quotes what changed. */

import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { decodePage } from '../../base/text/utf8.js';
import { attributeOf } from '../../site/page/elements.js';
import { parseHead } from '../../site/page/head.js';
import { readWritten, skim } from '../../site/page/text/glance.js';
import { BLOCK, fold, SEEN_ATTRIBUTES, UNSEEN } from '../../site/page/text/seen.js';
import { compareLines, cut } from '../text/lines.js';

/** Browsers nest no deeper either. */
const DEPTH_LIMIT = 512;

/**
 * Reads the title, the text of the body, alternative texts and where links lead to, with whitespace folded.
 *
 * @param readLink what is read of a link's target. @default as it is
 * @returns undefined for a page that is made to take long: its elements lie too deep, or cost more than they should
 */
export function readPageText(markup: string, readLink?: (href: string) => string): string | undefined {
  const document = parseWithin(markup);
  return document && readText(document, () => undefined, readLink);
}

/** @param each is shown each element on the way */
function readText(
  top: Tree.Node,
  each: (element: Tree.Element) => void = () => undefined,
  readLink: (href: string) => string = (href) => href,
): string {
  const readElement = (element: Tree.Element) => {
    each(element);
    return readAttributes(element, readLink);
  };
  return fold(gatherTexts(top, { border: ' ', readElement, isWanted: () => true }));
}

interface Gathering {
  /** What stands around blocks. */
  readonly border: string;
  readonly readElement: (element: Tree.Element) => readonly string[];
  /** What is left out with all that is in it. */
  readonly isWanted: (node: Tree.Node) => boolean;
}

function gatherTexts(top: Tree.Node, { border, readElement, isWanted }: Gathering): string {
  const texts: string[] = [];
  // Pages may be nested deeper than calls can be. A text stands for what comes after an element.
  const waiting: (Tree.Node | string)[] = [top];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      texts.push(next);
    } else if (defaultTreeAdapter.isTextNode(next)) {
      texts.push(next.value);
    } else if ('childNodes' in next && !UNSEEN.has(next.nodeName) && isWanted(next)) {
      const around = BLOCK.has(next.nodeName) ? border : '';
      texts.push(around);
      if (defaultTreeAdapter.isElementNode(next)) texts.push(...readElement(next));
      waiting.push(around);
      for (const child of next.childNodes.toReversed()) waiting.push(child);
    }
  }
  return texts.join('');
}

/** Longer pages are not quoted, in characters. */
const QUOTED_LENGTH = 1_000_000;
/** So many characters are quoted at most, and so many of them stand before what changed. */
const EXCERPT_LENGTH = 160;
const EXCERPT_LEAD = 40;
/** What is shorter says little; what comes next is told, too, behind a dot. */
const EXCERPT_SHORT = 60;
const BETWEEN = ' · ';
/** Longer words are cut. */
const WORD_LENGTH = 40;
/** Steps of comparing two pages. */
const STEPS_LIMIT = 100_000;
/** So many passages that went are looked at to find the one that became another. */
const FORMERS_LIMIT = 50;

/**
 * Finds the first passage of a page that is new, and cuts it to what people want to read. Titles are left out, and so is
 * what is hidden.
 *
 * @returns undefined where no passage is new, or where a page is long, or made to take long
 */
export function findExcerpt(before: string, after: string): string | undefined {
  if (Math.max(before.length, after.length) > QUOTED_LENGTH) return undefined;
  const [former, present] = [readPassages(before), readPassages(after)];
  if (former === undefined || present === undefined) return undefined;
  const hunks = compareLines(former, present, { left: STEPS_LIMIT });
  const hunk = hunks.find(({ added }) => added > 0);
  if (hunk === undefined) return undefined;
  const removed = former.slice(hunk.before, hunk.before + Math.min(hunk.removed, FORMERS_LIMIT));
  const added = present.slice(hunk.after, hunk.after + hunk.added);
  const like = removed.map((text) => findCommon(text, added[0] ?? ''));
  const [nearest] = like.sort((a, b) => b.start + b.end - a.start - a.end);
  return quotePassages(added, nearest);
}

/** Whether what was quoted of a page stands in it. */
export function holdsExcerpt(markup: string, excerpt: string): boolean {
  const pieces = excerpt.replace(/^… | …$/g, '').split(BETWEEN);
  if (pieces.every((piece) => markup.includes(piece))) return true;
  const text = readPassages(markup)?.join('\n') ?? '';
  return pieces.every((piece) => text.includes(piece));
}

/** Between passages; no text of a page holds it. */
const BREAK = '\0';

/** Reads the text of the body, and alternative texts, block by block. */
function readPassages(markup: string): string[] | undefined {
  const document = parseWithin(markup);
  if (document === undefined) return undefined;
  const isWanted = (node: Tree.Node) => node.nodeName !== 'title' && !isHidden(node);
  const texts = gatherTexts(document, { border: BREAK, readElement: readAlternative, isWanted });
  return texts
    .split(BREAK)
    .map(fold)
    .filter((text) => text !== '');
}

function isHidden(node: Tree.Node): boolean {
  return defaultTreeAdapter.isElementNode(node) && node.attrs.some(({ name }) => name === 'hidden');
}

function readAlternative({ attrs }: Tree.Element): string[] {
  return attrs.filter(({ name }) => name === 'alt').map(({ value }) => ` ${value} `);
}

interface Common {
  readonly start: number;
  readonly end: number;
}

/** How many characters two texts have in common at their start, and how many of the others at their end. */
function findCommon(a: string, b: string): Common {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

/** Quotes the first passage, and with one that says little, such as a date, what comes next. */
function quotePassages(
  [first = '', ...more]: readonly string[],
  { start, end }: Common = { start: 0, end: 0 },
): string {
  let text = first;
  while (text.length < EXCERPT_SHORT && more.length > 0) text += BETWEEN + more.shift();
  return cutAround(text, start, first.length - end);
}

/** Cuts a text to the words around a place, and marks what is cut. */
function cutAround(text: string, start: number, end: number): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const first = text.lastIndexOf(' ', start - 1) + 1;
  const last = (text.indexOf(' ', end) + 1 || text.length + 1) - 1;
  const left = start - first <= WORD_LENGTH ? first : start;
  const right = last - end <= WORD_LENGTH ? last : end;
  const room = EXCERPT_LENGTH - 4;
  let from = 0;
  if (right > room) {
    from = Math.max(0, left - Math.max(0, Math.min(EXCERPT_LEAD, room - (right - left))));
    const space = text.indexOf(' ', from);
    if (from > 0 && space >= 0 && space < left) from = space + 1;
    else if (isTrail(text, from)) from++;
  }
  const lead = from === 0 ? '' : '… ';
  const rest = text.slice(from);
  if (lead.length + rest.length <= EXCERPT_LENGTH) return lead + rest;
  const part = cut(rest, room);
  const space = part.lastIndexOf(' ');
  const isEnough = space >= Math.min(right - from, room - WORD_LENGTH);
  return `${lead}${isEnough ? part.slice(0, space) : part} …`;
}

/** Whether the second half of a character stands there. */
function isTrail(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code < 0xe000;
}

/** What a page says, for who indexes it. */
export interface PageText {
  /** Of its head, whitespace folded. */
  readonly title: string | undefined;
  /** What `<html lang>` says, such as `en` or `pt-BR`. */
  readonly lang: string | undefined;
  /** Of `<meta name="description">`, whitespace folded. */
  readonly description: string | undefined;
  /**
   * The title, the text of the body and alternative texts, whitespace folded. Where it is another one, `diff` and
   * `mirror` say that the text has changed; they also do where a link leads elsewhere.
   */
  readonly text: string;
  /** `<h1>` to `<h6>`, in their order. */
  readonly headings: readonly { readonly level: number; readonly text: string }[];
}

/**
 * Reads an HTML page as `diff` compares it, in the encoding that its byte order mark tells, in UTF-8, in the one that it
 * declares, or else in Windows-1252.
 *
 * @returns undefined for a page that is made to take long: its elements lie too deep, or cost more than they should
 */
export function readPage(bytes: Uint8Array): PageText | undefined {
  const markup = decodePage(bytes);
  const document = parseWithin(markup);
  if (document === undefined) return undefined;
  const headings: PageText['headings'][number][] = [];
  let description: string | undefined;
  const seen = readText(document, (element) => {
    const { tagName } = element;
    if (HEADING.test(tagName) && !isInHeading(element))
      headings.push({ level: Number(tagName[1]), text: stripMarks(readText(element)) });
    else if (tagName === 'meta' && attributeOf(element, 'name')?.toLowerCase() === 'description')
      description ??= attributeOf(element, 'content');
  });
  const described = fold(description ?? '') || undefined;
  return { ...readHeadline(markup), description: described, text: stripMarks(seen), headings };
}

const HEADING = /^h[1-6]$/;

/** Those in others are read with them: otherwise many could be read many times. */
function isInHeading({ parentNode }: Tree.Element): boolean {
  for (let above = parentNode; above !== null; above = 'parentNode' in above ? above.parentNode : null)
    if (HEADING.test(above.nodeName)) return true;
  return false;
}

/** Made of what is compared, so that it changes only where that does. */
function stripMarks(seen: string): string {
  return fold(seen.replace(/\[href [^\]]*\]/g, ' ').replace(/\[(?:[a-z-]+) ([^\]]*)\]/g, ' $1 '));
}

/** Title and language of a page, with little work where it is written as most are. */
export function readHeadline(markup: string): Required<Headline> {
  const { title, lang } = glanceAtHead(markup) ?? readHead(markup);
  return { title: fold(title ?? '') || undefined, lang: lang?.trim() || undefined };
}

/** What the head of a page says of all of it, as it is written. */
interface Headline {
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
      lang = readWritten(tag.attributes).find(({ name }) => name === 'lang')?.value;
      if (tag.name !== 'html' || lang?.includes('&') === true) return true;
    } else if (tag.name === 'html') return true;
    isInTitle = tag.name === 'title' && !tag.isEnd;
    const isEarly = BEFORE_TITLE.test(tag.name) && !(tag.isEnd && /^(?:html|head|title)$/.test(tag.name));
    return !isEarly;
  });
  return found;
}

function readHead(markup: string): Headline {
  const { html, element } = parseHead(markup);
  const title = element.childNodes.find(({ nodeName }) => nodeName === 'title');
  const text = title !== undefined && 'childNodes' in title ? title.childNodes[0] : undefined;
  return {
    title: text !== undefined && defaultTreeAdapter.isTextNode(text) ? text.value : undefined,
    lang: attributeOf(html, 'lang'),
  };
}

function readAttributes({ tagName, attrs }: Tree.Element, readLink: (href: string) => string): string[] {
  const names = SEEN_ATTRIBUTES.get(tagName) ?? SEEN_ATTRIBUTES.get('*');
  return attrs
    .filter(({ name }) => names?.has(name))
    .map(({ name, value }) => ` [${name} ${name === 'href' ? readLink(value) : value}] `);
}

/** Parses a page, but stops where the work is out of proportion to its length. */
function parseWithin(markup: string): Tree.Document | undefined {
  const tooMuch = Symbol('too much');
  let depth = 0;
  // The shortest tag has three characters. Elements that are left open are made again and again.
  let elements = markup.length / 2 + 1000;
  // Moving a node into the midst of others, or out of it, means looking for its place.
  let moves = 20 * markup.length + 100_000;
  const spend = (parent: Tree.ParentNode | null) => {
    moves -= parent?.childNodes.length ?? 0;
    if (moves < 0) throw tooMuch;
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...parameters) {
      if (elements-- < 0) throw tooMuch;
      return defaultTreeAdapter.createElement(...parameters);
    },
    onItemPush() {
      if (++depth > DEPTH_LIMIT) throw tooMuch;
    },
    onItemPop() {
      depth--;
    },
    detachNode(node) {
      spend(defaultTreeAdapter.getParentNode(node));
      defaultTreeAdapter.detachNode(node);
    },
    insertBefore(parent, ...nodes) {
      spend(parent);
      defaultTreeAdapter.insertBefore(parent, ...nodes);
    },
    insertTextBefore(parent, ...rest) {
      spend(parent);
      defaultTreeAdapter.insertTextBefore(parent, ...rest);
    },
  };
  try {
    return parse(markup, { treeAdapter });
  } catch (reason) {
    if (reason === tooMuch) return undefined;
    throw reason;
  }
}
