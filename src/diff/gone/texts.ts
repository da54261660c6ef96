/** Finds pages that say what pages said that are gone. Pure. */

import { hashText } from '../../base/columns/keys.js';
import { groupBy } from '../../base/group.js';
import { readTitle, readWholePage } from '../../files/page/page.js';
import { readPassages } from '../../files/page/text.js';
import type { MovedText } from './model.js';

/** Passages of a page that are compared, and comparisons of passages in all. */
const MOST_PASSAGES = 500;
const MOST_COMPARED = 50_000_000;

/** The part of a page that suffices to find it elsewhere. */
export interface Sketch {
  readonly uri: string;
  /** First publication of a missing page, or last change of a present one; in milliseconds since 1970. */
  readonly time: number;
  readonly title: string | undefined;
  /** Digest of the main text, block by block, without links. Collisions need the author of both pages, and do no harm. */
  readonly text: string;
  readonly passages: readonly number[];
}

/** Undefined for a page without text. */
export function sketchPage(uri: string, time: number, bytes: Uint8Array): Sketch | undefined {
  const page = readWholePage(bytes);
  const passages = readPassages(page.body.main);
  if (passages.length === 0) return undefined;
  return {
    uri,
    time,
    title: readTitle(page.head),
    text: [0, 1].map((seed) => hashText(passages.join('\n'), seed)).join('-'),
    passages: passages.slice(0, MOST_PASSAGES).map((passage) => hashText(passage, 0)),
  };
}

interface Match extends MovedText {
  /** Likeness from 0 to 2. */
  readonly likeness: number;
}

/** Compares present pages, one after another, with those that are gone and are older. */
export class TextFinder {
  readonly #byText: ReadonlyMap<string, readonly Sketch[]>;
  readonly #byTitle: ReadonlyMap<string, readonly Sketch[]>;
  readonly #found = new Map<string, Match>();
  #left = MOST_COMPARED;

  constructor(lost: readonly Sketch[]) {
    this.#byText = groupBy(lost, ({ text }) => text);
    this.#byTitle = groupBy(lost, ({ title }) => title);
  }

  add({ uri, time, title, text, passages }: Sketch): void {
    for (const lost of this.#byText.get(text) ?? [])
      if (time > lost.time) this.#note(lost.uri, { uri, like: 'text', likeness: 2 });
    const known = new Set(passages);
    for (const lost of (title === undefined ? undefined : this.#byTitle.get(title)) ?? []) {
      this.#left -= lost.passages.length;
      if (this.#left < 0) return;
      const share = lost.passages.filter((one) => known.has(one)).length / lost.passages.length;
      if (share > 0.5 && time > lost.time) this.#note(lost.uri, { uri, like: 'most', likeness: share });
    }
  }

  /** Among pages that are alike, one of the same name comes first, then the first URL. */
  #note(uri: string, match: Match): void {
    const other = this.#found.get(uri);
    if (other === undefined || rank(uri, match) > rank(uri, other)) this.#found.set(uri, match);
  }

  find(uri: string): MovedText | undefined {
    const match = this.#found.get(uri);
    return match && { uri: match.uri, like: match.like };
  }
}

function rank(uri: string, { uri: other, likeness }: Match): number {
  return likeness + (nameOf(uri) === nameOf(other) ? 0.5 : 0);
}

/** `https://example.org/a/b/` → `b`; the same for `/a/b.html` and `/a/b/index.html`. */
function nameOf(uri: string): string {
  const stem = uri.replace(/(?:\/index\.html|\.html|\/)$/, '');
  return stem.slice(stem.lastIndexOf('/') + 1);
}
