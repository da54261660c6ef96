/** Texts that are all different, such as URLs, and their numbers. Pure. */

import { hashText } from './hash.js';
import { startNumbers } from './numbers.js';
import { startTexts } from './texts.js';

/** Texts by number, and numbers by text. In memory, each takes its bytes in UTF-8, and 16 to 24 more. */
export interface Keys {
  readonly size: () => number;
  /** The number of a text, from 0 in the order in which they came. */
  readonly find: (text: string) => number | undefined;
  /** Adds a text unless it is there, and returns its number. */
  readonly add: (text: string) => number;
  readonly at: (number: number) => string;
}

/** Slots of the first table, and the share of them that may be taken. */
const SLOTS = 1024;
const FULL = 0.7;

export function startKeys(): Keys {
  const texts = startTexts();
  const hashes = startNumbers('whole');
  /** By hash, the number of a text and one more; 0 where there is none. */
  let slots = new Uint32Array(SLOTS);

  /** The slot that holds a text, or the free one where it belongs. */
  function findSlot(text: string, hash: number): number {
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0 || (hashes.at(number) === hash && texts.at(number) === text)) return slot;
    }
  }

  function grow(): void {
    slots = new Uint32Array(2 * slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < hashes.length(); number++) {
      let slot = hashes.at(number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  }

  return {
    size: hashes.length,
    find(text) {
      const number = slots[findSlot(text, hashText(text, 0))] ?? 0;
      return number === 0 ? undefined : number - 1;
    },
    add(text) {
      const hash = hashText(text, 0);
      const slot = findSlot(text, hash);
      const known = slots[slot] ?? 0;
      if (known !== 0) return known - 1;
      const number = hashes.length();
      slots[slot] = number + 1;
      texts.push(text);
      hashes.push(hash);
      if (number + 1 > FULL * slots.length) grow();
      return number;
    },
    at: texts.at,
  };
}
