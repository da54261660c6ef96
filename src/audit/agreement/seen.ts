/** Which URLs were met, in a few bytes each: of a sample, only that is remembered of all that is listed. Pure. */

import { hashText } from '../../base/columns/hash.js';

/** Slots of the first table, and the share of them that may be taken. */
const SLOTS = 1024;
const FULL = 0.7;
const SEEDS = [0, 1] as const;

/** URLs by 64 bits of hash: of ten million, two are the same once in 300,000 audits. */
export interface SeenUrls {
  readonly add: (uri: string) => void;
  readonly has: (uri: string) => boolean;
}

export function startSeeing(): SeenUrls {
  let slots = new Uint32Array(2 * SLOTS);
  let count = 0;

  /** The slot that holds a hash, or the free one where it belongs. No hash is 0, which stands for a free one. */
  function find(table: Uint32Array, first: number, second: number): number {
    const mask = table.length / 2 - 1;
    let slot = first & mask;
    while (table[2 * slot] !== 0 && (table[2 * slot] !== first || table[2 * slot + 1] !== second))
      slot = (slot + 1) & mask;
    return slot;
  }

  function put(table: Uint32Array, first: number, second: number): boolean {
    const slot = find(table, first, second);
    if (table[2 * slot] !== 0) return false;
    table[2 * slot] = first;
    table[2 * slot + 1] = second;
    return true;
  }

  function grow(): void {
    const larger = new Uint32Array(2 * slots.length);
    for (let place = 0; place < slots.length; place += 2) {
      const first = slots[place] ?? 0;
      if (first !== 0) put(larger, first, slots[place + 1] ?? 0);
    }
    slots = larger;
  }

  return {
    add(uri) {
      if (count >= (FULL * slots.length) / 2) grow();
      if (put(slots, hashOf(uri, SEEDS[0]), hashOf(uri, SEEDS[1]))) count++;
    },
    has(uri) {
      const slot = find(slots, hashOf(uri, SEEDS[0]), hashOf(uri, SEEDS[1]));
      return slots[2 * slot] !== 0;
    },
  };
}

function hashOf(uri: string, seed: number): number {
  return hashText(uri, seed) || 1;
}
