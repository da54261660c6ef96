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
  readonly title: string | undefined;
  /** Digest of the main text, block by block, without links. Collisions need the author of both pages, and do no harm. */
  readonly text: string;
  readonly passages: readonly number[];
}

/** Undefined for a page without text. */
export function sketchPage(uri: string, bytes: Uint8Array): Sketch | undefined {
  const page = readWholePage(bytes);
  const passages = readPassages(page.body.main);
  if (passages.length === 0) return undefined;
  return {
    uri,
    title: readTitle(page.head),
    text: [0, 1].map((seed) => hashText(passages.join('\n'), seed)).join('-'),
    passages: passages.slice(0, MOST_PASSAGES).map((passage) => hashText(passage, 0)),
  };
}

/** Returns the pages that have the texts now, by the URLs of the pages that are gone. */
export function findMoved(
  lost: readonly Sketch[],
  present: Iterable<Sketch>,
): ReadonlyMap<string, MovedText> {
  const byText = groupBy(lost, ({ text }) => text);
  const byTitle = groupBy(lost, ({ title }) => title);
  const found = new Map<string, MovedText>();
  const ranks = new Map<string, number>();
  const note = (from: string, uri: string, like: MovedText['like'], likeness: number) => {
    // Among pages that are alike, one of the same name comes first, then the first URL.
    const rank = likeness + (nameOf(from) === nameOf(uri) ? 0.5 : 0);
    if (rank <= (ranks.get(from) ?? 0)) return;
    ranks.set(from, rank);
    found.set(from, { uri, like });
  };
  let left = MOST_COMPARED;
  for (const { uri, title, text, passages } of present) {
    for (const one of byText.get(text) ?? []) note(one.uri, uri, 'text', 2);
    const known = new Set(passages);
    for (const one of (title === undefined ? undefined : byTitle.get(title)) ?? []) {
      left -= one.passages.length;
      if (left < 0) return found;
      const share = one.passages.filter((passage) => known.has(passage)).length / one.passages.length;
      if (share > 0.5) note(one.uri, uri, 'most', share);
    }
  }
  return found;
}

/** `https://example.org/a/b/` → `b`; the same for `/a/b.html` and `/a/b/index.html`. */
function nameOf(uri: string): string {
  const stem = uri.replace(/(?:\/index\.html|\.html|\/)$/, '');
  return stem.slice(stem.lastIndexOf('/') + 1);
}
