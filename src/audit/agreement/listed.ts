/** What documents list: resources and changes, with what they say of them. Pure. */

import type { ReadEntry } from '../../resourcesync/as-read.js';

/** What an entry says of a representation, as it stands. */
export interface Facts {
  readonly hash: string | undefined;
  readonly length: string | undefined;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}

/** Where something is listed. */
export interface Listing {
  readonly uri: string;
  readonly document: string;
  readonly line: number;
}

/** A resource, as the newest document about it says. */
export interface ListedResource extends Listing, Facts {
  readonly lastmod: string | undefined;
}

export interface ListedChange extends Listing, Facts {
  readonly lastmod: string | undefined;
  readonly change: string | undefined;
  readonly datetime: string | undefined;
  readonly time: Date | undefined;
}

export function toFacts({ md }: ReadEntry): Facts {
  const { hash, length, type, encoding } = md?.attributes ?? {};
  return { hash, length, type, encoding };
}

/** What an entry lists; undefined where it has no URI. */
export function makeListed(entry: ReadEntry, document: string): ListedResource | undefined {
  const { loc: uri, line, lastmod } = entry;
  if (uri === undefined) return undefined;
  const { hash, length, type, encoding } = toFacts(entry);
  return { uri, document, line, lastmod, hash, length, type, encoding };
}
