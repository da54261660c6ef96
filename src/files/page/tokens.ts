/** Splits a page into tags and texts, with their places, by the rules of htmlparser2. Pure. */

import { Tokenizer } from 'htmlparser2';

/** An attribute of a tag with its place in the markup; character references in the value are decoded. */
export interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface Tag {
  readonly name: string;
  /** Those attributes that are in `READ_ATTRIBUTES`, the first of each name. */
  readonly attributes: readonly Attribute[];
  readonly start: number;
  readonly end: number;
  /** True if the tag ends with a slash, which matters only in SVG and MathML. */
  readonly isClosed: boolean;
}

export interface BodyListener {
  onTag(tag: Tag): void;
  onEndTag(name: string): void;
  onText(text: string): void;
  /** Tests if the next token is in SVG or MathML, where other rules apply. */
  isForeign(): boolean;
  /** Tests if `<![CDATA[` begins a text here, as it does directly in an element of SVG or MathML. */
  takesSections(): boolean;
}

interface TokenListener extends BodyListener {
  /** Receives a doctype or a comment. @param end the position after it */
  onDeclaration(isDoctype: boolean, end: number): void;
}

const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['alt', 'aria-label', 'placeholder', 'title', 'href', 'xlink:href', 'value', 'label'],
  ...['role', 'hidden', 'data-pagefind-body', 'data-pagefind-ignore'],
  ...['lang', 'charset', 'content', 'http-equiv', 'name', 'property', 'rel', 'type'],
]);

export function attributeOf(
  { attributes }: { readonly attributes: readonly Pick<Attribute, 'name' | 'value'>[] },
  name: string,
): string | undefined {
  for (const attribute of attributes) if (attribute.name === name) return attribute.value;
  return undefined;
}

/** Reads the tokens of a page until its end, or until `stop` is called. */
export class TokenReader {
  readonly #markup: string;
  /** The markup for the tokenizer, of equal length. CDATA sections are comments here, which end at the next `>`, as in HTML. */
  readonly #tokens: string;
  readonly #listener: TokenListener;
  #tokenizer: Tokenizer;
  /** Position in the page at which the text of the current tokenizer begins. */
  #base = 0;
  /** Position at which a new tokenizer goes on when this one has stopped; undefined to end. */
  #next: number | undefined;
  #name = '';
  #start = 0;
  #attributes: Attribute[] = [];
  /** Name of the current attribute; '' if its value is not needed. */
  #attribute = '';
  #attributeStart = 0;
  #value = '';
  /** Position at which the text of the open script begins; undefined if no script is open. */
  #script: number | undefined;

  constructor(markup: string, listener: TokenListener) {
    this.#markup = markup;
    // In HTML, a CDATA section is a comment up to the next `>`, which is how the tokenizer reads `<!?`.
    this.#tokens = markup.replaceAll('<![CDATA[', '<!?CDATA[');
    this.#listener = listener;
    this.#tokenizer = this.#makeTokenizer();
  }

  #makeTokenizer(): Tokenizer {
    return new Tokenizer(
      {},
      {
        onopentagname: (start, end) => this.#beginTag(start, end),
        onopentagend: (end) => this.#finishTag(end, false),
        onselfclosingtag: (end) => this.#finishTag(end, true),
        onclosetag: (start, end) => this.#takeEndTag(start, end),
        onattribname: (start, end) => this.#beginAttribute(start, end),
        onattribdata: (start, end) => {
          if (this.#attribute !== '') this.#value += this.#slice(start, end);
        },
        onattribentity: (code) => {
          if (this.#attribute !== '') this.#value += String.fromCodePoint(code);
        },
        onattribend: (_, end) => this.#finishAttribute(end),
        ontext: (start, end) => this.#takeText(this.#slice(start, end)),
        ontextentity: (code) => this.#takeText(String.fromCodePoint(code)),
        oncdata: () => undefined,
        oncomment: (start, end) => this.#takeComment(start, end),
        ondeclaration: (_, end) => this.#takeDeclaration(true, end),
        onprocessinginstruction: () => undefined,
        onend: () => undefined,
        isInForeignContext: () => this.#listener.isForeign(),
      },
    );
  }

  read(): void {
    for (let start: number | undefined = 0; start !== undefined; start = this.#next) {
      this.#base = start;
      this.#next = undefined;
      if (start > 0) this.#tokenizer = this.#makeTokenizer();
      this.#tokenizer.write(start === 0 ? this.#tokens : this.#tokens.slice(start));
      this.#tokenizer.end();
    }
  }

  stop(): void {
    this.#next = undefined;
    this.#tokenizer.pause();
  }

  #slice(start: number, end: number): string {
    return this.#markup.slice(this.#base + start, this.#base + end);
  }

