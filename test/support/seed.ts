/** Random tests that can be repeated: `SEED=… npm test`. */

import fc from 'fast-check';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/**
 * How often a test does what takes long, or how many of many like cases it tries: often in the project `slow`, seldom in
 * the others, and as often as `RUNS` says where that is set.
 */
export function fewer(often: number, seldom: number): number {
  return Number(process.env['RUNS'] ?? (process.env['THOROUGH'] === '1' ? often : seldom));
}

/** Every how-manieth of many like steps a test takes: in CI, which has to end soon, and elsewhere; or as `STRIDE` says. */
export function stride(inCi: number, elsewhere = 1): number {
  return Number(process.env['STRIDE'] ?? (process.env['CI'] === undefined ? elsewhere : inCi));
}

/** All of many like cases; in CI, which has to end soon, every so manieth, from a first one on: tests that begin apart meet all. */
export function some<T>(cases: readonly T[], inCi: number, first = 0): T[] {
  const step = stride(inCi);
  return cases.filter((_, index) => index % step === first % step);
}

/** Checks a law on random values. Prints the seed, so that a failure elsewhere can be had here too. */
export function checkLaw<T extends [unknown, ...unknown[]]>(
  name: string,
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  runs = fewer(200, 60),
): Promise<void> {
  console.log(`${name}: SEED=${seed}`);
  return Promise.resolve(fc.assert(property as fc.IAsyncProperty<T>, { seed, numRuns: runs }));
}
