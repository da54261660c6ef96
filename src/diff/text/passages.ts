/** The passage of main text that was added to or removed from most changed pages, such as an entry of a menu. */

import type { ReadPage } from '../../files/page/page.js';
import { readPassages } from '../../files/page/text.js';
import { cut } from './lines.js';

/** A passage that was added to or removed from more than half of the changed pages. */
export interface CommonPassage {
  readonly change: 'came' | 'went';
  /** Number of pages, of those that were compared. */
  readonly pages: number;
  readonly compared: number;
  /** Its beginning. It comes from the site, so it must be escaped for printing. */
  readonly text: string;
}

const FEWEST_PAGES = 5;
const TEXT_LIMIT = 120;
/** Limits of passages, for one page and for all. A passage of most pages is found in the first ones. */
const PAGE_PASSAGES = 100;
const ALL_PASSAGES = 20_000;

export class PassageTally {
  readonly #counts = { came: new Map<string, number>(), went: new Map<string, number>() };

  add(previous: ReadPage, present: ReadPage): void {
    const before = new Set(readPassages(previous.body.main));
    const after = new Set(readPassages(present.body.main));
    this.#count('came', after, before);
    this.#count('went', before, after);
  }

  #count(change: CommonPassage['change'], passages: ReadonlySet<string>, others: ReadonlySet<string>): void {
    const counts = this.#counts[change];
    const own = [...passages].filter((text) => !others.has(text)).slice(0, PAGE_PASSAGES);
    for (const text of new Set(own.map(shorten))) {
      const count = counts.get(text);
      // A slice of a string keeps all of it in memory, so a copy is stored.
      if (count !== undefined) counts.set(text, count + 1);
      else if (counts.size < ALL_PASSAGES) counts.set(Buffer.from(text).toString(), 1);
    }
  }

  /** Returns the passage that over half of the pages share, or undefined. @param compared number of compared pages */
  findCommon(compared: number): CommonPassage | undefined {
    let found: CommonPassage | undefined;
    for (const change of ['came', 'went'] as const)
      for (const [text, pages] of this.#counts[change])
        if (pages * 2 > compared && pages > (found?.pages ?? FEWEST_PAGES - 1))
          found = { change, pages, compared, text };
    return found;
  }
}

const shorten = (text: string) => (text.length > TEXT_LIMIT ? `${cut(text, TEXT_LIMIT).trimEnd()} …` : text);
