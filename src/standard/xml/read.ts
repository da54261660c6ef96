/** Reads documents of any author strictly, and within limits. */

import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { isUrl } from '../../base/url.js';
import { READ_LIMITS, type ReadLimits } from '../limits.js';
import { RESOURCESYNC, SCHEMA_INSTANCE, SITEMAP } from '../namespaces.js';
import type { CheckCode } from '../rules/checks.js';
import {
  ATTRIBUTES,
  type AttributeName,
  type Oddity,
  ParseError,
  type ReadDocument,
  type ReadElement,
  type ReadEntry,
} from './as-read.js';

/** A function that gets an entry, and returns true to take it out of the document. @param soFar what is before the entry */
export type EntryTaker = (entry: ReadEntry, soFar: Pick<ReadDocument, 'root' | 'head'>) => boolean;

/**
 * Reads a document strictly: UTF-8, XML 1.0, namespaces; no document type, so no entities but the five of XML.
 * The text is not kept in memory, and nothing is read past a limit.
 * @param take called with every entry at its end; returns true to keep it out of the document
 * @param base URL of the document, against which addresses without a scheme are resolved @throws ParseError
 */
export async function parseDocument(
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
  limits: Partial<ReadLimits> = {},
  take: EntryTaker = () => false,
  base?: string,
): Promise<ReadDocument> {
  const reader = new DocumentReader({ ...READ_LIMITS, ...limits }, take, base);
  for await (const chunk of chunks) reader.write(chunk);
  return reader.end();
}

const HTML = /^\s*<(?:!doctype\s+html|html)\b/i;

/** Feeds the parser, and enforces limits of bytes and attributes. The builder enforces those of elements, entries and texts. */
class DocumentReader {
  readonly #limits: ReadLimits;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #builder: DocumentBuilder;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #bytes = 0;
  /** Bytes since the last tag. */
  #gap = 0;
  /** Number of attributes of the next tag so far, and the line of the first one. */
  #attributes = 0;
  #line = 1;
  #isRoot = true;

  constructor(limits: ReadLimits, take: EntryTaker, base: string | undefined) {
    this.#limits = limits;
    this.#builder = new DocumentBuilder(limits, take, (code, message) => this.#refuse(code, message), base);
    this.#listen();
  }

  write(chunk: Uint8Array | string): void {
    const isFirst = this.#bytes === 0;
    this.#bytes += chunk.length;
    this.#gap += chunk.length;
    const { gap, bytes } = this.#limits;
    if (this.#gap > gap) this.#refuse('document-excessive', `more than ${gap} bytes without a tag`);
    if (this.#bytes > bytes) this.#refuse('document-too-large', `more than ${bytes} bytes`);
    const piece = typeof chunk === 'string' ? chunk : this.#decode(chunk);
    // Many hosts answer with an HTML page for a missing file: that it is HTML says more than its mistakes in XML.
    if (isFirst && HTML.test(piece)) this.#refuse('document-not-a-sitemap', 'it is an HTML page');
    this.#parse(() => this.#parser.write(piece));
  }

  end(): ReadDocument {
    const piece = this.#decode();
    this.#parse(() => this.#parser.write(piece).close());
    return this.#builder.finish();
  }

  /** Listens to the parser, with six handlers at most: with a seventh, V8 keeps its fields in a table, five times slower. */
  #listen(): void {
    const parser = this.#parser;
    const builder = this.#builder;
    const addText = (piece: string) => builder.addText(piece, parser.line);
    parser.on('doctype', () => this.#refuse('document-with-doctype', 'there is a document type declaration'));
    parser.on('attribute', () => this.#countAttribute());
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', (tag) => {
      this.#gap = 0;
      builder.closeTag(tag);
    });
  }

  #countAttribute(): void {
    if (this.#attributes++ === 0) this.#line = this.#parser.line;
    const { attributes } = this.#limits;
    if (this.#attributes > attributes)
      this.#refuse('document-excessive', `an element has more than ${attributes} attributes`);
  }

  #openTag(tag: SaxesTagNS): void {
    this.#builder.openTag(tag, this.#attributes === 0 ? this.#parser.line : this.#line);
    if (this.#isRoot) this.#checkDeclaration(this.#parser.xmlDecl);
    this.#isRoot = false;
    this.#attributes = 0;
    this.#gap = 0;
  }

  #checkDeclaration({ version = '1.0', encoding = 'UTF-8' }: SaxesParser['xmlDecl']): void {
    if (version !== '1.0') this.#refuse('document-not-well-formed', `XML ${version} is not XML 1.0`);
    // ASCII is a subset of UTF-8.
    if (!/^(?:utf-?8|us-ascii)$/i.test(encoding))
      this.#refuse('document-not-utf-8', `the encoding is ${encoding}`);
  }

  /** Runs a step of the parser. Saxes throws plain `Error`s for mistakes in the document; errors of other classes are bugs. */
  #parse(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      this.#refuse('document-not-well-formed', error.message.replace(/^\d+:\d+: |\.$/g, ''));
    }
  }

  /** Decodes UTF-8. @param chunk undefined at the end of the document */
  #decode(chunk?: Uint8Array): string {
    try {
      return chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (error instanceof TypeError)
        return this.#refuse('document-not-utf-8', 'there are bytes that are not UTF-8');
      throw error;
    }
  }

  #refuse(code: CheckCode, message: string): never {
    throw new ParseError(code, this.#parser.line, message);
  }
}

