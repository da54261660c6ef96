/** Finds the passage of main text that was added to or removed from most changed pages, such as an entry of a menu. */

import type { ReadPage } from '../../files/page/page.js';
import { readPassages } from '../../files/page/text.js';
import { cut } from './lines.js';

/** A passage of main text that was added to or removed from more than half of the compared pages. */
export interface CommonPassage {
  readonly change: 'came' | 'went';
  /** Number of compared pages to which the passage was added, or from which it was removed. */
  readonly pages: number;
  readonly compared: number;
  /** The beginning of the passage. It comes from the site, so it must be escaped for printing. */
  readonly text: string;
}

const FEWEST_PAGES = 5;
const TEXT_LIMIT = 120;
/** Limits of passages to count, for one page and for all. A passage of most pages is found in the first pages. */
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
      // Stores a copy, because a slice keeps the whole string in memory.
      if (count !== undefined) counts.set(text, count + 1);
      else if (counts.size < ALL_PASSAGES) counts.set(Buffer.from(text).toString(), 1);
    }
  }

  /** Returns the passage that changed in most pages, if in over half. @param compared number of compared pages */
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
