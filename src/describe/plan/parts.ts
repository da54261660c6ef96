/** Makes one document, or parts and their index where one document cannot hold all rows. Pure. */

import { numberPart, pathOfPart } from '../../paths/ours.js';
import type { Document } from '../../standard/document.js';

/** A document and where it goes. */
export interface PlannedDocument {
  /** Relative to the site, `/` between segments. */
  readonly path: string;
  readonly uri: string;
  readonly document: Document;
  /** How it was written when it was first published, for a list that is never to change again. */
  readonly text?: string | undefined;
}

export interface Address {
  readonly path: string;
  readonly uri: string;
}

/** A part of a document, still without a place. */
interface Part<D extends Document> {
  readonly name: string;
  /** @param index URI of the index; undefined for the one document that needs none */
  readonly make: (index: string | undefined) => D;
  readonly text?: string | undefined;
}

/** One document, or parts and their index where it takes several (§10.2, §11.1, §12.2, §13.1). */
export function planParts<D extends Document>(
  whole: Address,
  parts: readonly Part<D>[],
  makeIndex: (parts: readonly (Address & { readonly document: D })[]) => Document,
): PlannedDocument[] {
  const { path, uri } = whole;
  const [only, second] = parts;
  if (second === undefined) return only === undefined ? [] : [{ path, uri, document: only.make(undefined) }];
  const planned = parts.map(({ name, make, text }) => ({
    path: pathOfPart(path, name),
    uri: pathOfPart(uri, name),
    document: make(uri),
    text,
  }));
  return [...planned, { path, uri, document: makeIndex(planned) }];
}

interface Sliceable<R> {
  readonly slice: (start: number, end: number) => R;
}

/** What is empty is one empty document. */
export function numberParts<R extends Sliceable<R>, D extends Document>(
  cuts: readonly { readonly start: number; readonly end: number }[],
  rows: R,
  make: (rows: R, index: string | undefined, start: number) => D,
): Part<D>[] {
  const ranges = cuts.length === 0 ? [{ start: 0, end: 0 }] : cuts;
  return ranges.map(({ start, end }, number) => ({
    name: numberPart(number),
    make: (index) => make(ranges.length === 1 ? rows : rows.slice(start, end), index, start),
  }));
}
