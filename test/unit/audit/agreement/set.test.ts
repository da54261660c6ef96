/** What the resources of a list are counted for, of the memory that an audit may take. */

import { expect, test } from 'vitest';
import { startAdding, startSet } from '../../../../src/audit/agreement/set.js';
import type { ReadEntry } from '../../../../src/standard/xml/as-read.js';

const COUNT = 5000;
const DIGITS = '0123456789abcdef'.repeat(4);

type Attributes = NonNullable<ReadEntry['md']>['attributes'];

/** An entry as nearly all are. */
function makeEntry(index: number, lastmod?: string, attributes: Attributes = {}): ReadEntry {
  const hash = `md5:${DIGITS.slice(0, 32)} sha-256:${DIGITS}`;
  return {
    line: 4 * index,
    loc: `https://example.org/folder-${index % 10}/page-${10_000 + index}.html`,
    lastmod,
    changefreq: undefined,
    md: { line: 4 * index, attributes: { hash, length: '12345', type: 'text/html', ...attributes } },
    links: [],
  };
}

/** About how many bytes are counted for each of many entries. */
function countEach(make: (index: number) => ReadEntry): number {
  const set = startSet();
  let kept = 0;
  const add = startAdding(
    set,
    'https://example.org/list.xml',
    () => undefined,
    (bytes) => {
      kept += bytes;
    },
  );
  for (let index = 0; index < COUNT; index++) add(make(index));
  expect(set.kept).toBe(kept);
  return Math.round(kept / COUNT);
}

const URL_BYTES = makeEntry(0).loc?.length ?? 0;
const DIGEST_BYTES = 48;
const LENGTH_BYTES = 5;
/** Says that the URL is spelled as it is compared. */
const SPELLING_BYTES = 1;
const USUAL = URL_BYTES + DIGEST_BYTES + LENGTH_BYTES + SPELLING_BYTES + 64;

test('digests count as bytes, and what all say counts once', () => {
  expect(countEach((index) => makeEntry(index, '2026-01-01T00:00:00Z'))).toBe(USUAL);
});

test('what is no digest counts as it stands', () => {
  const hash = `blake3:${'z'.repeat(64)}`;
  const each = countEach((index) => makeEntry(index, undefined, { hash }));
  expect(each).toBe(USUAL - DIGEST_BYTES + hash.length);
});

test('what each says otherwise counts for each', () => {
  const lastmodOf = (index: number) => new Date(1.7e12 + 1000 * index).toISOString();
  expect(countEach((index) => makeEntry(index, lastmodOf(index)))).toBe(USUAL + 48 + lastmodOf(0).length);
});

test('what is listed again is kept, and counts, as it is', () => {
  const each = countEach((index) => makeEntry(index % (COUNT / 2)));
  expect(each).toBeGreaterThan(USUAL / 2 + (URL_BYTES + 107 + LENGTH_BYTES) / 2);
});
