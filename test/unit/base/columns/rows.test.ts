import { describe, expect, test } from 'vitest';
import { holdFew, makeRows, mapRows } from '../../../../src/base/columns/rows.js';

const letters = 'abcdefg'.split('');
const rows = makeRows(letters.length, (index) => letters[index] ?? '');

describe('rows', () => {
  test('are read as an array is', () => {
    expect([...rows]).toEqual(letters);
    expect([...rows.entries()]).toEqual([...letters.entries()]);
    expect(rows.length).toBe(letters.length);
    for (const index of [0, 6, 7, -1, -7, -8]) expect(rows.at(index)).toBe(letters.at(index));
    for (const range of [
      [0, 7],
      [2, 4],
      [5, 99],
      [9, 12],
      [4, 2],
    ] as const) {
      expect([...rows.slice(range[0], range[1])]).toEqual(letters.slice(range[0], range[1]));
    }
    expect(rows.map((letter, index) => letter + index)).toEqual(
      letters.map((letter, index) => letter + index),
    );
    expect([...rows.filter((letter) => letter > 'c')]).toEqual(['d', 'e', 'f', 'g']);
    expect([rows.some((letter) => letter === 'g'), rows.some((letter) => letter === 'h')]).toEqual([
      true,
      false,
    ]);
  });

  test('of rows are rows', () => {
    const some = rows.slice(1, 6).filter((letter) => letter !== 'c');
    expect([...some]).toEqual(['b', 'd', 'e', 'f']);
    expect([...some.slice(1, 3)]).toEqual(['d', 'e']);
    expect(some.at(-1)).toBe('f');
  });

  test('are made once where they are few', () => {
    const few = holdFew(makeRows(3, (index) => ({ index })));
    expect([...few]).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
    expect(few.at(1)).toBe(few.at(1));
    const many = makeRows(1e9, (index) => ({ index }));
    expect(holdFew(many)).toBe(many);
  });

  test('are made when they are asked for, and only then', () => {
    const made: number[] = [];
    const noted = makeRows(1000, (index) => made.push(index) && index);
    const changed = mapRows(noted.slice(100, 900), (row, index) => `${row} ${index}`);
    expect(made).toEqual([]);
    expect(changed.at(5)).toBe('105 5');
    expect(made).toEqual([105]);
  });
});
