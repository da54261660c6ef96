/** Dates of wrong clocks, among dates of right ones. */

import { expect, test } from 'vitest';
import { settleDates } from '../../../../src/history/plan/dates.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = 20_000 * DAY;

/** Days before now, or seconds since 1970 where they are far from it. */
const settle = (...dates: number[]) =>
  settleDates(
    dates.map((date, index) => ({
      id: `${index}`,
      seconds: Math.abs(date) < 1000 ? NOW + date * DAY : date,
      changes: [],
    })),
    NOW,
  );

/** So many days from now, and seconds before that. */
const at = (days: number, seconds = 0) => NOW + days * DAY - seconds;

const YEAR_2152 = 5_747_241_600;

test.each<[what: string, dates: number[], settled: (number | undefined)[], misdated: string]>([
  ['right dates', [-9, -8, -7], [at(-9), at(-8), at(-7)], ''],
  ['a date of 2152', [-9, YEAR_2152, -8, -7], [at(-9), at(-8, 1), at(-8), at(-7)], '1'],
  ['one of the past that is too late', [-9, -2, -8, -7], [at(-9), at(-8, 1), at(-8), at(-7)], '1'],
  ['several in a row', [YEAR_2152, 9e9, -8], [at(-8, 2), at(-8, 1), at(-8)], '0 1'],
  ['more of the future than others', [9e9, 9e9, 9e9, -8], [at(-8, 3), at(-8, 2), at(-8, 1), at(-8)], '0 1 2'],
  ['the newest one', [-9, -8, YEAR_2152], [at(-9), at(-8), undefined], '2'],
  ['the only one', [1e20], [undefined], '0'],
  ['what is no number', [-9, Number.NaN, -8], [at(-9), at(-8, 1), at(-8)], '1'],
  ['too early ones, which stay', [-9, -8, -99, -7], [at(-9), at(-8), at(-99), at(-7)], ''],
  ['an hour of difference, which stays', [-9, -8 + 1 / 24, -8], [at(-9), at(-8, -HOUR), at(-8)], ''],
  ['a clock that is ahead of this one by an hour', [-9, 1 / 24], [at(-9), NOW + HOUR], ''],
])('%s', (_, dates, settled, misdated) => {
  const result = settle(...dates);
  expect(result.publications.map(({ seconds }) => seconds)).toEqual(settled);
  expect(result.misdated.map(({ id }) => id).join(' ')).toBe(misdated);
});

test('dates of 1970 date nothing back that came before', () => {
  const early = [NOW - DAY, NOW, 0, 0].map((seconds, index) => ({ id: `${index}`, seconds, changes: [] }));
  expect(settleDates(early, NOW)).toEqual({ publications: early, misdated: [] });
});
