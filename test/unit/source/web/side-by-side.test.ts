/** Work side by side: after a failure nothing is begun, and nothing is still under way when it is told. */

import { expect, test } from 'vitest';
import { workSideBySide } from '../../../../src/source/web/side-by-side.js';

test('one failure ends all, once the others under way are done', async () => {
  const begun: number[] = [];
  let isTold = false;
  const ends = new Map<number, () => void>();
  const work = workSideBySide([1, 2, 3, 4, 5, 6], 3, async (one) => {
    begun.push(one);
    if (one === 2) throw new Error('two');
    await new Promise<void>((resolve) => ends.set(one, resolve));
  });
  const told = expect(work.finally(() => (isTold = true))).rejects.toThrow('two');
  for (const one of [3, 1]) {
    // Whatever waits for nothing has had its turn.
    await new Promise(setImmediate);
    expect({ begun, isTold }).toEqual({ begun: [1, 2, 3], isTold: false });
    ends.get(one)?.();
  }
  await told;
  expect(begun).toEqual([1, 2, 3]);
});
