/** Histories and packages so large that one document may not hold them, or that all of it shows. */

import { expect, test } from 'vitest';
import { deriveHistory } from '../../src/history/plan/derive.js';
import type { Publication } from '../../src/history/plan/replay.js';
import { cutChanges } from '../../src/standard/cuts/changes.js';

// More than a function takes arguments.
test('200,000 publications are as many changes', () => {
  const many = 200_000;
  const publications = Array.from(
    { length: many },
    (_, index): Publication => ({
      id: `${index}`,
      seconds: 1_000_000 + index,
      changes: [{ path: 'a', blob: `${index}` }],
    }),
  );
  const files = new Map([['a', { path: 'a', blob: `${many - 1}` }]]);
  const now = new Date(2_000_000_000);
  const history = { publications, boundary: new Set<string>() };

  const derived = deriveHistory(history, [{ uriOf: (path) => path, files }], now, false);

  const newest = new Date((1_000_000 + many - 1) * 1000);
  expect(derived).toMatchObject({ from: new Date(1_000_000_000), at: newest, pending: false });
  expect(derived.sets[0]?.changes).toHaveLength(many - 1);
  const lists = cutChanges(derived.sets[0]?.changes ?? [], derived, { window: 90, period: undefined });
  expect(lists.map(({ changes }) => changes.length)).toEqual([50_000, 50_000, 50_000, 49_999]);
});
