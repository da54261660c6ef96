/** Finds texts that are kept elsewhere, by hash. Pure. */

import { hashText } from './hash.js';

/** Numbers by text. In memory, each takes 11 to 22 bytes. */
export interface TextIndex {
  /** The number of a text; undefined for one that has not been added. */
  readonly find: (text: string) => number | undefined;
  /** Adds a text that is not there, under a number below 2^32 - 1. */
  readonly add: (text: string, number: number) => void;
}

/** Slots of the first table, and the share of them that may be taken. */
const SLOTS = 1024;
const FULL = 0.75;

/** @param textOf the text that has a number */
export function startIndex(textOf: (number: number) => string): TextIndex {
  /** By hash, the hash and the number of a text and one more; 0 for the number where there is none. */
  let slots = new Uint32Array(2 * SLOTS);
  let count = 0;
  /** The last text, which is looked for before it is added, and its hash. */
  let last = { text: '', hash: hashText('', 0) };

  function hashOf(text: string): number {
    if (text !== last.text) last = { text, hash: hashText(text, 0) };
    return last.hash;
  }

  function put(hash: number, number: number): void {
    const mask = slots.length / 2 - 1;
    let slot = hash & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = number + 1;
  }

  function grow(): void {
    const former = slots;
    slots = new Uint32Array(2 * former.length);
    for (let place = 0; place < former.length; place += 2) {
      const next = former[place + 1] ?? 0;
      if (next !== 0) put(former[place] ?? 0, next - 1);
    }
  }

  return {
    find(text) {
      const mask = slots.length / 2 - 1;
      const hash = hashOf(text);
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const number = (slots[2 * slot + 1] ?? 0) - 1;
        if (number < 0) return undefined;
        if (slots[2 * slot] === hash && textOf(number) === text) return number;
      }
    },
    add(text, number) {
      if (++count > (FULL * slots.length) / 2) grow();
      put(hashOf(text), number);
    },
  };
}
