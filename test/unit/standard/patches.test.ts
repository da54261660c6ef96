/** Patches of JSON files: short, surely right, and within bounds. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyJsonPatch, makeJsonPatch } from '../../../src/standard/patches.js';
import { checkLaw } from '../../support/seed.js';

const bytes = (text: string) => Buffer.from(text);
const write = (value: unknown, indent: number | string = 2, end = '\n') =>
  bytes(JSON.stringify(value, null, indent) + end);
const read = (patch: Uint8Array | undefined) => patch && JSON.parse(Buffer.from(patch).toString());

const ROWS = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));

test('says what was added, removed and replaced', () => {
  const rows = ROWS.map((row) => ({ ...row }));
  const next = rows.toSpliced(150, 1).toSpliced(10, 0, { id: -1, name: 'new', tags: [] });
  expect(makeJsonPatch(write(rows), write(next))).toBeDefined();
  const other = ROWS.with(7, { id: 7, name: 'another', tags: ['a'] });
  expect(read(makeJsonPatch(write({ rows: ROWS, at: 1 }), write({ rows: other, at: 1 })))).toEqual([
    { op: 'replace', path: '/rows/7', value: { id: 7, name: 'another', tags: ['a'] } },
  ]);
  const few = ROWS.slice(0, 20);
  expect(read(makeJsonPatch(write(few), write(few.toSpliced(3, 1))))).toEqual([{ op: 'remove', path: '/3' }]);
  expect(read(makeJsonPatch(write(ROWS), write([...ROWS, 1])))).toEqual([
    { op: 'add', path: '/300', value: 1 },
  ]);
});

test.each([
  ['two spaces', 2, '\n'],
  ['one line', 0, ''],
  ['tabs, and a line break of Windows at its end', '\t', '\r\n'],
])('keeps how a file is written: %s', (_, indent, end) => {
  const [before, after] = [
    write(ROWS, indent, end),
    write(ROWS.with(5, { ...(ROWS[5] as object) } as never).slice(1), indent, end),
  ];
  const patch = makeJsonPatch(before, after);
  expect(Buffer.from(applyJsonPatch(before, patch ?? bytes('')) ?? [])).toEqual(after);
});

test.each([
  ['a long patch', write([1, 2, 3]), write([4, 5, 6])],
  ['another indentation', write(ROWS), write(ROWS.slice(1), 4)],
  ['another end', write(ROWS), write(ROWS.slice(1), 2, '')],
  [
    'numbers that would be written otherwise',
    bytes(`[1.0,${write(ROWS, 0, '')}]`),
    bytes(`[1.0,${write(ROWS.slice(1), 0, '')}]`),
  ],
  ['a key that is there twice', bytes('{"a":1,"a":2}'), bytes('{"a":1,"a":3}')],
  ['no JSON', bytes('a'), bytes('b')],
  ['no UTF-8', Buffer.from([0xff]), bytes('1')],
  ['a byte order mark', bytes(`\ufeff${write(ROWS)}`), bytes(`\ufeff${write(ROWS.slice(1))}`)],
  ['members in another order', write({ a: ROWS, b: 1 }), write({ b: 1, a: ROWS })],
  [
    'depth',
    bytes('['.repeat(20_000) + ']'.repeat(20_000)),
    bytes(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`),
  ],
  [
    'what all objects inherit',
    bytes(`{"__proto__":1,"a":${write(ROWS, 0, '')}}`),
    bytes(`{"__proto__":2,"a":${write(ROWS, 0, '')}}`),
  ],
])('there is none for %s', (_, before, after) => {
  expect(makeJsonPatch(before, after)).toBeUndefined();
});

test('strange files take no longer than others', () => {
  const nested = (depth: number, leaf: number): unknown =>
    depth === 0 ? leaf : [nested(depth - 1, leaf), nested(depth - 1, leaf + 1)];
  expect(makeJsonPatch(write(nested(12, 0), 0), write(nested(12, 100_000), 0))).toBeUndefined();
  const wide = (offset: number) => Array.from({ length: 30_000 }, (_, index) => index + offset);
  expect(read(makeJsonPatch(write(wide(0)), write(wide(1))))).toEqual([
    { op: 'remove', path: '/0' },
    { op: 'add', path: '/29999', value: 30_000 },
  ]);
  expect(makeJsonPatch(write(wide(0)), write(wide(40_000)))).toBeUndefined();
  const object = (offset: number) => Object.fromEntries(wide(offset).map((key) => [`k${key}`, key]));
  expect(makeJsonPatch(write(object(0)), write(object(1)))).toBeDefined();
});

test.each([
  ['copies', [{ op: 'copy', from: '/0', path: '/1' }]],
  ['moves', [{ op: 'move', from: '/0', path: '/1' }]],
  ['replaces all', [{ op: 'replace', path: '', value: 1 }]],
  ['reaches what objects inherit', [{ op: 'add', path: '/0/__proto__/polluted', value: 1 }]],
  ['reaches their makers', [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }]],
  ['names nothing that is there', [{ op: 'remove', path: '/9/9' }]],
  ['does too much', Array(10_001).fill({ op: 'add', path: '/-', value: 1 })],
  ['is no list', { op: 'add', path: '/1', value: 1 }],
])('a patch that %s is not applied', (_, operations) => {
  expect(applyJsonPatch(write([{ a: 1 }], 0, ''), write(operations, 0, ''))).toBeUndefined();
  expect('polluted' in {}).toBe(false);
});

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(0, 1, 'a', 'b', true, null, 'a/b~1'),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', '~', '0', '__proto__'), tie('any'), { maxKeys: 4 }),
  ),
})).any;

test('a patch that there is gives the very bytes of the next version', async () => {
  let made = 0;
  await checkLaw(
    'patches of JSON',
    fc.property(value, value, (one, other) => {
      // Beside so much that is the same, nearly every change is short.
      const [before, after] = [
        write({ same: 'x'.repeat(2000), value: one }),
        write({ same: 'x'.repeat(2000), value: other }),
      ];
      const patch = makeJsonPatch(before, after);
      if (patch === undefined) return;
      made++;
      expect(Buffer.from(applyJsonPatch(before, patch) ?? [])).toEqual(after);
    }),
  );
  expect(made).toBeGreaterThan(10);
});