  #beginTag(start: number, end: number): void {
    this.#name = this.#slice(start, end).toLowerCase();
    this.#start = this.#base + start - 1;
    this.#attributes = [];
  }

  #finishTag(offset: number, isClosed: boolean): void {
    if (this.#script !== undefined) return;
    const name = this.#name;
    const end = this.#base + offset + 1;
    const isForeign = this.#listener.isForeign();
    if (name === 'script' && !isForeign) this.#script = end;
    if (name === 'noscript' && !isForeign) this.#passBy(NOSCRIPT_END, end);
    this.#listener.onTag({ name, attributes: this.#attributes, start: this.#start, end, isClosed });
  }

  /** Skips what a browser that runs scripts takes for text, up to the next match of `ending`. */
  #passBy(ending: RegExp, from: number): void {
    ending.lastIndex = from;
    this.stop();
    this.#next = ending.exec(this.#markup)?.index;
  }

  #beginAttribute(start: number, end: number): void {
    const name = this.#slice(start, end).toLowerCase();
    const isRead = READ_ATTRIBUTES.has(name) && this.#attributes.every((other) => other.name !== name);
    this.#attribute = isRead ? name : '';
    this.#attributeStart = this.#base + start;
    this.#value = '';
  }

  #finishAttribute(end: number): void {
    const name = this.#attribute;
    if (name === '') return;
    const [start, value] = [this.#attributeStart, this.#value];
    this.#attributes.push({ name, value, start, end: this.#base + end });
  }

  #takeEndTag(start: number, end: number): void {
    const name = this.#slice(start, end).toLowerCase();
    if (this.#script !== undefined) {
      if (name !== 'script') return;
      // If the end tag does not end the script, what follows is still text, even if it looks like elements.
      if (this.#isEscaped(this.#script, this.#base + start)) {
        this.#passBy(SCRIPT_END, this.#base + end);
        return;
      }
      this.#script = undefined;
    }
    this.#passAttributes(this.#base + end);
    this.#listener.onEndTag(name);
  }

  /** Goes on after an end tag with attributes. If a value holds a `>`, the tokenizer would end the tag there. */
  #passAttributes(from: number): void {
    if (this.#markup[from] === '>') return;
    const end = findTagEnd(this.#markup, from);
    if (end === this.#markup.indexOf('>', from)) return;
    this.stop();
    this.#next = end + 1;
  }

  #takeText(text: string): void {
    if (this.#script === undefined) this.#listener.onText(text);
  }

  #takeComment(start: number, end: number): void {
    const place = this.#base + start - 1;
    if (!this.#markup.startsWith(SECTION, place) || !this.#listener.takesSections()) {
      this.#takeDeclaration(false, end);
      return;
    }
    const begin = place + SECTION.length;
    const close = this.#markup.indexOf(SECTION_END, begin);
    this.#takeText(this.#markup.slice(begin, close < 0 ? undefined : close));
    this.stop();
    this.#next = close < 0 ? undefined : close + SECTION_END.length;
  }

  #takeDeclaration(isDoctype: boolean, end: number): void {
    if (this.#script === undefined) this.#listener.onDeclaration(isDoctype, this.#base + end + 1);
  }

  /** Tests if `</script>` is part of a script, because after a `<!--` in it, another `<script` is open. */
  #isEscaped(start: number, end: number): boolean {
    if (end - start > MOST_ESCAPED) return false;
    const script = this.#markup.slice(start, end - 2).toLowerCase();
    const comment = script.lastIndexOf('<!--');
    if (comment < 0 || script.includes('-->', comment + 2)) return false;
    return (
      script.indexOf('<script', comment) >= 0 &&
      script.lastIndexOf('<script') > script.lastIndexOf('</script')
    );
  }
}

const SPACE = String.raw`\t\n\f\r `;
const VALUE = `(?:"[^"]*"?|'[^']*'?|[^${SPACE}>]*)`;
const NAME = `[^${SPACE}/>][^${SPACE}/>=]*`;
/** Matches an attribute as it is written, with the space before it. */
const ATTRIBUTE = new RegExp(`[${SPACE}/]*(?:${NAME}(?:[${SPACE}]*=[${SPACE}]*${VALUE})?)?`, 'y');

/** Finds the `>` that ends a tag; the length of the markup if none does. @param from position after the name */
function findTagEnd(markup: string, from: number): number {
  for (let place = from; ; place = ATTRIBUTE.lastIndex) {
    ATTRIBUTE.lastIndex = place;
    ATTRIBUTE.test(markup);
    if (ATTRIBUTE.lastIndex === place) return place;
  }
}

const SECTION = '![CDATA[';
const SECTION_END = ']]>';
const SCRIPT_END = /<\/script(?=[\t\n\f\r />])/gi;
const NOSCRIPT_END = /<\/noscript(?=[\t\n\f\r />])/gi;

/** Limit of scripts in which end tags may be escaped, in characters; longer ones end at the first end tag. */
const MOST_ESCAPED = 65_536;
