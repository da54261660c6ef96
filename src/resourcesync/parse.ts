/** XML to documents: first what stands there, whoever wrote it, then the strict values that `serialize.ts` writes. */

import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import {
  type CapabilityEntry,
  DOCUMENT_LIMITS,
  type Document,
  DocumentError,
  makeCapabilityList,
  makeChangeDump,
  makeChangeDumpManifest,
  makeChangeList,
  makeIntervalIndex,
  makeResourceDump,
  makeResourceDumpManifest,
  makeResourceList,
  makeSnapshotIndex,
  makeSourceDescription,
  type PackageEntry,
} from './document.js';
import {
  CHANGE_FREQUENCIES,
  type ChangeEvent,
  type Link,
  parseDatetime,
  type Representation,
  type Resource,
} from './model.js';

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const RESOURCESYNC = 'http://www.openarchives.org/rs/terms/';

/** The attributes that §7 defines for `<rs:md>` and `<rs:ln>`. */
const ATTRIBUTES = [
  'at',
  'capability',
  'change',
  'completed',
  'datetime',
  'encoding',
  'from',
  'hash',
  'href',
  'length',
  'modified',
  'path',
  'pri',
  'rel',
  'type',
  'until',
] as const;
export type AttributeName = (typeof ATTRIBUTES)[number];
const isAttributeName = makeTest(ATTRIBUTES);

/** A document as it stands. Nothing has been checked but that it is XML with one of the two roots. */
export interface ReadDocument {
  readonly root: 'urlset' | 'sitemapindex';
  readonly head: ReadHead;
  readonly entries: readonly ReadEntry[];
  /** What the standard does not define, in the order of the document; past the first thousand, what is alike is counted. */
  readonly oddities: readonly Oddity[];
}

export interface ReadHead {
  readonly md: ReadElement | undefined;
  readonly links: readonly ReadElement[];
}

/** A `<url>` or `<sitemap>`. */
export interface ReadEntry extends ReadHead {
  /** Where its start tag ends, from 1. */
  readonly line: number;
  /** Texts without the white space around them. */
  readonly loc: string | undefined;
  readonly lastmod: string | undefined;
  readonly changefreq: string | undefined;
}

/** An `<rs:md>` or `<rs:ln>`. */
export interface ReadElement {
  /** Where its first attribute ends, from 1. */
  readonly line: number;
  readonly attributes: Readonly<Partial<Record<AttributeName, string>>>;
}

/** Something that the standard does not define in this place. */
export interface Oddity {
  readonly line: number;
  /**
   * `repeated` is an element of which there may be one; `late` one that stands behind an element which has to follow it;
   * `text` stands where only elements may.
   */
  readonly what: 'element' | 'attribute' | 'repeated' | 'late' | 'text';
  /** As in the document; of the element around it, for text. */
  readonly name: string;
  /** Namespace URI; empty for an attribute without a prefix, and for text. */
  readonly namespace: string;
  /** Name of the element in which it stands. */
  readonly parent: string;
  /** 1, and those that are not told one by one. */
  readonly count: number;
}

/** How much is read before it is taken for an attack. */
export interface ReadLimits {
  /** Of the text, in bytes. */
  readonly bytes: number;
  readonly entries: number;
  /** Elements in elements. */
  readonly depth: number;
  /** Of one element. */
  readonly attributes: number;
  /** In the whole document. */
  readonly elements: number;
  /** Of a text or the value of an attribute, in characters. */
  readonly text: number;
  /** Bytes from one tag to the next: the parser collects them, which takes many times as much memory. */
  readonly gap: number;
}

/** Of the two meanings of 50 MB (§7) the larger, so that no document is refused that may be right. */
export const READ_LIMITS: ReadLimits = {
  bytes: 50 * 1024 * 1024,
  entries: DOCUMENT_LIMITS.entries,
  depth: 32,
  attributes: 64,
  elements: 1_000_000,
  text: 65_536,
  gap: 8 * 1024 * 1024,
};

