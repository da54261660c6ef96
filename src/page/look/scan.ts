/**
 * Reads the head of a page as browsers do, where the page is written as most are. What is written otherwise is left to a
 * parser that knows all of HTML. Pure, and it imports nothing, because threads load it.
 */

/** What it finds is what a `HeadElement` is, and where the element ends. */
interface ScannedElement {
  readonly nodeName: string;
  readonly attrs: readonly { readonly name: string; readonly value: string }[];
}

/** As far as parsers go. */
const MOST_ELEMENTS = 10_000;

const SPACE = /[\t\n\f\r ]*/y;
const TAG_NAME = /<([a-z][a-z0-9]*)(?=[\t\n\f\r />])/iy;
const END_TAG = /<\/([a-z][a-z0-9]*)[\t\n\f\r ]*>/iy;
const TAG_END = /[\t\n\f\r ]*\/?>/y;
/** Names and values as nearly everybody writes them. */
const ATTRIBUTE =
  /[\t\n\f\r ]+([!#-&(-.0-;?-~]+)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"\0\r]*)"|'([^'\0\r]*)'|([^\t\n\f\r "'=<>`\0]+)))?/y;
const DOCTYPE = /<!doctype[^>\0]*>/iy;
const OTHER_DECLARATION = /<[!?][^>\0]*>/y;

const KEPT = new Set(['meta', 'link', 'base']);
const VOID = new Set(['meta', 'link', 'base', 'basefont', 'bgsound']);
/** What is in them is text up to their end tag. */
const WITH_TEXT: Readonly<Record<string, RegExp>> = {
  title: /<\/title(?=[\t\n\f\r />])/gi,
  style: /<\/style(?=[\t\n\f\r />])/gi,
  script: /<\/script(?=[\t\n\f\r />])/gi,
  noscript: /<\/noscript(?=[\t\n\f\r />])/gi,
  noframes: /<\/noframes(?=[\t\n\f\r />])/gi,
};

/**
 * Reads the elements of the head that say something: `<meta>`, `<link>` and `<base>`.
 *
 * @param text of the page, without a byte order mark, as far as it is to count
 * @returns undefined where a parser has to find out
 */
export function scanHead(text: string): readonly ScannedElement[] | undefined {
  const elements: ScannedElement[] = [];
  let place = 0;
  let stage: 'top' | 'html' | 'head' | 'after' = 'top';
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    if (found !== null) place = pattern.lastIndex;
    return found;
  };
  for (;;) {
    match(SPACE);
    if (place === text.length) return elements;
    if (text[place] === '\0') return undefined;
    if (text[place] !== '<') return elements;
    const next = text[place + 1] ?? '';
    if (next === '!' || next === '?') {
      const end = skipDeclaration();
      if (!end) return undefined;
      continue;
    }
    if (next === '/') {
      const name = match(END_TAG)?.[1]?.toLowerCase();
      if (name === 'head' && (stage === 'head' || stage === 'html')) stage = 'after';
      else if (stage !== 'top' && (name === 'body' || name === 'html')) return elements;
      else return undefined;
      continue;
    }
    const name = match(TAG_NAME)?.[1]?.toLowerCase();
    // What looks like no tag is text, or a tag that is written oddly.
    if (name === undefined) return /[a-z]/i.test(next) ? undefined : next === '' ? undefined : elements;
    if (name === 'html' || name === 'head') {
      if (stage !== 'top' && !(name === 'head' && stage === 'html')) return undefined;
      if (readAttributes() === undefined) return undefined;
      stage = name;
      continue;
    }
    const ending = WITH_TEXT[name];
    if (!VOID.has(name) && ending === undefined) return name === 'template' ? undefined : elements;
    // Behind the head, it is the first thing of the body.
    if (name === 'noscript' && stage === 'after') return elements;
    const attrs = readAttributes();
    if (attrs === undefined) return undefined;
    if (stage !== 'after') stage = 'head';
    if (KEPT.has(name)) {
      if (elements.push({ nodeName: name, attrs }) > MOST_ELEMENTS) return undefined;
    } else if (ending !== undefined && !skipText(ending, name)) return undefined;
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
    if (match(DOCTYPE) !== null) return stage === 'top';
    return match(OTHER_DECLARATION) !== null;
  }

  function skipText(ending: RegExp, name: string): boolean {
    ending.lastIndex = place;
    const end = ending.exec(text)?.index;
    if (end === undefined) return false;
    // In a script, a comment may hide the end.
    if (name === 'script' && text.slice(place, end).includes('<!--')) return false;
    place = end;
    return match(END_TAG) !== null;
  }

  function readAttributes(): ScannedElement['attrs'] | undefined {
    const attrs: { name: string; value: string }[] = [];
    for (let found = match(ATTRIBUTE); found !== null; found = match(ATTRIBUTE)) {
      const [, written = '', double, single, bare] = found;
      const name = written.toLowerCase();
      const value = decodeValue(double ?? single ?? bare ?? '');
      if (value === undefined) return undefined;
      // Of two attributes with one name, the first counts.
      if (!attrs.some((one) => one.name === name)) attrs.push({ name, value });
    }
    return match(TAG_END) === null ? undefined : attrs;
  }
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#38;': '&',
  '&#39;': "'",
  '&#34;': '"',
  '&#x27;': "'",
  '&#x2F;': '/',
  '&#x26;': '&',
};

/** Undefined where there are references that are seldom written. */
function decodeValue(value: string): string | undefined {
  if (!value.includes('&')) return value;
  let isKnown = true;
  const decoded = value.replace(/&(?:#?\w+;?)?/g, (reference) => {
    if (reference === '&') return reference;
    const character = REFERENCES[reference];
    isKnown &&= character !== undefined;
    return character ?? '';
  });
  return isKnown ? decoded : undefined;
}