type Refuse = (code: CheckCode, message: string) => never;

/** Place of the parser. In an `empty` element nothing is allowed; the standard does not define what is `elsewhere`. */
type Inside = 'nothing' | 'root' | 'entry' | 'text' | 'empty' | 'elsewhere';

interface OpenHead {
  md: ReadElement | undefined;
  readonly links: ReadElement[];
}
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenEntry = OpenHead & Mutable<Omit<ReadEntry, keyof OpenHead>>;

const KNOWN_NAMESPACES: ReadonlySet<string> = new Set(['', SITEMAP, RESOURCESYNC, SCHEMA_INSTANCE]);
/** Limit of oddities that are noted; further ones are counted with the first similar one. */
const MOST_ODDITIES = 1000;
/** Limit of a name that is noted, in characters; the rest is cut off. */
const LONGEST_NAME = 1000;
const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set(ATTRIBUTES);
/** The elements of an entry in the order of the schemas; those of other namespaces follow. */
const ORDER: readonly string[] = ['loc', 'lastmod', 'changefreq', 'priority'];
const LISTING: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'url', 'sitemap']);
/** Matches an address with a scheme (RFC 3986 §3.1). */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** Matches all but the name of the host at the beginning of an address: `www.`, path, query and fragment. */
const BEHIND_HOST = /^www\.|[/?#].*$/gs;
/** Matches control characters and line separators, with which an address could pass for several lines. */
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;

/** Builds a document from its tags and texts, and notes what does not belong there. */
class DocumentBuilder {
  readonly #limits: ReadLimits;
  readonly #take: EntryTaker;
  readonly #refuse: Refuse;
  readonly #base: string | undefined;
  readonly #head: OpenHead = { md: undefined, links: [] };
  readonly #entries: ReadEntry[] = [];
  readonly #oddities: Mutable<Oddity>[] = [];
  /** The first oddity of each kind, with which others are counted once there are too many. */
  readonly #counted = new Map<string, Mutable<Oddity>>();
  readonly #open: { readonly name: string; readonly outside: Inside }[] = [];
  #inside: Inside = 'nothing';
  #root: ReadDocument['root'] | undefined;
  #entry: OpenEntry | undefined;
  #text = '';
  #line = 1;
  #elements = 0;
  #started = 0;
  /** Highest rank in `ORDER` of the elements of the current entry so far. */
  #reached = 0;

  constructor(limits: ReadLimits, take: EntryTaker, refuse: Refuse, base: string | undefined) {
    this.#limits = limits;
    this.#take = take;
    this.#refuse = refuse;
    this.#base = base;
  }

  openTag(tag: SaxesTagNS, line: number): void {
    const { depth, elements } = this.#limits;
    if (this.#open.length >= depth)
      this.#refuse('document-excessive', `more than ${depth} elements in one another`);
    if (++this.#elements > elements) this.#refuse('document-excessive', `more than ${elements} elements`);
    this.#line = line;
    const outside = this.#inside;
    this.#inside = this.#enter(tag);
    this.#open.push({ name: tag.name, outside });
  }

  addText(piece: string, line: number): void {
    const inside = this.#inside;
    if (inside === 'text') this.#text += this.#checkLength(piece, this.#text.length);
    else if ((inside === 'root' || inside === 'entry' || inside === 'empty') && /\S/.test(piece)) {
      const name = this.#parent();
      this.#note({ line, what: 'text', name, namespace: '', parent: name });
    }
  }

  closeTag(tag: SaxesTagNS): void {
    const entry = this.#entry;
    if (entry !== undefined && this.#inside === 'text') {
      const text = this.#text.trim();
      entry[tag.local as 'loc'] = tag.local === 'loc' ? this.#resolve(text, tag.name) : text;
    } else if (entry !== undefined && this.#inside === 'entry' && this.#root !== undefined) {
      if (!this.#take(entry, { root: this.#root, head: this.#head })) this.#entries.push(entry);
      this.#entry = undefined;
    }
    this.#inside = this.#open.pop()?.outside ?? 'nothing';
  }

  finish(): ReadDocument {
    const root = this.#root ?? this.#refuse('document-not-a-sitemap', 'there is no root element');
    return { root, head: this.#head, entries: this.#entries, oddities: this.#oddities };
  }

  #enter(tag: SaxesTagNS): Inside {
    switch (this.#inside) {
      case 'nothing':
        return this.#enterRoot(tag);
      case 'root':
        if (tag.uri === SITEMAP && tag.local === (this.#root === 'urlset' ? 'url' : 'sitemap'))
          return this.#enterEntry(tag);
        return this.#enterElement(tag, this.#head);
      case 'entry':
        return this.#enterInEntry(tag, this.#entry);
      case 'elsewhere':
        // An element that lists something was meant to be read, wherever it is.
        if (tag.uri === SITEMAP && LISTING.has(tag.local)) this.#noteElement('element', tag);
        return 'elsewhere';
      case 'text':
      case 'empty':
        this.#noteElement('element', tag);
        return 'elsewhere';
    }
  }

  #enterRoot(tag: SaxesTagNS): Inside {
    const { name, uri, local } = tag;
    if (uri !== SITEMAP || (local !== 'urlset' && local !== 'sitemapindex'))
      return this.#refuse(
        'document-not-a-sitemap',
        `the root is <${name}> of ${uri === '' ? 'no namespace' : uri}`,
      );
    this.#root = local;
    this.#noteAttributes(tag);
    return 'root';
  }

  #enterEntry(tag: SaxesTagNS): Inside {
    const { entries } = this.#limits;
    if (++this.#started > entries) this.#refuse('document-too-large', `more than ${entries} entries`);
    this.#noteAttributes(tag);
    this.#reached = 0;
    this.#entry = {
      line: this.#line,
      loc: undefined,
      lastmod: undefined,
      changefreq: undefined,
      md: undefined,
      links: [],
    };
    return 'entry';
  }

  #enterInEntry(tag: SaxesTagNS, entry: OpenEntry | undefined): Inside {
    const { uri, local } = tag;
    this.#noteOrder(tag);
    if (
      uri === SITEMAP &&
      (local === 'loc' || local === 'lastmod' || local === 'changefreq') &&
      entry !== undefined
    ) {
      this.#noteAttributes(tag);
      if (entry[local] !== undefined) {
        this.#noteElement('repeated', tag);
        return 'elsewhere';
      }
      this.#text = '';
      return 'text';
    }
    // The Sitemap protocol defines `<priority>`; ResourceSync neither uses nor forbids it.
    if (uri === SITEMAP && local === 'priority') return 'elsewhere';
    return this.#enterElement(tag, entry ?? this.#head);
  }

  #enterElement(tag: SaxesTagNS, into: OpenHead): Inside {
    const { uri, local } = tag;
    if (uri !== RESOURCESYNC || (local !== 'md' && local !== 'ln')) {
      this.#noteElement('element', tag);
      return 'elsewhere';
    }
    if (into === this.#head && this.#started > 0) this.#noteElement('late', tag);
    if (local === 'ln') into.links.push(this.#takeAttributes(tag));
    else if (into.md === undefined) into.md = this.#takeAttributes(tag);
    else this.#noteElement('repeated', tag);
    return 'empty';
  }

  #takeAttributes(tag: SaxesTagNS): ReadElement {
    const attributes: Partial<Record<AttributeName, string>> = {};
    for (const name in tag.attributes) {
      const attribute = tag.attributes[name] as SaxesAttributeNS;
      if (ATTRIBUTE_NAMES.has(name))
        attributes[name as AttributeName] = this.#checkLength(attribute.value, 0);
      else this.#noteAttribute(attribute, tag.name);
    }
    if (attributes.href !== undefined) attributes.href = this.#resolve(attributes.href, 'href');
    return { line: this.#line, attributes };
  }

  /** Resolves an address without a scheme (RFC 3986 §5), and refuses control characters in it. @param parent `href` for a link */
  #resolve(address: string, parent: string): string {
    if (CONTROL.test(address) || (parent === 'href' && /\s/.test(address)))
      this.#refuse(
        parent === 'href' ? 'link-invalid' : 'loc-invalid',
        `an address has white space or a control character in it: ${JSON.stringify(address)}`,
      );
    if (SCHEME.test(address) || this.#base === undefined || address === '' || !isUrl(address, this.#base))
      return address;
    // An address that begins with the host of the document lacks a scheme, and is no path.
    if (address.replace(BEHIND_HOST, '') === new URL(this.#base).host.replace(/^www\./, '')) return address;
    this.#note({ line: this.#line, what: 'relative', name: address, namespace: '', parent });
    return new URL(address, this.#base).href;
  }

  #noteAttributes(tag: SaxesTagNS): void {
    for (const name in tag.attributes)
      this.#noteAttribute(tag.attributes[name] as SaxesAttributeNS, tag.name);
  }

  #noteAttribute({ name, prefix, uri }: SaxesAttributeNS, parent: string): void {
    if (name === 'xmlns' || prefix === 'xmlns') return;
    this.#note({ line: this.#line, what: 'attribute', name, namespace: uri, parent });
  }

  #noteElement(what: Oddity['what'], { name, uri }: SaxesTagNS): void {
    const parent = this.#parent();
    this.#note({ line: this.#line, what, name, namespace: uri, parent });
  }

  /** Notes an element that is out of order: both schemas fix the order of elements of the Sitemap protocol, and want them first. */
  #noteOrder(tag: SaxesTagNS): void {
    const rank = tag.uri === SITEMAP ? ORDER.indexOf(tag.local) : ORDER.length;
    if (rank === -1) return;
    if (rank < this.#reached) this.#noteElement('late', tag);
    else this.#reached = rank;
  }

  #parent(): string {
    const last = this.#open.at(-1);
    return last === undefined ? '' : last.name;
  }

  #checkLength(piece: string, before: number): string {
    if (before + piece.length > this.#limits.text)
      this.#refuse('document-excessive', `a text of more than ${this.#limits.text} characters`);
    return piece;
  }

  #note(oddity: Omit<Oddity, 'count'>): void {
    const { what, name, namespace, parent } = oddity;
    const kind = `${what} ${KNOWN_NAMESPACES.has(namespace) ? namespace : 'another'}`;
    const alike = this.#counted.get(kind);
    if (alike !== undefined && this.#oddities.length >= MOST_ODDITIES) {
      alike.count++;
      return;
    }
    const names = { name: copyName(name), namespace: copyName(namespace), parent: copyName(parent) };
    const kept = { ...oddity, ...names, count: 1 };
    if (alike === undefined) this.#counted.set(kind, kept);
    this.#oddities.push(kept);
  }
}

/** Copies a name: a substring would keep the whole text that it was cut from in memory. */
function copyName(name: string): string {
  return Buffer.from(name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`).toString();
}
