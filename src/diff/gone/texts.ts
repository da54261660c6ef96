/** Finds the pages of a site that have the texts of deleted pages. Pure. */

import { hashText } from '../../base/columns/keys.js';
import { groupBy } from '../../base/group.js';
import { readTitle, readWholePage } from '../../files/page/page.js';
import { readPassages } from '../../files/page/text.js';
import type { MovedText } from './model.js';

/** Limits: of passages of a page that are compared, and of comparisons of passages in all. */
const MOST_PASSAGES = 500;
const MOST_COMPARED = 50_000_000;

/** Digests of a page's text, by which the same text is found in another page. */
export interface Sketch {
  readonly uri: string;
  readonly title: string | undefined;
  /** Digest of the main text without links. Only the author of both pages can make a collision, which does no harm. */
  readonly text: string;
  readonly passages: readonly number[];
}

/** Makes the sketch of a page; undefined if the page has no main text. */
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

/** Finds the present page that has the text of each deleted page now, by the URL of the deleted page. */
export function findMoved(
  lost: readonly Sketch[],
  present: Iterable<Sketch>,
): ReadonlyMap<string, MovedText> {
  const byText = groupBy(lost, ({ text }) => text);
  const byTitle = groupBy(lost, ({ title }) => title);
  const found = new Map<string, MovedText>();
  const ranks = new Map<string, number>();
  const note = (from: string, uri: string, like: MovedText['like'], likeness: number) => {
    // A page with the same name in its URL ranks higher. Among pages of equal rank, the first one wins.
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

/** Returns the name of a page in its URL: `b` for `https://example.org/a/b/`, `/a/b.html` and `/a/b/index.html`. */
function nameOf(uri: string): string {
  const stem = uri.replace(/(?:\/index\.html|\.html|\/)$/, '');
  return stem.slice(stem.lastIndexOf('/') + 1);
}
