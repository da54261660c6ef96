/** Reads the head of an HTML page as browsers do. Pure. */

import { attributeOf, type BodyListener, type Tag, TokenReader } from './tokens.js';

/** What a page says before its body. */
export interface PageHead {
  /** The meaningful children of the head: `<meta>`, `<link>` and `<base>`, in order. */
  readonly elements: readonly Tag[];
  /** The content of `<title>`, verbatim. */
  readonly title: string | undefined;
  readonly lang: string | undefined;
  /** True if the file looks like a page, by its tags or doctype, and not like a fragment that a script fetches. */
  readonly isPage: boolean;
  /** True if the body was reached; false if the input ended before the body. */
  readonly isOver: boolean;
  /** Position at which an element can be inserted into the head: as early as possible. */
  readonly place: number;
}

const SAYING: ReadonlySet<string> = new Set(['meta', 'link', 'base']);
/** Elements in a head whose content is text up to their end tag. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'style', 'script', 'noscript', 'noframes']);
const OTHERS: ReadonlySet<string> = new Set(['template', 'basefont', 'bgsound']);
const PAGE_SIGNS: ReadonlySet<string> = new Set([
  ...['html', 'head', 'body', 'frameset', 'title', 'meta', 'base'],
]);
/** End tags that begin the body; before a body, all others are ignored, except for `</head>`. */
const ENDS: ReadonlySet<string> = new Set(['body', 'html', 'br']);

class HeadReader {
  readonly #elements: Tag[] = [];
  #stage: 'top' | 'html' | 'head' | 'after' | 'body' = 'top';
  #title: string | undefined;
  #lang: string | undefined;
  #isPage = false;
  /** Name of the open element whose content is text up to its end tag; undefined if there is none. */
  #inside: string | undefined;
  #isInTitle = false;
  #templates = 0;
  #behindTop = 0;
  #behindTag: number | undefined;
  #first: number | undefined;

  /** True if the body began with the last token, or before. */
  get isOver(): boolean {
    return this.#stage === 'body';
  }

  get head(): PageHead {
    return {
      elements: this.#elements,
      title: this.#title,
      lang: this.#lang,
      isPage: this.#isPage,
      isOver: this.isOver,
      place: this.#behindTag ?? this.#first ?? this.#behindTop,
    };
  }

  onTag(tag: Tag): void {
    const { name } = tag;
    if (this.#templates > 0) {
      if (name === 'template') this.#templates++;
      return;
    }
    if (PAGE_SIGNS.has(name)) this.#isPage = true;
    if (name === 'html') this.#takeHtml(tag);
    else if (name === 'head') this.#takeHead(tag);
    else if (name === 'noscript' && this.#stage === 'after') this.#stage = 'body';
    else if (SAYING.has(name) || TEXTS.has(name) || OTHERS.has(name)) this.#takeElement(tag);
    else this.#stage = 'body';
  }

  #takeHtml(tag: Tag): void {
    this.#lang ??= attributeOf(tag, 'lang');
    if (this.#stage !== 'top') return;
    this.#stage = 'html';
    this.#behindTop = tag.end;
  }

  #takeHead(tag: Tag): void {
    if (this.#stage !== 'top' && this.#stage !== 'html') return;
    this.#stage = 'head';
    this.#behindTag = tag.end;
  }

  #takeElement(tag: Tag): void {
    const { name } = tag;
    if (this.#stage !== 'after') this.#stage = 'head';
    this.#first ??= tag.start;
    if (SAYING.has(name)) this.#elements.push(tag);
    if (TEXTS.has(name)) this.#inside = name;
    if (name === 'template') this.#templates = 1;
    if (name !== 'title' || this.#title !== undefined) return;
    this.#isInTitle = true;
    this.#title = '';
  }

  onEndTag(name: string): void {
    if (this.#inside !== undefined) {
      if (name !== this.#inside) return;
      this.#inside = undefined;
      this.#isInTitle = false;
    } else if (this.#templates > 0) {
      if (name === 'template') this.#templates--;
    } else if (name === 'head') {
      if (this.#stage !== 'body') this.#stage = 'after';
    } else if (ENDS.has(name)) this.#stage = 'body';
  }

  onText(text: string): void {
    if (this.#isInTitle) this.#title += text;
    else if (this.#inside === undefined && this.#templates === 0 && /[^\t\n\f\r ]/.test(text))
      this.#stage = 'body';
  }

  onDeclaration(isDoctype: boolean, end: number): void {
    if (isDoctype && this.#stage === 'top') this.#isPage = true;
    if (this.#stage === 'top' || this.#stage === 'html') this.#behindTop = end;
  }
}

/** Reads the head of a page, and stops at its body. */
export function readHead(markup: string): PageHead {
  return readTokens(markup, undefined);
}

/** Reads the tokens of a page; returns its head. @param body receives the tokens of the body; undefined to stop there */
export function readTokens(markup: string, body: BodyListener | undefined): PageHead {
  const head = new HeadReader();
  const isBody = () => {
    if (head.isOver && body === undefined) tokens.stop();
    return head.isOver;
  };
  const tokens = new TokenReader(markup, {
    onTag(tag) {
      if (!head.isOver) head.onTag(tag);
      if (isBody()) body?.onTag(tag);
    },
    onEndTag(name) {
      if (!head.isOver) head.onEndTag(name);
      if (isBody()) body?.onEndTag(name);
    },
    onText(text) {
      if (!head.isOver) head.onText(text);
      if (isBody()) body?.onText(text);
    },
    onDeclaration(isDoctype, end) {
      if (!head.isOver) head.onDeclaration(isDoctype, end);
    },
    isForeign: () => head.isOver && body?.isForeign() === true,
    takesSections: () => head.isOver && body?.takesSections() === true,
  });
  tokens.read();
  return head.head;
}
