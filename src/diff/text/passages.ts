/** Finds the passage of main text that came into, or went from, most of the changed pages, as that of a menu does. */

import type { ReadPage } from '../../files/page/page.js';
import { readPassages } from '../../files/page/text.js';
import { cut } from './lines.js';

/** A passage that came or went on more than half of the changed pages. */
export interface CommonPassage {
  readonly change: 'came' | 'went';
  /** So many pages, of those that were updated and compared. */
  readonly pages: number;
  readonly compared: number;
  /** Its beginning. It comes from the site: whoever prints it has to escape it. */
  readonly text: string;
}

/** Of fewer pages, most may change alike by chance. */
const FEWEST_PAGES = 5;
/** In characters. */
const TEXT_LIMIT = 120;
/** Of one page, and in all. What most pages have in common is met in the first of them. */
const PAGE_PASSAGES = 100;
const ALL_PASSAGES = 20_000;

/** Counts in how many pages each passage came or went. */
export class PassageTally {
  readonly #counts = { came: new Map<string, number>(), went: new Map<string, number>() };

  /** Takes one page as it was and as it is. */
  add(former: ReadPage, present: ReadPage): void {
    const [before, after] = [former, present].map(({ body }) => new Set(readPassages(body.main)));
    if (before === undefined || after === undefined) return;
    this.#count('came', after, before);
    this.#count('went', before, after);
  }

  #count(change: CommonPassage['change'], passages: ReadonlySet<string>, others: ReadonlySet<string>): void {
    const counts = this.#counts[change];
    const own = [...passages].filter((text) => !others.has(text)).slice(0, PAGE_PASSAGES);
    for (const text of new Set(own.map(shorten))) {
      const count = counts.get(text);
      // A part of a string keeps all of it in memory; what is kept is a copy.
      if (count !== undefined) counts.set(text, count + 1);
      else if (counts.size < ALL_PASSAGES) counts.set(Buffer.from(text).toString(), 1);
    }
  }

  /**
   * The passage that most pages have in common.
   *
   * @param compared so many updated pages were compared, of any kind of change
   * @returns undefined if it is in no more than half of them
   */
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
