/** Hash indexes of very many different texts, such as URLs. Pure. */

import { TextColumn } from './kinds.js';

/** Hashes a text by FNV-1a and the last step of MurmurHash3, so that names which differ only at their end are far apart. */
export function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Initial number of slots, and the share of slots that may be taken before the table grows. */
const SLOTS = 1024;
const FULL = 0.75;

/** Hash table from 32-bit hashes to numbers above 0, with open addressing: 11 to 22 bytes for each entry. */
class HashTable {
  /** Slots of the table: pairs of hash and number; the number 0 marks a free slot. */
  #slots = new Uint32Array(2 * SLOTS);
  #count = 0;

  /** Returns the first number under a hash that passes a test, because different texts may have the same hash. */
  find(hash: number, isIt: (number: number) => boolean): number | undefined {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = slots[2 * slot + 1] as number;
      if (number === 0) return undefined;
      if (slots[2 * slot] === hash && isIt(number)) return number;
    }
  }

  add(hash: number, number: number): void {
    if (++this.#count > (FULL * this.#slots.length) / 2) this.#grow();
    this.#put(hash, number);
  }

  #grow(): void {
    const previous = this.#slots;
    this.#slots = new Uint32Array(2 * previous.length);
    for (let place = 0; place < previous.length; place += 2) {
      const number = previous[place + 1] as number;
      if (number !== 0) this.#put(previous[place] as number, number);
    }
  }

  #put(hash: number, number: number): void {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    let slot = hash & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = number;
  }
}

/** Collection of different texts, numbered from 0 in the order in which they were added. */
export class InternedTexts<K extends string = string> {
  readonly #texts = new TextColumn();
  readonly #table = new HashTable();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(text: K): number | undefined {
    const next = this.#table.find(hashText(text, 0), (number) => this.#texts.at(number - 1) === text);
    return next === undefined ? undefined : next - 1;
  }

  add(text: K): number {
    const existing = this.find(text);
    if (existing !== undefined) return existing;
    this.#texts.push(text);
    this.#table.add(hashText(text, 0), ++this.#size);
    return this.#size - 1;
  }

  at(number: number): K {
    return this.#texts.at(number) as K;
  }
}

/** Set of texts by 64 bits of their hashes: of ten million URLs, two collide once in 300,000 audits. */
export class FingerprintSet {
  readonly #table = new HashTable();

  has(text: string): boolean {
    return this.#has(hashText(text, 0), markOf(text));
  }

  add(text: string): void {
    const hash = hashText(text, 0);
    const mark = markOf(text);
    if (!this.#has(hash, mark)) this.#table.add(hash, mark);
  }

  #has(hash: number, mark: number): boolean {
    return this.#table.find(hash, (other) => other === mark) !== undefined;
  }
}

/** Computes the upper half of a text's fingerprint; never 0, which marks free slots. */
function markOf(text: string): number {
  return hashText(text, 1) || 1;
}
