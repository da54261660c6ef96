/** Chance that can be repeated: `SEED` in the environment chooses it, the log tells what it was. */

import { randomInt } from 'node:crypto';

/**
 * Numbers from 0 to below 1 (mulberry32).
 *
 * @param usual the seed where none is chosen; another one each time unless it is given
 */
export function makeRandom(usual: number = randomInt(2 ** 31)): () => number {
  let state = Number(process.env['SEED'] ?? usual);
  console.log(`SEED=${state}`);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same values in another order. */
export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** Bytes that nothing makes shorter. */
export function makeNoise(length: number, random: () => number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}
