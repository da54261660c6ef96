import { describe, expect, test } from 'vitest';
import { startNumbers, startShared } from '../../../../src/base/columns/kinds.js';

describe('numbers', () => {
  test.each([
    ['of one byte', 255],
    ['of two', 65_535],
    ['of four', 4_294_967_295],
    ['that are larger', 9_007_199_254_740_991],
    ['that are no whole ones', 0.5],
    ['that are none', Number.NaN],
    ['below zero', -1],
  ])('%s come back, among others', (_, odd) => {
    const column = startNumbers();
    const values = Array.from({ length: 10_000 }, (_, index) => (index % 1777 === 1776 ? odd : index % 256));
    for (const value of values) column.push(value);
    expect(values.map((_, index) => column.at(index))).toEqual(values);
  });

  test.each([2, 300, 70_000, -1])('give way to others: %d', (other) => {
    const column = startNumbers();
    for (const value of [0, 1, 2]) column.push(value);
    column.put(1, other);
    column.push(3);
    expect([0, 1, 2, 3].map(column.at)).toEqual([0, other, 2, 3]);
  });
});

describe('shared values', () => {
  test('come back, also where there are more different ones than are looked for', () => {
    const column = startShared<number | undefined>();
    const values = Array.from({ length: 30_000 }, (_, index) =>
      index % 3 === 0 ? undefined : index % 25_000,
    );
    for (const value of values) column.push(value);
    expect(values.map((_, index) => column.at(index))).toEqual(values);
  });

  test('are made fit to be kept once', () => {
    const kept: string[] = [];
    const column = startShared((value: string) => {
      kept.push(value);
      return value;
    });
    for (const value of ['a', 'b', 'a', 'b', 'a']) column.push(value);
    expect(kept).toEqual(['a', 'b']);
    expect([0, 1, 2, 3, 4].map(column.at)).toEqual(['a', 'b', 'a', 'b', 'a']);
  });
});
