/** Work side by side: after a failure nothing is begun, and nothing is still under way when it is told. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { workSideBySide } from '../../../../src/source/web/side-by-side.js';

test('one failure ends all, once the others under way are done', async () => {
  const begun: number[] = [];
  const done: number[] = [];
  const work = workSideBySide([1, 2, 3, 4, 5, 6], 3, async (one) => {
    begun.push(one);
    if (one === 2) throw new Error('two');
    await sleep(20);
    done.push(one);
  });
  await expect(work).rejects.toThrow('two');
  expect({ begun, done }).toEqual({ begun: [1, 2, 3], done: [1, 3] });
  await sleep(50);
  expect(begun).toEqual([1, 2, 3]);
});
