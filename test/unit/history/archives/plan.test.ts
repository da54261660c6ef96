/** Which periods are over, what they hold, and how a period is divided that one list could not hold. */

import { expect, test } from 'vitest';
import { planArchive } from '../../../../src/history/archives/plan.js';
import { takeSnapshots } from '../../../../src/history/archives/snapshots.js';

const date = (text: string) => new Date(`${text}Z`);
const change = (uri: string, text: string) => ({ uri, datetime: date(text) });
const rules = { period: 'month', keep: 3650, linked: false } as const;
const told = (plan: ReturnType<typeof planArchive>) =>
  plan.lists.map(({ from, until, changes }): [string, string, string] => [
    from.toISOString().slice(0, 10),
    until.toISOString().slice(0, 10),
    changes.map(({ uri }) => uri).join(''),
  ]);

test('a period is over once something was published after it, and not by the clock', () => {
  const from = date('2026-01-10T00:00:00');
  const changes = [change('a', '2026-01-20T00:00:00'), change('b', '2026-02-01T00:00:00')];
  const moments = [from, ...changes.map(({ datetime }) => datetime)];
  expect(planArchive(changes, moments, { from, newest: date('2026-01-31T23:59:59') }, rules)).toEqual({
    end: from,
    lists: [],
    moments: [],
  });
  // A publication at the first second of a month belongs to it, and a closed list has all changes up to its end.
  const plan = planArchive(changes, moments, { from, newest: date('2026-02-01T00:00:00') }, rules);
  expect(told(plan)).toEqual([['2026-01-10', '2026-01-31', 'a']]);
  expect(plan.moments).toEqual([changes[0]?.datetime]);
  expect(plan.end).toEqual(date('2026-01-31T23:59:59'));
  const later = planArchive(changes, moments, { from, newest: date('2026-03-01T00:00:00') }, rules);
  expect(told(later)).toEqual([
    ['2026-01-10', '2026-01-31', 'a'],
    ['2026-01-31', '2026-03-01', 'b'],
  ]);
  expect(later.moments).toEqual(moments.slice(1));
  expect(planArchive(changes, moments, { from, newest: undefined }, rules).lists).toEqual([]);
});

test('months without a change have no list, and leave no gap', () => {
  const from = date('2026-01-10T00:00:00');
  const changes = [change('a', '2026-01-20T00:00:00'), change('b', '2026-06-05T00:00:00')];
  const plan = planArchive(changes, [from], { from, newest: date('2026-08-01T00:00:01') }, rules);
  expect(told(plan)).toEqual([
    ['2026-01-10', '2026-02-01', 'a'],
    ['2026-02-01', '2026-07-01', 'b'],
  ]);
});

test('more changes than a list may hold are divided between publications', () => {
  const from = date('2026-01-01T00:00:00');
  // A list holds 50,000.
  const changes = ['2026-01-02', '2026-01-03', '2026-01-04'].flatMap((day) =>
    Array.from({ length: 20_000 }, () => change('a', `${day}T00:00:00`)),
  );
  const plan = planArchive(changes, [from], { from, newest: date('2026-03-01T00:00:00') }, rules);
  expect(told(plan).map(([start, end, uris]) => [start, end, uris.length])).toEqual([
    ['2026-01-01', '2026-01-03', 40_000],
    ['2026-01-03', '2026-02-01', 20_000],
  ]);
});

test('an archived Resource List has what was published at its moment', () => {
  const at = date('2026-01-20T00:00:00');
  const steps = [{ uri: 'b', datetime: at, value: 'two' }];
  expect([...takeSnapshots(new Map([['a', 'one']]), steps, [at])]).toEqual([{ at, values: ['one', 'two'] }]);
});
