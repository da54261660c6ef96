/** Numbers and bytes that look random and are the same on every machine. */

export const SEED = 39_99;
/** Files are slices of one stretch of noise. Longer than any file that is written in one go. */
const NOISE_BYTES = 4 * 1024 * 1024;

/** Numbers from 0 to 1, always the same for a seed (the generator known as mulberry32). */
export function makeRandom(seed = SEED): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function makeNoise(random: () => number): Buffer {
  const words = Uint32Array.from({ length: NOISE_BYTES / 4 }, () => random() * 2 ** 32);
  return Buffer.from(words.buffer);
}

/** @throws if there is nothing to choose from */
export function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}
