/** Reads the text of a page and finds its main text, by the rule in docs/sitemap.md. A new rule needs a new `RULE`. Pure. */

import { matchGroups } from '../../base/text/match.js';
import { OpenElements } from './open.js';
import { attributeOf, type Tag } from './tokens.js';

/** Elements whose content is left out, because nobody sees it, or hardly anybody: frames and `<noscript>`. */
const UNSEEN: ReadonlySet<string> = new Set([
  ...['script', 'style', 'template', 'noscript', 'iframe', 'noembed', 'noframes'],
]);

/** Elements that begin on a new line, or stand apart, so that words do not run together. */
const BLOCK: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'br', 'button', 'caption', 'center', 'dd'],
  ...['details', 'dialog', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header', 'hgroup', 'hr', 'html', 'legend', 'li'],
  ...['main', 'menu', 'nav', 'ol', 'optgroup', 'option', 'p', 'pre', 'search', 'section', 'select'],
  ...['summary', 'table', 'tbody', 'td', 'textarea', 'tfoot', 'th', 'thead', 'title', 'tr', 'ul'],
]);

/** Elements in which white space counts. */
const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'textarea', 'listing', 'xmp', 'plaintext']);

const VOID: ReadonlySet<string> = new Set([
  ...['area', 'base', 'basefont', 'bgsound', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'keygen'],
  ...['link', 'meta', 'param', 'source', 'track', 'wbr'],
]);

/** Attributes whose values people see or hear, in the order in which they come in a text. */
const SEEN = ['alt', 'aria-label', 'placeholder', 'title'];
const SEEN_BESIDES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['input', 'value'],
  ['option', 'label'],
]);

/** Elements that are never part of a main text. */
const APART: ReadonlySet<string> = new Set(['nav', 'aside', 'footer']);
const APART_ROLES: ReadonlySet<string> = new Set([
  ...['navigation', 'banner', 'contentinfo', 'complementary', 'search'],
]);

/** Attributes of elements that are left out of the main text. */
const HIDING: ReadonlySet<string> = new Set(['hidden', 'data-pagefind-ignore']);

/** Properties of all that is in an element, as bits of its state. */
const HIDDEN = 1;
const OUTSIDE = 2;
const IN_HEADER = 4;
const IN_MARKED = 8;
const IN_MAIN = 16;
const IN_ARTICLE = 32;
const IN_FIRST_ARTICLE = 64;
const KEEPS_SPACE = 128;
const FOREIGN = 256;
/** Property of an element of SVG or MathML that holds HTML; not of the elements in it. */
const HOLDER = 512;
const REGIONS = OUTSIDE | IN_HEADER | IN_MARKED | IN_MAIN | IN_FIRST_ARTICLE;

/** Elements of HTML that end an SVG or MathML element that was left open. */
const BREAKS_OUT: ReadonlySet<string> = new Set([
  ...['b', 'blockquote', 'body', 'br', 'center', 'code', 'dd', 'div', 'dl', 'dt', 'em', 'h1', 'h2'],
  ...['h3', 'h4', 'h5', 'h6', 'head', 'hr', 'i', 'img', 'li', 'menu', 'meta', 'ol', 'p', 'pre'],
  ...['small', 'span', 'strong', 'sub', 'sup', 'table', 'u', 'ul'],
]);
/** Elements of SVG or MathML that hold HTML. */
const HOLDS_HTML: ReadonlySet<string> = new Set([
  ...['foreignobject', 'desc', 'title', 'mi', 'mo', 'mn', 'ms', 'mtext'],
]);

/** Characters that no text contains: they stand for borders of blocks, for white space that counts, and for the ends of attributes. */
const BORDER = '\0';
const KEPT: ReadonlyMap<string, string> = new Map([
  [' ', '\x01'],
  ['\n', '\x02'],
  ['\t', '\x03'],
]);
const [OPEN, CLOSE] = ['\x04', '\x05'];
const SIGN = /[\0-\x05]/;
const SIGNS = /[\0-\x05]/g;

/** A piece of text that lies in the same regions of the page from its beginning to its end. */
interface Part {
  readonly state: number;
  text: string;
}

interface HeadingPart extends Part {
  readonly level: number;
}

const HEADING = /^h([1-6])$/;

