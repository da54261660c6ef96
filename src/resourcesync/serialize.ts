/** Documents to XML. xmlbuilder2 writes everything but the rows of lists, which are too many for it. */

import type { CapabilityListEntry, Document } from './document.js';
import { type ChangeEvent, formatDatetime, type Link, type Resource } from './model.js';

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const RESOURCESYNC = 'http://www.openarchives.org/rs/terms/';

/** Rows are handed on in chunks of about this many characters. */
const CHUNK = 1 << 18;

type Attributes = Readonly<Record<string, string | undefined>>;
interface Element {
  readonly name: 'loc' | 'rs:md' | 'rs:ln';
  readonly attributes?: Attributes;
  readonly text?: string;
}

/** What every document comes down to (§7, Table 2). */
interface Layout {
  readonly root: 'urlset' | 'sitemapindex';
  readonly head: readonly Element[];
  /** The entries of a small document. */
  readonly entries?: readonly (readonly Element[])[];
  /** The rows of a list, in large pieces. */
  readonly rows?: Iterable<string>;
}

/** Writes documents; made once, because its library takes time to load. */
export type Serializer = (document: Document) => Generator<string, void>;

/**
 * Loads what is needed to write documents.
 *
 * @param comment stands before the root element; says whose document it is
 * @returns a function that yields a document in pieces: UTF-8 when encoded, `\n` line ends. It throws a RangeError where
 *   a value holds a character that XML 1.0 cannot express.
 */
export async function loadSerializer(comment: string): Promise<Serializer> {
  const { createCB } = (await import('xmlbuilder2')).default;

  return function* serializeDocument(document) {
    const { root, head, entries = [], rows } = layOut(document);
    const pending: string[] = [];
    const xml = createCB({ data: (piece: string) => pending.push(piece), prettyPrint: true });
    const take = () => pending.splice(0).join('');
    const write = ({ name, attributes, text }: Element) => {
      const namespace = name.startsWith('rs:') ? RESOURCESYNC : SITEMAP;
      xml.ele(namespace, name, definedOnly(attributes ?? {}));
      if (text !== undefined) xml.txt(guardText(text));
      xml.up();
    };
    xml.dec({ encoding: 'UTF-8' }).com(` ${comment} `).ele(SITEMAP, root, { 'xmlns:rs': RESOURCESYNC });
    head.forEach(write);
    for (const entry of entries) {
      xml.ele(SITEMAP, root === 'urlset' ? 'url' : 'sitemap');
      entry.forEach(write);
      xml.up();
    }
    if (rows !== undefined) {
      yield take();
      yield* rows;
    }
    xml.up().end();
    yield `${take()}\n`;
  };
}

function layOut(document: Document): Layout {
  switch (document.kind) {
    case 'source-description':
      return {
        root: 'urlset',
        head: [...linkTo('describedby', document.describedby), md({ capability: 'description' })],
        entries: document.capabilityLists.map(layOutCapabilityList),
      };
    case 'capability-list':
      return {
        root: 'urlset',
        head: [
          ...linkTo('describedby', document.describedby),
          ...linkTo('up', document.up),
          md({ capability: 'capabilitylist' }),
        ],
        entries: document.capabilities.map(({ uri, capability }) => [loc(uri), md({ capability })]),
      };
    case 'resource-list':
      return {
        root: 'urlset',
        head: [
          ...linkTo('up', document.up),
          ...linkTo('index', document.index),
          md({ capability: 'resourcelist', at: formatDatetime(document.at) }),
        ],
        rows: serializeRows(document.resources, serializeResource),
      };
    case 'resource-list-index': {
      const at = formatDatetime(document.at);
      return {
        root: 'sitemapindex',
        head: [...linkTo('up', document.up), md({ capability: 'resourcelist', at })],
        entries: document.parts.map(({ uri }) => [loc(uri), md({ at })]),
      };
    }
    case 'change-list':
      return {
        root: 'urlset',
        head: [
          ...linkTo('up', document.up),
          ...linkTo('index', document.index),
          md({ capability: 'changelist', ...interval(document.from, document.until) }),
        ],
        rows: serializeRows(document.changes, serializeChange),
      };
    case 'change-list-index': {
      const { parts } = document;
      const [first, last] = [parts[0], parts.at(-1)];
      return {
        root: 'sitemapindex',
        head: [
          ...linkTo('up', document.up),
          md({ capability: 'changelist', ...(first && interval(first.from, last?.until)) }),
        ],
        entries: parts.map(({ uri, from, until }) => [loc(uri), md(interval(from, until))]),
      };
    }
  }
}

