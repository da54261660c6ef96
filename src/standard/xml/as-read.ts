/** Documents of any author as they were read, or the reasons why they cannot be read. */

/** The attributes that §7 defines for `<rs:md>` and `<rs:ln>`. */
export const ATTRIBUTES = [
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

/** A document as it was read. Nothing is checked but that it is XML with one of the two roots. */
export interface ReadDocument {
  readonly root: 'urlset' | 'sitemapindex';
  readonly head: ReadHead;
  readonly entries: readonly ReadEntry[];
  /** Content that the standard does not define, in the order of the document; after the first thousand, similar content is only counted. */
  readonly oddities: readonly Oddity[];
}

export interface ReadHead {
  readonly md: ReadElement | undefined;
  readonly links: readonly ReadElement[];
}

/** A `<url>` or `<sitemap>`. */
export interface ReadEntry extends ReadHead {
  /** Line on which its start tag ends, from 1. */
  readonly line: number;
  /** Texts without the white space around them. */
  readonly loc: string | undefined;
  readonly lastmod: string | undefined;
  readonly changefreq: string | undefined;
}

export interface ReadElement {
  /** Line on which its first attribute ends, from 1. */
  readonly line: number;
  readonly attributes: Readonly<Partial<Record<AttributeName, string>>>;
}

/** Content that the standard does not define in this place. */
export interface Oddity {
  readonly line: number;
  /**
   * `repeated`: an element that may occur once; `late`: an element behind one that has to follow it; `text`: text where only elements
   * are allowed; `relative`: an address without a scheme, which was resolved.
   */
  readonly what: 'element' | 'attribute' | 'repeated' | 'late' | 'text' | 'relative';
  /** As in the document; the surrounding element for text, the address for addresses. */
  readonly name: string;
  /** Namespace URI; empty for an attribute without a prefix, and for text. */
  readonly namespace: string;
  /** Name of the element in which it stands. */
  readonly parent: string;
  /** 1, plus the number of similar ones that are only counted. */
  readonly count: number;
}

/** A place in a document that is not understood. */
export interface Skipped {
  readonly document: string;
  /** From 1. */
  readonly line?: number | undefined;
  readonly found: string;
}

export type ParseErrorCode =
  /** Not well-formed XML 1.0 with namespaces, or it ends too early. */
  | 'not-well-formed'
  /** Not UTF-8, or said to be something else. */
  | 'not-utf-8'
  /** There is a document type declaration, the way to entities. */
  | 'doctype'
  /** The root is neither `<urlset>` nor `<sitemapindex>` of the Sitemap protocol. */
  | 'not-a-sitemap'
  /** An address has white space or controls in it. */
  | 'loc-with-space'
  | 'link-with-space'
  | 'too-many-bytes'
  | 'too-many-entries'
  | 'too-many-elements'
  | 'too-many-attributes'
  | 'too-deep'
  | 'too-long';

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

/** The attributes of a representation, as written. */
export interface ListedFacts {
  readonly hash: string | undefined;
  readonly length: string | undefined;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}
