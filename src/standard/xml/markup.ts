/** Makes HTML and XML for people. Values are escaped in one place. Pure. */

import { escapeXml } from './elements.js';

/** HTML or XML that needs no escaping. Only this module makes it. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Makes markup of a text without escaping it. @param text a constant without values, such as a stylesheet */
  static asWritten(text: string): Markup {
    return new Markup(text);
  }

  toString(): string {
    return this.#text;
  }
}

type Piece = Markup | string | number | undefined | readonly Piece[];

export function markup(template: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return Markup.asWritten(String.raw({ raw: template }, ...values.map(write)));
}

function write(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.toString();
  if (typeof piece === 'object') return piece.map(write).join('');
  // The same escapes serve texts and attributes, in HTML and in XML.
  return escapeXml(cleanText(String(piece)));
}

const CONTROLS = String.raw`\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f`;
/** Separators, and characters that reorder the text around them. */
const REORDERING = String.raw`\u2028\u2029\u202a-\u202e\u2066-\u2069`;
const SPECIALS = String.raw`\ufeff\ufff9-\uffff`;
/** Characters that XML cannot hold, or that nobody can see; unpaired surrogates are among them. */
const UNFIT = new RegExp(String.raw`[${CONTROLS}${REORDERING}${SPECIALS}]|\p{Cs}`, 'gu');

export function cleanText(text: string): string {
  return text.replace(UNFIT, '\ufffd');
}
