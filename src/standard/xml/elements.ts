/** Writes XML elements. Everything is escaped in one place. */

import { formatDatetime } from '../../base/datetime.js';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

export function entry(name: 'url' | 'sitemap', uri: string, ...elements: readonly string[]): string {
  return `\n  <${name}><loc>${escapeXml(uri)}</loc>${elements.join('')}</${name}>`;
}

export function md(attributes: Attributes): string {
  return `<rs:md${serializeAttributes(attributes)}/>`;
}

export function ln(attributes: Attributes): string {
  return `<rs:ln${serializeAttributes(attributes)}/>`;
}

export function modifiedAt(moment: Date | undefined): string {
  return moment === undefined ? '' : `<lastmod>${formatDatetime(moment)}</lastmod>`;
}

export function linkTo(rel: string, href: string | undefined, type?: string): string[] {
  return href === undefined ? [] : [ln({ rel, href, type })];
}

function serializeAttributes(attributes: Attributes): string {
  let text = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${name}="${escapeXml(String(value))}"`;
  }
  return text;
}

const SPECIAL = /[^ !#-%(-;=?-~]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn tabs and line breaks inside an attribute into spaces.
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/**
 * Escapes the five characters of the Sitemap protocol, and white space that attributes would lose.
 * @throws RangeError for a character that XML 1.0 cannot express
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return requireXmlText(text).replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

/** Matches what XML cannot express: everything but a Char (XML 1.0 §2.2, production 2). */
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/u;

function requireXmlText(text: string): string {
  const found = NOT_XML.exec(text);
  if (found === null) return text;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  throw new RangeError(`U+${code} cannot stand in XML: ${JSON.stringify(text)}`);
}
