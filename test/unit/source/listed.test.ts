/** What is listed of bytes, compared with them. */

import { expect, test } from 'vitest';
import { findMismatch } from '../../../src/source/listed.js';

const SHA_256 = 'ab'.repeat(32);
const BYTES = {
  length: 1,
  more: false,
  hex: (name: string) => (name === 'sha-256' ? SHA_256 : undefined),
};
const listing = (hash: string) => ({ hash, length: '1', type: undefined, encoding: undefined });

test.each(['sha-256:', `sha-256:${'0'.repeat(64)}`])('%s is not that of any bytes', (hash) => {
  expect(findMismatch(listing(hash), BYTES)).toContain('is listed');
});

test('digests stand apart by any white space, and one of them is enough to know', () => {
  expect(findMismatch(listing(`unknown:1\tsha-256:${SHA_256}`), BYTES)).toBeUndefined();
});

test('of two digests by one algorithm, the last counts, as where lists are compared', () => {
  const other = `sha-256:${'0'.repeat(64)}`;
  expect(findMismatch(listing(`${other} sha-256:${SHA_256}`), BYTES)).toBeUndefined();
  expect(findMismatch(listing(`sha-256:${SHA_256} ${other}`), BYTES)).toContain('is listed');
});
