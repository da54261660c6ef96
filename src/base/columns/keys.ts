/** Texts that are all different, such as URLs, and their numbers. Pure. */

import { startIndex } from './index-of.js';
import { startTexts } from './texts.js';

/** Texts by number, and numbers by text. */
export interface Keys {
  readonly size: () => number;
  /** The number of a text, from 0 in the order in which they came; undefined for one that has not come. */
  readonly find: (text: string) => number | undefined;
  /** Adds a text unless it is there, and returns its number. */
  readonly add: (text: string) => number;
  readonly at: (number: number) => string;
}

export function startKeys(): Keys {
  const texts = startTexts();
  const index = startIndex(texts.at);
  let size = 0;
  return {
    size: () => size,
    find: index.find,
    add(text) {
      const known = index.find(text);
      if (known !== undefined) return known;
      texts.push(text);
      index.add(text, size);
      return size++;
    },
    at: texts.at,
  };
}
