/**
 * What stands in nearly every head, written as nearly everybody writes it: read by few expressions, which take a fraction
 * of the time. Whatever these do not match is left to `scan.ts`. Pure, and it imports nothing, because threads load it.
 */

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** An element of a head, as a `HeadElement`. */
export interface ScannedElement {
  readonly nodeName: string;
  readonly attrs: readonly Attribute[];
}

const SPACE = '[\\t\\n\\f\\r ]';
/** What comes behind the name of a tag, up to its end. */
const REST = `(?=[\\t\\n\\f\\r />])(?:${SPACE}+[!#-&(-.0-;?-~]+(?:=(?:"[^"\\0\\r>]*"|'[^'\\0\\r>]*'|[^\\t\\n\\f\\r "'=<>\`\\0]+))?)*${SPACE}*/?>`;

/** The beginning of a page, up to and including the tag of its head. */
export const USUAL_START = new RegExp(
  `${SPACE}*<!doctype html>${SPACE}*<html${REST}${SPACE}*<head${REST}`,
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
  const texts = ['title', 'script', 'style'].map((name) => `${name}${REST}[^<\\0]*</${name}>`);
  const meta = `meta(?![^>]*(?:${words.join('|')}))${REST}`;
  const link = `link${relations === undefined ? '' : `(?= rel="(?:${relations.join('|')})")`}${REST}`;
  return new RegExp(`(?:${SPACE}+|<(?:${[meta, link, ...texts].join('|')}))*`, 'iy');
}

const USUAL = /<(link|meta)((?: [a-z:-]+="[^"&\0\r]*")+) ?\/?>/y;

/** Reads a `<link>` or a `<meta>`; undefined where none is at this place, or one that is written otherwise. */
export function readUsual(
  text: string,
  place: number,
): { readonly element: ScannedElement; readonly end: number } | undefined {
  USUAL.lastIndex = place;
  const found = USUAL.exec(text);
  if (found === null) return undefined;
  const attrs: Attribute[] = [];
  const parts = (found[2] ?? '').split('"');
  // A name and a value, and so on; behind the last one there is nothing.
  for (let index = 1; index < parts.length; index += 2) {
    addAttribute(attrs, parts[index - 1]?.slice(1, -1) ?? '', parts[index] ?? '');
  }
  return { element: { nodeName: found[1] ?? '', attrs }, end: USUAL.lastIndex };
}

/** Of two attributes with one name, the first counts. */
export function addAttribute(attrs: Attribute[], name: string, value: string): void {
  if (!attrs.some((one) => one.name === name)) attrs.push({ name, value });
}