function layOutCapabilityList({ uri, describedby }: CapabilityListEntry): Element[] {
  return [loc(uri), md({ capability: 'capabilitylist' }), ...linkTo('describedby', describedby)];
}

function loc(uri: string): Element {
  return { name: 'loc', text: uri };
}

function md(attributes: Attributes): Element {
  return { name: 'rs:md', attributes };
}

function interval(from: Date, until: Date | undefined): Attributes {
  return { from: formatDatetime(from), until: until && formatDatetime(until) };
}

function linkTo(rel: string, href: string | undefined): Element[] {
  return href === undefined ? [] : [{ name: 'rs:ln', attributes: { rel, href } }];
}

function definedOnly(attributes: Attributes): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) defined[name] = guardText(value);
  }
  return defined;
}

/**
 * Makes text safe to hand to xmlbuilder2 4.0.3, which takes a literal `&amp;` for one that is escaped already, leaves
 * white space in attributes to be normalised away, and writes characters that XML cannot express.
 */
function guardText(text: string): string {
  if (/[\t\n\r]/.test(text)) throw new RangeError(`white space cannot stand here: ${JSON.stringify(text)}`);
  return requireXmlText(text).replace(/&(?=(?:lt|gt|amp|apos|quot);)/g, '&amp;');
}

function* serializeRows<T>(rows: readonly T[], serialize: (row: T) => string): Generator<string, void> {
  let chunk = '';
  for (const row of rows) {
    chunk += serialize(row);
    if (chunk.length >= CHUNK) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

/**
 * Writes the `<url>` element of a resource, on a line of its own that begins with the line break (§10.1).
 *
 * @throws RangeError where a value holds a character that XML 1.0 cannot express
 */
export function serializeResource(resource: Resource): string {
  const { uri, lastmod, changefreq, hash, length, type, links } = resource;
  let row = `\n  <url><loc>${escapeXml(uri)}</loc>`;
  if (lastmod !== undefined) row += `<lastmod>${formatDatetime(lastmod)}</lastmod>`;
  if (changefreq !== undefined) row += `<changefreq>${changefreq}</changefreq>`;
  row += `<rs:md hash="${escapeXml(hash)}" length="${length}"`;
  if (type !== undefined) row += ` type="${escapeXml(type)}"`;
  row += '/>';
  for (const link of links ?? []) row += serializeLink(link);
  return `${row}</url>`;
}

/**
 * Writes the `<url>` element of a change, as `serializeResource` does (§12.1).
 *
 * @throws RangeError where a value holds a character that XML 1.0 cannot express
 */
export function serializeChange(event: ChangeEvent): string {
  let row = `\n  <url><loc>${escapeXml(event.uri)}</loc>`;
  row += `<rs:md change="${event.change}" datetime="${formatDatetime(event.datetime)}"`;
  if (event.change !== 'deleted') {
    const { hash, length, type } = event.representation;
    if (hash !== undefined) row += ` hash="${escapeXml(hash)}"`;
    if (length !== undefined) row += ` length="${length}"`;
    if (type !== undefined) row += ` type="${escapeXml(type)}"`;
  }
  return `${row}/></url>`;
}

function serializeLink(link: Link): string {
  const modified = link.modified && formatDatetime(link.modified);
  const attributes = { ...link, modified };
  let xml = '<rs:ln';
  for (const name of ['rel', 'pri', 'href', 'modified', 'hash', 'length', 'type', 'encoding'] as const) {
    const value = attributes[name];
    if (value !== undefined) xml += ` ${name}="${escapeXml(String(value))}"`;
  }
  return `${xml}/>`;
}

/** Anything but the printable ASCII characters that stand for themselves. */
const SPECIAL = /[^ !#-%(-;=?-~]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn these into spaces inside an attribute.
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/**
 * Escapes text for element content and for attributes alike; the five characters that the Sitemap protocol wants
 * escaped, and the white space that attributes would lose.
 *
 * @throws RangeError for a character that XML 1.0 cannot express
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return requireXmlText(text).replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

/** XML 1.0 §2.2, production 2: what is left of Unicode after these is a Char. */
const NOT_XML =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function requireXmlText(text: string): string {
  const found = NOT_XML.exec(text);
  if (found === null) return text;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  throw new RangeError(`U+${code} cannot stand in XML: ${JSON.stringify(text)}`);
}