export class TextReader {
  readonly #open = new OpenElements();
  readonly #parts: Part[] = [];
  readonly #headings: HeadingPart[] = [];
  #heading: HeadingPart | undefined;
  #hasMarked = false;
  #hasMain = false;
  #articles = 0;
  /** True if the last token began preformatted text: a line break directly after it is dropped. */
  #isAtStart = false;

  constructor() {
    this.#open.push('body', 0);
  }

  isForeign(): boolean {
    return (this.#open.state & FOREIGN) !== 0;
  }

  takesSections(): boolean {
    return (this.#open.state & (FOREIGN | HOLDER)) !== 0;
  }

  onTag(tag: Tag): void {
    const { name } = tag;
    this.#isAtStart = false;
    if ((this.#open.state & HIDDEN) !== 0) {
      if (name === 'template' && name === this.#open.name) this.#open.push(name, HIDDEN);
      return;
    }
    if (name === 'body' && this.#parts.length === 0) this.#takeBody(tag);
    if (name === 'html' || name === 'head' || name === 'body' || !this.#open.takes(name)) return;
    this.#makeWay(name);
    const outer = this.#open.state;
    if (BLOCK.has(name)) this.#write(BORDER, outer);
    const state = this.#judge(tag, outer);
    if ((state & HIDDEN) === 0) this.#takeSeen(tag, state);
    if (!VOID.has(name) && !(tag.isClosed && (outer & FOREIGN) !== 0)) this.#open.push(name, state);
  }

  /** Opens the body with the properties of its tag. The body is never left out as a whole. */
  #takeBody(tag: Tag): void {
    this.#open.pop();
    this.#open.push('body', this.#judge(tag, 0) & ~OUTSIDE);
  }

  #makeWay(name: string): void {
    if (BREAKS_OUT.has(name)) while (this.isForeign()) this.#open.pop();
    if (!this.isForeign()) this.#open.makeWay(name);
  }

  /** Computes the properties of an element from those of the element around it (`outer`). */
  #judge(tag: Tag, outer: number): number {
    const { name } = tag;
    let state = outer & ~HOLDER;
    if (name === 'svg' || name === 'math') state |= FOREIGN;
    if (HOLDS_HTML.has(name) && (state & FOREIGN) !== 0) state ^= FOREIGN | HOLDER;
    if (UNSEEN.has(name)) state |= HIDDEN;
    if (PREFORMATTED.has(name)) state |= KEEPS_SPACE;
    if (name === 'header') state |= IN_HEADER;
    if (APART.has(name)) state |= OUTSIDE;
    const role = attributeOf(tag, 'role')?.trim().split(/\s/, 1)[0]?.toLowerCase();
    if (role !== undefined && APART_ROLES.has(role)) state |= OUTSIDE;
    if (tag.attributes.some((attribute) => HIDING.has(attribute.name))) state |= OUTSIDE;
    return (state & OUTSIDE) === 0 ? state | this.#judgeMain(tag, role, outer) : state;
  }

  /** Computes which main region an element begins, if any. Not called for elements that are left out. */
  #judgeMain(tag: Tag, role: string | undefined, outer: number): number {
    if (attributeOf(tag, 'data-pagefind-body') !== undefined) {
      this.#hasMarked = true;
      return IN_MARKED;
    }
    if ((tag.name === 'main' || role === 'main') && !this.#hasMain) {
      this.#hasMain = true;
      return IN_MAIN;
    }
    if (tag.name !== 'article' || (outer & IN_ARTICLE) !== 0) return 0;
    return ++this.#articles === 1 ? IN_ARTICLE | IN_FIRST_ARTICLE : IN_ARTICLE;
  }

  #takeSeen(tag: Tag, state: number): void {
    const { name } = tag;
    const [, level] = matchGroups(HEADING, name);
    if (level !== undefined) {
      this.#heading = { level: Number(level), state: state & REGIONS, text: '' };
      this.#headings.push(this.#heading);
    }
    this.#isAtStart = PREFORMATTED.has(name);
    if (tag.attributes.length === 0) return;
    if (name === 'input' && attributeOf(tag, 'type')?.toLowerCase() === 'hidden') return;
    for (const seen of SEEN) this.#takeAttribute(seen, attributeOf(tag, seen), state);
    const besides = SEEN_BESIDES.get(name);
    if (besides === undefined) return;
    const value = attributeOf(tag, besides);
    this.#takeAttribute(
      besides,
      besides === 'href' ? (value ?? attributeOf(tag, 'xlink:href')) : value,
      state,
    );
  }

