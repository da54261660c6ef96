/** Puts a document together as its tags and texts come, and takes note of what does not belong there. */

import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import type { ReadLimits } from '../limits.js';
import { RESOURCESYNC, SCHEMA_INSTANCE, SITEMAP } from '../namespaces.js';
import {
  ATTRIBUTES,
  type AttributeName,
  type Oddity,
  type ParseErrorCode,
  type ReadDocument,
  type ReadElement,
  type ReadEntry,
} from './as-read.js';

/** @param soFar what stands before the entry */
export type EntryTaker = (entry: ReadEntry, soFar: Pick<ReadDocument, 'root' | 'head'>) => boolean;

/** Ends the reading. */
export type Refuse = (code: ParseErrorCode, message: string) => never;

/** In which element of the document we are. `empty` has to be, `elsewhere` is nothing that the standard defines. */
type Inside = 'nothing' | 'root' | 'entry' | 'text' | 'empty' | 'elsewhere';

interface OpenHead {
  md: ReadElement | undefined;
  links: ReadElement[];
}
interface OpenEntry extends OpenHead {
  readonly line: number;
  loc: string | undefined;
  lastmod: string | undefined;
  changefreq: string | undefined;
}

const isAttributeName = makeGuard(ATTRIBUTES);
const isText = makeGuard(['loc', 'lastmod', 'changefreq'] as const);
/** The elements of an entry in the order of the schemas; those of other namespaces follow. */
const ORDER: readonly string[] = ['loc', 'lastmod', 'changefreq', 'priority'];
/** Most entries have no link. */
const NO_LINKS: ReadElement[] = [];

export class DocumentBuilder {
  readonly #limits: ReadLimits;
  readonly #take: EntryTaker;
  readonly #refuse: Refuse;
  readonly #head: OpenHead = { md: undefined, links: [] };
  readonly #entries: ReadEntry[] = [];
  readonly #oddities = startOddities();
  /** The elements around. */
  readonly #open: { readonly name: string; readonly outside: Inside }[] = [];
  #inside: Inside = 'nothing';
  #root: ReadDocument['root'] | undefined;
  #entry: OpenEntry | undefined;
  #text = '';
  /** Of the tag. */
  #line = 1;
  #elements = 0;
  #started = 0;
  /** How far the order of the elements of an entry has come. */
  #reached = 0;

  /** @param take is offered every entry as it ends; one that it takes is not kept */
  constructor(limits: ReadLimits, take: EntryTaker, refuse: Refuse) {
    this.#limits = limits;
    this.#take = take;
    this.#refuse = refuse;
  }