export type ParseErrorCode =
  /** Not well-formed XML 1.0 with namespaces, or it ends too early. */
  | 'not-well-formed'
  /** Not UTF-8, or said to be something else. */
  | 'not-utf-8'
  /** There is a document type declaration, the way to entities. */
  | 'doctype'
  /** The root is neither `<urlset>` nor `<sitemapindex>` of the Sitemap protocol. */
  | 'not-a-sitemap'
  | 'too-many-bytes'
  | 'too-many-entries'
  | 'too-many-elements'
  | 'too-many-attributes'
  | 'too-deep'
  | 'too-long';

/** A document cannot be read. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  readonly code: ParseErrorCode;
  /** From 1. */
  readonly line: number;

  constructor(code: ParseErrorCode, line: number, message: string) {
    super(message);
    this.code = code;
    this.line = line;
  }
}

/**
 * Reads a document strictly: UTF-8, XML 1.0, namespaces; no document type, so no entities but the five of XML.
 * The text is not kept, and nothing is read past a limit.
 *
 * @param chunks bytes, or text that is decoded already
 * @param take is offered every entry as it ends; one that it takes, by returning true, is not kept with the document
 * @throws ParseError
 */
export async function parseDocument(
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
  limits: Partial<ReadLimits> = {},
  take: EntryTaker = () => false,
): Promise<ReadDocument> {
  const reader = startReader({ ...READ_LIMITS, ...limits }, take);
  for await (const chunk of chunks) reader.write(chunk);
  return reader.end();
}

/** @param soFar what stands before the entry */
export type EntryTaker = (entry: ReadEntry, soFar: Pick<ReadDocument, 'root' | 'head'>) => boolean;

/** Where in a document the parser is. */
type Place = 'outside' | 'root' | 'entry' | 'text' | 'empty' | 'elsewhere';
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface OpenEntry extends Mutable<Omit<ReadEntry, 'links'>> {
  links: ReadElement[];
}
const TEXTS = makeTest(['loc', 'lastmod', 'changefreq'] as const);
const HTML = /^\s*<(?:!doctype\s+html|html)\b/i;
/** The elements of an entry in the order of the schemas; those of other namespaces follow. */
const ORDER: readonly string[] = ['loc', 'lastmod', 'changefreq', 'priority'];
const XML_SCHEMA = 'http://www.w3.org/2001/XMLSchema-instance';
const KNOWN_NAMESPACES: ReadonlySet<string> = new Set(['', SITEMAP, RESOURCESYNC, XML_SCHEMA]);
const NO_LINKS: ReadElement[] = [];
const MOST_ODDITIES = 1000;
/** Characters. */
const LONGEST_NAME = 1000;

