/** Digests of what comes in pieces, and their notation. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatDigests, startDigests } from '../../../src/standard/digests.js';
import { HASH_ALGORITHMS, parseDigests } from '../../../src/standard/model.js';

const hex = (name: string, text: string) => createHash(name).update(text).digest('hex');

test.each([
  ['no piece', [], ''],
  ['one piece', ['resync'], 'resync'],
  ['several pieces', ['re', '', 'sync'], 'resync'],
])('%s', (_, pieces, whole) => {
  const digests = startDigests(['sha-256', 'md5']);
  for (const piece of pieces) digests.update(Buffer.from(piece));
  expect(digests.finish()).toEqual([
    ['sha-256', hex('sha256', whole)],
    ['md5', hex('md5', whole)],
  ]);
});

test('what is written is read back', () => {
  const digests = startDigests(HASH_ALGORITHMS);
  digests.update('resync');
  const made = digests.finish();
  expect(parseDigests(formatDigests(made))).toEqual(made);
  expect(formatDigests(made.slice(0, 1))).toBe(`md5:${hex('md5', 'resync')}`);
});