  openTag(tag: SaxesTagNS, line: number): void {
    const { depth, elements } = this.#limits;
    if (this.#open.length >= depth) this.#refuse('too-deep', `more than ${depth} elements in one another`);
    if (++this.#elements > elements) this.#refuse('too-many-elements', `more than ${elements} elements`);
    this.#line = line;
    const outside = this.#inside;
    this.#inside = this.#enter(tag);
    this.#open.push({ name: tag.name, outside });
  }

  addText(piece: string, line: number): void {
    const inside = this.#inside;
    if (inside === 'text') this.#text += this.#checkLength(piece, this.#text.length);
    else if ((inside === 'root' || inside === 'entry' || inside === 'empty') && /\S/.test(piece)) {
      const name = this.#open.at(-1)?.name ?? '';
      this.#oddities.add({ line, what: 'text', name, namespace: '', parent: name });
    }
  }

  closeTag(tag: SaxesTagNS): void {
    const entry = this.#entry;
    if (entry !== undefined && this.#inside === 'text') entry[tag.local as 'loc'] = this.#text.trim();
    else if (entry !== undefined && this.#inside === 'entry' && this.#root !== undefined) {
      if (!this.#take(entry, { root: this.#root, head: this.#head })) this.#entries.push(entry);
      this.#entry = undefined;
    }
    this.#inside = this.#open.pop()?.outside ?? 'nothing';
  }

  finish(): ReadDocument {
    const root = this.#root ?? this.#refuse('not-a-sitemap', 'there is no root element');
    return { root, head: this.#head, entries: this.#entries, oddities: this.#oddities.all };
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
      return this.#refuse('not-a-sitemap', `the root is <${name}>${uri === '' ? '' : ` of ${uri}`}`);
    this.#root = local;
    this.#noteAttributes(tag);
    return 'root';
  }

  #enterEntry(tag: SaxesTagNS): Inside {
    const { entries } = this.#limits;
    if (++this.#started > entries) this.#refuse('too-many-entries', `more than ${entries} entries`);
    this.#noteAttributes(tag);
    this.#reached = 0;
    this.#entry = {
      line: this.#line,
      loc: undefined,
      lastmod: undefined,
      changefreq: undefined,
      md: undefined,
      links: NO_LINKS,
    };
    return 'entry';
  }

  #enterInEntry(tag: SaxesTagNS, entry: OpenEntry | undefined): Inside {
    const { uri, local } = tag;
    this.#noteOrder(tag);
    if (uri === SITEMAP && isText(local) && entry !== undefined) {
      this.#noteAttributes(tag);
      if (entry[local] !== undefined) {
        this.#noteElement('repeated', tag);
        return 'elsewhere';
      }
      this.#text = '';
      return 'text';
    }
    // The Sitemap protocol has it; ResourceSync neither uses nor forbids it.
    if (uri === SITEMAP && local === 'priority') return 'elsewhere';
    return this.#enterElement(tag, entry ?? this.#head);
  }

  /** An `<rs:md>` or `<rs:ln>`, or what does not belong there. */
  #enterElement(tag: SaxesTagNS, into: OpenHead): Inside {
    const { uri, local } = tag;
    if (uri !== RESOURCESYNC || (local !== 'md' && local !== 'ln')) {
      this.#noteElement('element', tag);
      return 'elsewhere';
    }
    // All that is about the document stands before its entries.
    if (into === this.#head && this.#started > 0) this.#noteElement('late', tag);
    if (local === 'ln') {
      if (into.links === NO_LINKS) into.links = [];
      into.links.push(this.#takeAttributes(tag));
    } else if (into.md === undefined) into.md = this.#takeAttributes(tag);
    else this.#noteElement('repeated', tag);
    return 'empty';
  }

  #takeAttributes(tag: SaxesTagNS): ReadElement {
    const attributes: Partial<Record<AttributeName, string>> = {};
    for (const name in tag.attributes) {
      const attribute = tag.attributes[name] as SaxesAttributeNS;
      if (isAttributeName(name)) attributes[name] = this.#checkLength(attribute.value, 0);
      else this.#noteAttribute(attribute, tag.name);
    }
    return { line: this.#line, attributes };
  }

  /** Takes note of all attributes of an element that has none. */
  #noteAttributes(tag: SaxesTagNS): void {
    for (const name in tag.attributes)
      this.#noteAttribute(tag.attributes[name] as SaxesAttributeNS, tag.name);
  }

  #noteAttribute({ name, prefix, uri }: SaxesAttributeNS, parent: string): void {
    if (name === 'xmlns' || prefix === 'xmlns') return;
    this.#oddities.add({ line: this.#line, what: 'attribute', name, namespace: uri, parent });
  }

  #noteElement(what: Oddity['what'], { name, uri }: SaxesTagNS): void {
    const parent = this.#open.at(-1)?.name ?? '';
    this.#oddities.add({ line: this.#line, what, name, namespace: uri, parent });
  }

  /** Both schemas want the elements of the Sitemap protocol first, each in its place. */
  #noteOrder(tag: SaxesTagNS): void {
    const rank = tag.uri === SITEMAP ? ORDER.indexOf(tag.local) : ORDER.length;
    if (rank === -1) return;
    if (rank < this.#reached) this.#noteElement('late', tag);
    else this.#reached = rank;
  }

  #checkLength(piece: string, before: number): string {
    if (before + piece.length > this.#limits.text)
      this.#refuse('too-long', `a text of more than ${this.#limits.text} characters`);
    return piece;
  }
}

function makeGuard<T extends string>(values: readonly T[]): (value: string) => value is T {
  const all: ReadonlySet<string> = new Set(values);
  return (value): value is T => all.has(value);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const KNOWN_NAMESPACES: ReadonlySet<string> = new Set(['', SITEMAP, RESOURCESYNC, SCHEMA_INSTANCE]);
const MOST_ODDITIES = 1000;
/** Characters. */
const LONGEST_NAME = 1000;

interface OddityList {
  readonly all: readonly Oddity[];
  /** Adds one; past the first thousand, it is counted with the first that is alike. */
  add(oddity: Omit<Oddity, 'count'>): void;
}

function startOddities(): OddityList {
  const all: Mutable<Oddity>[] = [];
  /** The first of each kind, of which the others are counted. */
  const counted = new Map<string, Mutable<Oddity>>();
  return {
    all,
    add(oddity) {
      const { what, name, namespace, parent } = oddity;
      const kind = `${what} ${KNOWN_NAMESPACES.has(namespace) ? namespace : 'another'}`;
      const alike = counted.get(kind);
      if (alike !== undefined && all.length >= MOST_ODDITIES) {
        alike.count++;
        return;
      }
      const kept = {
        ...oddity,
        name: copyName(name),
        namespace: copyName(namespace),
        parent: copyName(parent),
        count: 1,
      };
      if (alike === undefined) counted.set(kind, kept);
      all.push(kept);
    },
  };
}

/** What a parser cuts out of a text is a view of all that is around it, and would keep it in memory. */
function copyName(name: string): string {
  return Buffer.from(name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`).toString();
}
