import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startKeys } from '../../../../src/base/columns/keys.js';
import { startNumbers, startTexts } from '../../../../src/base/columns/kinds.js';
import { startTable } from '../../../../src/base/columns/table.js';

describe('texts', () => {
  test('come back, short or long, in any script', () => {
    const texts = ['', 'a', 'größe', '日本', '🦆', 'x'.repeat(200_000)];
    const column = startTexts();
    for (let round = 0; round < 500; round++)
      for (const text of texts) column.push(text + (text.length < 9 ? round : ''));
    for (let round = 0; round < 500; round += 7) {
      for (const [index, text] of texts.entries()) {
        expect(column.at(round * texts.length + index)).toBe(text + (text.length < 9 ? round : ''));
      }
    }
  });
});

describe('keys', () => {
  test('have the numbers in whose order they came', () => {
    const keys = startKeys();
    const all = Array.from({ length: 5000 }, (_, index) => `https://example.org/${(index * 7919) % 5000}`);
    expect(all.map(keys.add)).toEqual([...all.keys()]);
    expect(all.map(keys.add)).toEqual([...all.keys()]);
    expect(all.map(keys.find)).toEqual([...all.keys()]);
    expect([...all.keys()].map(keys.at)).toEqual(all);
    expect([keys.size(), keys.find('https://example.org/x')]).toEqual([5000, undefined]);
  });
});

describe('a table', () => {
  /** Keeps numbers. */
  const start = () => {
    const numbers = startNumbers();
    return startTable<number>({ push: numbers.push, at: numbers.at });
  };

  test('says what a Map says', () => {
    const key = fc.constantFrom(...'abcdefgh');
    const step = fc.oneof(
      fc.record({ key, value: fc.nat() }),
      fc.record({ key, value: fc.constant(undefined) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const [table, map] = [start(), new Map<string, number>()];
        for (const { key: uri, value } of steps) {
          if (value === undefined) {
            table.delete(uri);
            map.delete(uri);
          } else {
            table.set(uri, value);
            map.set(uri, value);
          }
        }
        expect(table.size).toBe(map.size);
        for (const uri of 'abcdefgh') {
          expect([table.get(uri), table.has(uri)]).toEqual([map.get(uri), map.has(uri)]);
        }
        const sort = (entries: Iterable<[string, number]>) =>
          [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sort(table)).toEqual(sort(map));
        expect([...table.keys()]).toEqual([...table].map(([uri]) => uri));
        expect([...table.values()]).toEqual([...table].map(([, value]) => value));
      }),
    );
  });

  test('keeps the order in which URLs came', () => {
    const table = start();
    for (const [value, uri] of ['b', 'c', 'a', 'b'].entries()) table.set(uri, value);
    expect([...table]).toEqual([
      ['b', 3],
      ['c', 1],
      ['a', 2],
    ]);
  });
});