  /** Writes an attribute. An empty one counts as none, except for a link: that leads to the page itself. */
  #takeAttribute(name: string, value: string | undefined, state: number): void {
    if (value === undefined || (value === '' && name !== 'href')) return;
    this.#write(` ${OPEN}${name} ${value.replace(SIGNS, '')}${CLOSE} `, state);
  }

  onEndTag(name: string): void {
    this.#isAtStart = false;
    if ((this.#open.state & HIDDEN) !== 0) {
      if (name === this.#open.name) this.#open.pop();
      return;
    }
    if (name === 'html' || name === 'head' || name === 'body') return;
    if (BLOCK.has(name)) this.#write(BORDER, this.#open.state);
    if (HEADING.test(name)) this.#heading = undefined;
    this.#open.end(name);
  }

  onText(text: string): void {
    const { state } = this.#open;
    if ((state & HIDDEN) !== 0) return;
    const plain = SIGN.test(text) ? text.replace(SIGNS, '') : text;
    this.#write((state & KEEPS_SPACE) === 0 ? plain : this.#keepSpaces(plain), state);
    this.#isAtStart = false;
  }

  #keepSpaces(text: string): string {
    const lines = text.replace(/\r\n?/g, '\n');
    const kept = this.#isAtStart && lines.startsWith('\n') ? lines.slice(1) : lines;
    return kept.replace(/[ \n\t]/g, (space) => KEPT.get(space) ?? space);
  }

  #write(text: string, state: number): void {
    const regions = state & REGIONS;
    const last = this.#parts.at(-1);
    if (last?.state === regions) last.text += text;
    else this.#parts.push({ state: regions, text });
    if (this.#heading?.state === regions) this.#heading.text += text;
  }

  /** The texts of the body. The main text is chosen only now, when the whole page is read. */
  get text(): BodyText {
    const region = this.#chooseRegion();
    const isMain = ({ state }: Part) =>
      (state & OUTSIDE) === 0 && (region === undefined ? (state & IN_HEADER) === 0 : (state & region) !== 0);
    const join = (parts: readonly Part[]) => parts.map(({ text }) => text).join('');
    return {
      main: join(this.#parts.filter(isMain)),
      rest: join(this.#parts.filter((part) => !isMain(part))),
      headings: this.#headings.filter(isMain).map(({ level, text }) => ({ level, text: readPlainly(text) })),
    };
  }

  /** Chooses the region of the main text; undefined if it is the whole body. */
  #chooseRegion(): number | undefined {
    if (this.#hasMarked) return IN_MARKED;
    if (this.#hasMain) return IN_MAIN;
    return this.#articles === 1 ? IN_FIRST_ARTICLE : undefined;
  }
}

/** The texts of a body, with placeholders in them: to be read by `readExactly`, `readPlainly` and `readPassages`. */
export interface BodyText {
  readonly main: string;
  readonly rest: string;
  /** The headings in the main text, in order. */
  readonly headings: readonly { readonly level: number; readonly text: string }[];
}

/** Returns a text for comparison, with its attributes. @param readLink normalizes the target of a link */
export function readExactly(text: string, readLink: (href: string) => string = (href) => href): string {
  const linked = text.replace(LINK, (_, href: string) => `${OPEN}href ${readLink(href)}${CLOSE}`);
  return fold(linked.replaceAll(BORDER, ' '));
}

/** Returns the words of a text, and those in attributes other than links. */
export function readPlainly(text: string): string {
  return fold(text.replace(LINK, ' ').replace(ATTRIBUTE, ' $2 ').replace(SIGNS, ' '));
}

/** Returns the words of a text by blocks, with alternative texts of images. */
export function readPassages(text: string): string[] {
  const words = text.replace(ATTRIBUTE, (_, name: string, value: string) =>
    name === 'alt' ? ` ${value} ` : ' ',
  );
  return words
    .split(BORDER)
    .map((passage) => fold(passage.replace(SIGNS, ' ')))
    .filter((passage) => passage !== '');
}

const LINK = /\x04href ([^\x05]*)\x05/g;
const ATTRIBUTE = /\x04([a-z-]+) ([^\x05]*)\x05/g;

/** Folds white space: makes one space of several in a row, and removes it at both ends. */
export function fold(text: string): string {
  // Most white space is a single space, for which no new text is needed.
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}