function copyName(name: string): string {
  return Buffer.from(name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`).toString();
}

function startReader(limits: ReadLimits, take: EntryTaker) {
  const parser = new SaxesParser({ xmlns: true });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const entries: ReadEntry[] = [];
  const oddities: Mutable<Oddity>[] = [];
  /** The first of each kind, of which the others are counted. */
  const counted = new Map<string, Mutable<Oddity>>();
  const head: { md: ReadElement | undefined; links: ReadElement[] } = { md: undefined, links: [] };
  /** The elements around. */
  const open: { readonly name: string; readonly before: Place }[] = [];
  let place: Place = 'outside';
  let root: ReadDocument['root'] | undefined;
  let entry: OpenEntry | undefined;
  let text = '';
  let line = 1;
  let bytes = 0;
  let elements = 0;
  let started = 0;
  let attributes = 0;
  /** How far the order of the elements of an entry has come. */
  let reached = 0;
  let gap = 0;

  const refuse = (code: ParseErrorCode, message: string): never => {
    throw new ParseError(code, parser.line, message);
  };
  // Six handlers and no more: with a seventh, V8 keeps the parser's fields in a table, and it is five times slower.
  parser.on('doctype', () => refuse('doctype', 'there is a document type declaration'));
  parser.on('attribute', () => {
    if (attributes++ === 0) line = parser.line;
    if (attributes > limits.attributes) {
      refuse('too-many-attributes', `an element has more than ${limits.attributes} attributes`);
    }
  });
  parser.on('opentag', (tag) => {
    if (attributes === 0) line = parser.line;
    attributes = 0;
    gap = 0;
    if (open.length >= limits.depth) refuse('too-deep', `more than ${limits.depth} elements in one another`);
    if (++elements > limits.elements) refuse('too-many-elements', `more than ${limits.elements} elements`);
    const before = place;
    place = enter(tag);
    open.push({ name: tag.name, before });
  });
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('closetag', (tag) => {
    gap = 0;
    if (place === 'text' && entry !== undefined) {
      entry[tag.local as 'loc'] = text.trim();
    } else if (place === 'entry' && entry !== undefined && root !== undefined) {
      if (!take(entry, { root, head })) entries.push(entry);
      entry = undefined;
    }
    place = open.pop()?.before ?? 'outside';
  });

  function takeText(piece: string): void {
    if (place === 'text') text += checkLength(piece, text.length);
    else if (place === 'root' || place === 'entry' || place === 'empty') {
      if (/\S/.test(piece)) noteOddity('text', open.at(-1)?.name ?? '', '');
    }
  }

  function checkLength(piece: string, before = 0): string {
    if (before + piece.length > limits.text)
      refuse('too-long', `a text of more than ${limits.text} characters`);
    return piece;
  }

  function enter(tag: SaxesTagNS): Place {
    const { uri, local } = tag;
    switch (place) {
      case 'outside':
        if (uri !== SITEMAP || (local !== 'urlset' && local !== 'sitemapindex')) {
          refuse('not-a-sitemap', `the root is <${tag.name}>${uri === '' ? '' : ` of ${uri}`}`);
        }
        root = local as ReadDocument['root'];
        checkDeclaration(parser.xmlDecl);
        noteAttributes(tag);
        return 'root';
      case 'root':
        if (uri === SITEMAP && local === (root === 'urlset' ? 'url' : 'sitemap')) {
          if (++started > limits.entries) {
            refuse('too-many-entries', `more than ${limits.entries} entries`);
          }
          noteAttributes(tag);
          reached = 0;
          entry = {
            line,
            loc: undefined,
            lastmod: undefined,
            changefreq: undefined,
            md: undefined,
            links: NO_LINKS,
          };
          return 'entry';
        }
        return enterElement(tag, head);
      case 'entry':
        noteOrder(tag);
        if (uri === SITEMAP && TEXTS(local) && entry !== undefined) {
          noteAttributes(tag);
          if (entry[local] !== undefined) {
            noteOddity('repeated', tag.name, uri);
            return 'elsewhere';
          }
          text = '';
          return 'text';
        }
        // The Sitemap protocol has it; ResourceSync neither uses nor forbids it.
        if (uri === SITEMAP && local === 'priority') return 'elsewhere';
        return enterElement(tag, entry ?? head);
      case 'elsewhere':
        return 'elsewhere';
      case 'text':
      case 'empty':
        noteOddity('element', tag.name, uri);
        return 'elsewhere';
    }
  }

  /** Both schemas want the elements of the Sitemap protocol first, each in its place. */
  function noteOrder({ name, local, uri }: SaxesTagNS): void {
    const place = uri === SITEMAP ? ORDER.indexOf(local) : ORDER.length;
    if (place === -1) return;
    if (place < reached) noteOddity('late', name, uri);
    else reached = place;
  }

  function checkDeclaration({ version = '1.0', encoding = 'UTF-8' }: SaxesParser['xmlDecl']): void {
    if (version !== '1.0') refuse('not-well-formed', `XML ${version} is not XML 1.0`);
    // What is ASCII is UTF-8, too.
    if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) refuse('not-utf-8', `the encoding is ${encoding}`);
  }

  function enterElement(tag: SaxesTagNS, into: { md: ReadElement | undefined; links: ReadElement[] }): Place {
    const { uri, local } = tag;
    const isOurs = uri === RESOURCESYNC && (local === 'md' || local === 'ln');
    // All that is about the document stands before its entries.
    if (isOurs && into === head && started > 0) noteOddity('late', tag.name, uri);
    if (uri === RESOURCESYNC && local === 'md') {
      if (into.md === undefined) into.md = takeAttributes(tag);
      else noteOddity('repeated', tag.name, uri);
      return 'empty';
    }
    if (uri === RESOURCESYNC && local === 'ln') {
      if (into.links === NO_LINKS) into.links = [];
      into.links.push(takeAttributes(tag));
      return 'empty';
    }
    noteOddity('element', tag.name, uri);
    return 'elsewhere';
  }

  function takeAttributes(tag: SaxesTagNS): ReadElement {
    const taken: Partial<Record<AttributeName, string>> = {};
    for (const name in tag.attributes) {
      const attribute = tag.attributes[name] as SaxesAttributeNS;
      if (isAttributeName(name)) taken[name] = checkLength(attribute.value);
      else noteAttribute(attribute, tag.name);
    }
    return { line, attributes: taken };
  }

  function noteAttributes(tag: SaxesTagNS): void {
    for (const name in tag.attributes) noteAttribute(tag.attributes[name] as SaxesAttributeNS, tag.name);
  }

  function noteAttribute({ name, prefix, uri }: SaxesAttributeNS, parent: string): void {
    if (name === 'xmlns' || prefix === 'xmlns') return;
    keepOddity({ line, what: 'attribute', name, namespace: uri, parent });
  }

  function noteOddity(what: Oddity['what'], name: string, namespace: string): void {
    const parent = open.at(-1)?.name ?? '';
    keepOddity({ line: what === 'text' ? parser.line : line, what, name, namespace, parent });
  }

  function keepOddity(oddity: Omit<Oddity, 'count'>): void {
    const { what, name, namespace, parent } = oddity;
    const kind = `${what} ${KNOWN_NAMESPACES.has(namespace) ? namespace : 'another'}`;
    const alike = counted.get(kind);
    if (alike !== undefined && oddities.length >= MOST_ODDITIES) {
      alike.count++;
      return;
    }
    // The texts are views of all that is around them.
    const [own, of, around] = [name, namespace, parent].map(copyName) as [string, string, string];
    const kept = { ...oddity, name: own, namespace: of, parent: around, count: 1 };
    if (alike === undefined) counted.set(kind, kept);
    oddities.push(kept);
  }

  function decode(chunk?: Uint8Array): string {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (error instanceof TypeError) return refuse('not-utf-8', 'there are bytes that are not UTF-8');
      throw error;
    }
  }

  /** What saxes throws is what is wrong with the document; a bug of ours has a class of its own. */
  function parse(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      refuse('not-well-formed', error.message.replace(/^(?:\d+:\d+: )/, ''));
    }
  }

  return {
    write(chunk: Uint8Array | string): void {
      const isFirst = bytes === 0;
      bytes += chunk.length;
      gap += chunk.length;
      if (gap > limits.gap) refuse('too-long', `more than ${limits.gap} bytes without a tag`);
      if (bytes > limits.bytes) refuse('too-many-bytes', `more than ${limits.bytes} bytes`);
      const piece = typeof chunk === 'string' ? chunk : decode(chunk);
      // Many hosts give a page for whatever is missing; what else is wrong with it helps nobody.
      if (isFirst && HTML.test(piece)) refuse('not-a-sitemap', 'it is an HTML page');
      parse(() => parser.write(piece));
    },
    end(): ReadDocument {
      const piece = decode();
      parse(() => parser.write(piece).close());
      if (root === undefined) return refuse('not-a-sitemap', 'there is no root element');
      return { root, head, entries, oddities };
    },
  };
}

function makeTest<T extends string>(values: readonly T[]): (value: string) => value is T {
  const all: ReadonlySet<string> = new Set(values);
  return (value): value is T => all.has(value);
}

/** The one of our document types that a document claims to be; undefined when it is none of them. */
export function kindOf({ root, head }: Pick<ReadDocument, 'root' | 'head'>): Document['kind'] | undefined {
  const capability = head.md?.attributes.capability;
  if (capability === undefined) return undefined;
  const kinds = root === 'urlset' ? LIST_KINDS : INDEX_KINDS;
  return kinds.get(capability);
}

const LIST_KINDS: ReadonlyMap<string, Document['kind']> = new Map([
  ['description', 'source-description'],
  ['capabilitylist', 'capability-list'],
  ['resourcelist', 'resource-list'],
  ['changelist', 'change-list'],
  ['resourcedump', 'resource-dump'],
  ['changedump', 'change-dump'],
  ['resourcedump-manifest', 'resource-dump-manifest'],
  ['changedump-manifest', 'change-dump-manifest'],
]);
const INDEX_KINDS: ReadonlyMap<string, Document['kind']> = new Map([
  ['resourcelist', 'resource-list-index'],
  ['changelist', 'change-list-index'],
  ['resourcedump', 'resource-dump-index'],
  ['changedump', 'change-dump-index'],
]);

/**
 * Makes the strict value of a document, of which `serialize.ts` writes the same bytes again if it wrote the first.
 * What the values have no place for (`completed`, extensions, `lastmod` outside of Resource Lists, links of changes)
 * is dropped; a change is written with its `datetime` as `lastmod`, whatever was read. The `path` of resources is empty: documents name URIs, not files.
 *
 * @throws DocumentError where something is missing, is not of its form, or breaks a rule of the standard
 */
export function makeDocument(read: ReadDocument): Document {
  const { head, entries } = read;
  const kind = kindOf(read);
  const own = { md: head.md, links: head.links, line: head.md?.line ?? 1 };
  switch (kind) {
    case undefined:
      throw new DocumentError(
        `§7: the capability ${head.md?.attributes.capability} is not one of the standard`,
      );
    case 'source-description':
      return makeSourceDescription({
        describedby: findLink(own, 'describedby'),
        capabilityLists: entries.map((entry) => ({
          uri: requireLoc(entry),
          describedby: findLink(entry, 'describedby'),
        })),
      });
    case 'capability-list':
      return makeCapabilityList({
        up: requireLink(own, 'up'),
        describedby: findLink(own, 'describedby'),
        capabilities: entries.map((entry) => ({
          uri: requireLoc(entry),
          capability: requireCapability(entry),
        })),
      });
    case 'resource-list':
      return makeResourceList({
        ...place(own),
        at: requireTime(own, 'at'),
        resources: entries.map(makeResource),
      });
    case 'change-list':
      return makeChangeList({ ...place(own), ...interval(own), changes: entries.map(makeChange) });
    case 'resource-dump':
      return makeResourceDump({
        ...place(own),
        at: requireTime(own, 'at'),
        packages: entries.map((entry) => ({ ...makePackage(entry), at: requireTime(entry, 'at') })),
      });
    case 'change-dump':
      return makeChangeDump({
        ...place(own),
        ...interval(own),
        packages: entries.map((entry) => ({ ...makePackage(entry), ...closedInterval(entry) })),
      });
    case 'resource-dump-manifest':
      return makeResourceDumpManifest({
        up: requireLink(own, 'up'),
        at: requireTime(own, 'at'),
        bitstreams: entries.map((entry) => ({
          resource: makeResource(entry),
          path: requireValue(entry, 'path'),
        })),
      });
    case 'change-dump-manifest':
      return makeChangeDumpManifest({
        up: requireLink(own, 'up'),
        ...closedInterval(own),
        bitstreams: entries.map((entry) => ({ event: makeChange(entry), path: entry.md?.attributes.path })),
      });
    case 'resource-list-index':
    case 'resource-dump-index':
      return makeSnapshotIndex({
        kind,
        up: requireLink(own, 'up'),
        at: requireTime(own, 'at'),
        parts: entries.map((entry) => ({ uri: requireLoc(entry) })),
      });
    case 'change-list-index':
    case 'change-dump-index':
      return makeIntervalIndex({
        kind,
        up: requireLink(own, 'up'),
        parts: entries.map((entry) => ({ uri: requireLoc(entry), ...interval(entry) })),
      });
  }
}

/** A place in a document that has metadata and links. */
type Bearer = ReadHead & { readonly line: number };

function place(bearer: Bearer): { up: string; index: string | undefined } {
  return { up: requireLink(bearer, 'up'), index: findLink(bearer, 'index') };
}

function interval(bearer: Bearer): { from: Date; until: Date | undefined } {
  return { from: requireTime(bearer, 'from'), until: findTime(bearer, 'until') };
}

function closedInterval(bearer: Bearer): { from: Date; until: Date } {
  return { from: requireTime(bearer, 'from'), until: requireTime(bearer, 'until') };
}

/**
 * Makes the strict value of an entry of a Resource List, as `makeDocument` does.
 *
 * @throws DocumentError
 */
export function makeResource(entry: ReadEntry): Resource {
  const { type } = entry.md?.attributes ?? {};
  const { changefreq, links } = entry;
  return {
    uri: requireLoc(entry),
    path: '',
    length: requireNumber(entry, requireValue(entry, 'length')),
    hash: requireValue(entry, 'hash'),
    ...(type !== undefined && { type }),
    ...(entry.lastmod !== undefined && { lastmod: toTime(entry, 'lastmod', entry.lastmod) }),
    ...(changefreq !== undefined && { changefreq: requireOneOf(entry, CHANGE_FREQUENCIES, changefreq) }),
    ...(links.length > 0 && { links: links.map(makeLink) }),
  };
}

function makeLink(element: ReadElement): Link {
  const { rel, href, pri, modified, hash, length, type, encoding } = element.attributes;
  if (rel === undefined || href === undefined) return refuseAt(element, '§7: a link has rel and href');
  return {
    rel,
    href,
    ...(pri !== undefined && { pri: requireNumber(element, pri) }),
    ...(modified !== undefined && { modified: toTime(element, 'modified', modified) }),
    ...(hash !== undefined && { hash }),
    ...(length !== undefined && { length: requireNumber(element, length) }),
    ...(type !== undefined && { type }),
    ...(encoding !== undefined && { encoding }),
  };
}

function makeChange(entry: ReadEntry): ChangeEvent {
  const uri = requireLoc(entry);
  const datetime = requireTime(entry, 'datetime');
  const change = requireOneOf(
    entry,
    ['created', 'updated', 'deleted'] as const,
    requireValue(entry, 'change'),
  );
  if (change === 'deleted') return { change, uri, datetime };
  const { hash, length, type } = entry.md?.attributes ?? {};
  const representation: Representation = {
    ...(hash !== undefined && { hash }),
    ...(length !== undefined && { length: requireNumber(entry, length) }),
    ...(type !== undefined && { type }),
  };
  return { change, uri, datetime, representation };
}

function makePackage(entry: ReadEntry): PackageEntry {
  return {
    uri: requireLoc(entry),
    length: requireNumber(entry, requireValue(entry, 'length')),
    hash: requireValue(entry, 'hash'),
    contents: requireLink(entry, 'contents'),
  };
}

function requireLoc(entry: ReadEntry): string {
  return entry.loc ?? refuseAt(entry, '§7: an entry has a <loc>');
}

function requireCapability(entry: ReadEntry): CapabilityEntry['capability'] {
  const capabilities = ['resourcelist', 'resourcedump', 'changelist', 'changedump'] as const;
  return requireOneOf(entry, capabilities, requireValue(entry, 'capability'));
}

function requireValue(bearer: Bearer, name: AttributeName): string {
  return bearer.md?.attributes[name] ?? refuseAt(bearer, `§7: <rs:md> has no ${name}`);
}

function findTime(bearer: Bearer, name: AttributeName): Date | undefined {
  const text = bearer.md?.attributes[name];
  return text === undefined ? undefined : toTime(bearer, name, text);
}

function requireTime(bearer: Bearer, name: AttributeName): Date {
  return toTime(bearer, name, requireValue(bearer, name));
}

function toTime(where: { readonly line: number }, name: string, text: string): Date {
  return parseDatetime(text) ?? refuseAt(where, `§7: ${name} is not a W3C Datetime: ${text}`);
}

function requireNumber(where: { readonly line: number }, text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuseAt(where, `§7: not a number: ${text}`);
}

function requireOneOf<T extends string>(
  where: { readonly line: number },
  values: readonly T[],
  text: string,
): T {
  return values.find((value) => value === text) ?? refuseAt(where, `§7: not a defined value: ${text}`);
}

function findLink({ links }: ReadHead, rel: string): string | undefined {
  return links.find(({ attributes }) => attributes.rel === rel)?.attributes.href;
}

function requireLink(bearer: Bearer, rel: string): string {
  return findLink(bearer, rel) ?? refuseAt(bearer, `§7: there is no link rel="${rel}"`);
}

function refuseAt({ line }: { readonly line: number }, rule: string): never {
  throw new DocumentError(`${rule} (line ${line})`);
}
