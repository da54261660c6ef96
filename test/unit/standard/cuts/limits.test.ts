/** Where rows are cut. */

import { expect, test } from 'vitest';
import { cutResources, cutRows, LIST_HEAD_BYTES } from '../../../../src/standard/cuts/limits.js';
import type { Link, Resource } from '../../../../src/standard/model.js';
import { serializeResource } from '../../../../src/standard/xml/serialize.js';

const ENTRIES = 3;
const limits = { entries: ENTRIES, bytes: LIST_HEAD_BYTES + 100 };

test.each<[what: string, rows: number[], ends: number[]]>([
  ['no row', [], []],
  ['as many as fit', [1, 1, 1], [3]],
  ['one more', [1, 1, 1, 1], [3, 4]],
  ['as many bytes as fit', [50, 50], [2]],
  ['a byte more', [50, 51], [1, 2]],
  ['a row that is too large is alone', [1, 500, 1], [1, 2, 3]],
])('%s', (_, rows, ends) => {
  expect(cutRows(rows, limits)).toEqual(ends.map((end, index) => ({ start: ends[index - 1] ?? 0, end })));
});

test('an estimate is never too low: rows that are a byte too long for one document are cut', () => {
  const row: Resource = {
    uri: "https://example.org/it's&more",
    path: 'a',
    length: Number.MAX_SAFE_INTEGER,
    hash: `md5:${'0'.repeat(32)}`,
    type: 'text/x-"odd"',
    lastmod: new Date(0),
    changefreq: 'monthly',
  };
  const link: Link = {
    rel: "it's",
    pri: 999_999,
    href: 'https://example.org/?a&b',
    modified: new Date(0),
    hash: `md5:${'0'.repeat(32)}`,
    length: Number.MAX_SAFE_INTEGER,
    type: 'a/b',
    encoding: 'gzip',
    path: '/a"b',
  };
  for (const links of [undefined, [], [link], Array.from({ length: 100 }, () => link), alone(link)]) {
    const rows = links === undefined ? [row, row] : [row, { ...row, links }];
    const bytes = rows.reduce((sum, one) => sum + serializeResource(one).length, 0);
    expect(cutResources(rows, { entries: 50_000, bytes: LIST_HEAD_BYTES + bytes })).toHaveLength(1);
    expect(cutResources(rows, { entries: 50_000, bytes: LIST_HEAD_BYTES + bytes - 1 })).toHaveLength(2);
  }
});

/** Links with one attribute each, besides those that all have: a hundred of a kind, so that a byte counts. */
function alone({ rel, href, ...others }: Link): Link[] {
  return Object.entries(others).flatMap(([name, value]) =>
    Array.from({ length: 100 }, () => ({ rel, href, [name]: value })),
  );
}
