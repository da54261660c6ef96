/** Finds texts that are all different, such as URLs, by their hashes. Pure. */

import { startTexts } from './kinds.js';

/** FNV-1a, and the last step of MurmurHash3, so that names which differ at their end only are far apart. */
export function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Slots of the first table, and the share of them that may be taken. */
const SLOTS = 1024;
const FULL = 0.75;

/** Starts a table of hashes, each with another number above 0. In memory, each takes 11 to 22 bytes. */
function startSlots() {
  /** By hash, a hash and its number; 0 for the number where there is none. */
  let slots = new Uint32Array(2 * SLOTS);
  let count = 0;

  function put(hash: number, number: number): void {
    const mask = slots.length / 2 - 1;
    let slot = hash & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = number;
  }

  return {
    /** The number of a hash that passes a test: several texts may have one hash. */
    find(hash: number, isIt: (number: number) => boolean): number | undefined {
      const mask = slots.length / 2 - 1;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const number = slots[2 * slot + 1] ?? 0;
        if (number === 0) return undefined;
        if (slots[2 * slot] === hash && isIt(number)) return number;
      }
    },
    add(hash: number, number: number): void {
      if (++count > (FULL * slots.length) / 2) {
        const former = slots;
        slots = new Uint32Array(2 * former.length);
        for (let place = 0; place < former.length; place += 2) {
          const next = former[place + 1] ?? 0;
          if (next !== 0) put(former[place] ?? 0, next);
        }
      }
      put(hash, number);
    },
  };
}

/**
 * Starts to find numbers by texts that are kept elsewhere.
 *
 * @param textOf the text that has a number
 */
export function startIndex(textOf: (number: number) => string) {
  const slots = startSlots();

  return {
    /** The number of a text; undefined for one that has not been added. */
    find(text: string): number | undefined {
      const next = slots.find(hashText(text, 0), (number) => textOf(number - 1) === text);
      return next === undefined ? undefined : next - 1;
    },
    /** Adds a text that is not there, under a number below 2^32 - 1. */
    add: (text: string, number: number) => slots.add(hashText(text, 0), number + 1),
  };
}

/** Texts by number, and numbers by text. */
export function startKeys() {
  const texts = startTexts();
  const index = startIndex(texts.at);
  let size = 0;
  return {
    size: () => size,
    /** The number of a text, from 0 in the order in which they came; undefined for one that has not come. */
    find: index.find,
    /** Adds a text unless it is there, and returns its number. */
    add(text: string): number {
      const known = index.find(text);
      if (known !== undefined) return known;
      texts.push(text);
      index.add(text, size);
      return size++;
    },
    at: texts.at,
  };
}

/** Starts to note texts by 64 bits of hash: of ten million URLs, two are the same once in 300,000 audits. */
export function startSeeing() {
  const slots = startSlots();
  const markOf = (text: string) => hashText(text, 1) || 1;
  const isIn = (hash: number, mark: number) => slots.find(hash, (other) => other === mark) !== undefined;
  return {
    has: (text: string) => isIn(hashText(text, 0), markOf(text)),
    add(text: string): void {
      const [hash, mark] = [hashText(text, 0), markOf(text)];
      if (!isIn(hash, mark)) slots.add(hash, mark);
    },
  };
}
