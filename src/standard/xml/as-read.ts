/** Types of documents of any author as they were read, and of the reasons why they cannot be read. */

import type { CheckCode } from '../rules/checks.js';

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
  /** Line on which the start tag of the entry ends, from 1. */
  readonly line: number;
  /** Text of `<loc>`; like those of `<lastmod>` and `<changefreq>`, without the white space around it. */
  readonly loc: string | undefined;
  readonly lastmod: string | undefined;
  readonly changefreq: string | undefined;
}

export interface ReadElement {
  /** Line on which the first attribute of the element ends, from 1. */
  readonly line: number;
  readonly attributes: Readonly<Partial<Record<AttributeName, string>>>;
}

/** Content of a document in a place where the standard does not define it. */
export interface Oddity {
  readonly line: number;
  /**
   * Kind of oddity. `repeated`: an element that may occur once; `late`: an element after one that has to follow it; `text`: text
   * where only elements are allowed; `relative`: an address without a scheme, which was resolved.
   */
  readonly what: 'element' | 'attribute' | 'repeated' | 'late' | 'text' | 'relative';
  /** Name as in the document. For `text`, that of the surrounding element; for `relative`, the address. */
  readonly name: string;
  /** Namespace URI; empty for an attribute without a prefix, for `text` and for `relative`. */
  readonly namespace: string;
  /** Name of the surrounding element; for `relative` in a link, `href`. */
  readonly parent: string;
  /** 1, plus the number of similar oddities that are only counted. */
  readonly count: number;
}

/** A place in a document that was not understood. */
export interface Skipped {
  readonly document: string;
  /** Line in the document, from 1. */
  readonly line?: number | undefined;
  readonly found: string;
}

export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** Code of the check that reports the document, such as `document-not-well-formed`. */
  readonly code: CheckCode;
  /** Line at which reading stopped, from 1. */
  readonly line: number;

  constructor(code: CheckCode, line: number, message: string) {
    super(message);
    this.code = code;
    this.line = line;
  }
}

/** Attributes that describe a representation, as a document has them. */
export interface ListedFacts {
  readonly hash: string | undefined;
  readonly length: string | undefined;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}
