/** Very many values in few bytes: what is put into a column, a table or rows comes back as it was. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DigestColumn } from '../../../src/base/columns/digests.js';
import { NumberColumn, SharedColumn, TextColumn } from '../../../src/base/columns/kinds.js';
import { Table } from '../../../src/base/columns/table.js';

const MD5 = 'md5:2af25433cb3df44ab6dda01a3bdcdd92';
const SHA256 = 'sha-256:dbcbba26e0af4d1eb85787fb69166e5c4b6464959234101e511087d3826ab0d7';
const repeat = <T>(values: readonly T[], times: number) => Array.from({ length: times }, () => values).flat();

describe('a column', () => {
  const ODD_NUMBERS = [255, 65_535, 4_294_967_295, Number.MAX_SAFE_INTEGER, 0.5, Number.NaN, -1];
  const small = Array.from({ length: 2000 }, (_, index) => index % 256);
  const ODD_DIGESTS = [
    ...[`${MD5} ${SHA256}`, undefined, SHA256, `${SHA256} ${MD5}`, MD5.toUpperCase(), `${MD5}  ${SHA256}`],
    ...[` ${MD5}`, `${MD5}0`, 'md5:', '', 'größe:äöü', 'sha(256):00', `${MD5} ${'md5:00 '.repeat(1000)}`],
    ...Array.from({ length: 40 }, (_, index) => `x${index}:0a1b`),
  ];
  const many = Array.from({ length: 30_000 }, (_, index) => (index % 3 === 0 ? undefined : index % 25_000));

  test.each<
    [what: string, column: { push: (value: never) => void; at: (index: number) => unknown }, unknown[]]
  >([
    ...ODD_NUMBERS.map(
      (odd) => [`numbers, ${odd} among them`, new NumberColumn(), [...small, odd, ...small]] as never,
    ),
    ['texts', new TextColumn(), repeat(['', 'a', 'größe', '日本', '🦆', 'x'.repeat(200_000)], 50)],
    ['digests', new DigestColumn(), repeat(ODD_DIGESTS, 100)],
    ['more different values than are looked for', new SharedColumn(), many],
  ])('of %s', (_, column, values) => {
    for (const value of values) column.push(value as never);
    expect(values.map((_value, index) => column.at(index))).toEqual(values);
  });

  test('of digests counts a text with names of digests that nobody knows', () => {
    const odd = `${'a'.repeat(30)}:00 ${'b'.repeat(30)}:00`;
    expect(new DigestColumn().push(odd)).toBe(odd.length);
  });

  test.each([2, 300, 70_000, -1])('has %d where it was put', (other) => {
    const column = new NumberColumn();
    for (const value of [0, 1, 2]) column.push(value);
    column.put(1, other);
    column.push(3);
    expect([0, 1, 2, 3].map((index) => column.at(index))).toEqual([0, other, 2, 3]);
  });
});

describe('a table', () => {
  const key = fc.constantFrom(...'abcdefgh');
  const value = fc.option(fc.nat(), { nil: undefined });

  test('says what a Map says, in the order in which URLs came', () => {
    const steps = fc.array(fc.record({ key, value }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.boolean(), (edits, deletes) => {
        const numbers = new NumberColumn();
        const table = new Table<number>(numbers);
        const map = new Map<string, number>();
        for (const edit of edits) {
          if (edit.value !== undefined) for (const one of [table, map]) one.set(edit.key, edit.value);
          else if (deletes) for (const one of [table, map]) one.delete(edit.key);
        }
        // An entry that is put back stands at its former place.
        const inOrder = (entries: Iterable<[string, number]>) =>
          deletes ? [...entries].sort() : [...entries];
        expect(inOrder(table)).toEqual(inOrder(map));
        expect([table.size, [...table.keys()], [...table.values()]]).toEqual([
          map.size,
          [...table].map(([uri]) => uri),
          [...table].map(([, number]) => number),
        ]);
        for (const uri of 'abcdefgh')
          expect([table.get(uri), table.has(uri)]).toEqual([map.get(uri), map.has(uri)]);
      }),
    );
  });
});
