/** The sample of the listed resources that an audit keeps. */

import { describe, expect, test } from 'vitest';
import { createTable, type ListedTable } from '../../../../src/audit/agreement/set.js';
import { Listing } from '../../../../src/audit/bytes/sample.js';
import { addressOf } from '../../../../src/paths/address.js';

const nothing = { hash: undefined, length: undefined, type: undefined, encoding: undefined };
const facts = { document: 'd', line: 1, ...nothing };

function listAll(uris: readonly string[], lastmod?: string): ListedTable {
  const set = createTable();
  for (const uri of uris.map(addressOf)) set.set(uri, { uri, lastmod, ...facts });
  return set;
}

/** A set of so many resources. */
function makeSet(name: string, count: number, lastmod?: string): ListedTable {
  const uris = Array.from({ length: count }, (_, index) => `https://example.org/${name}/${index}`);
  return listAll(uris, lastmod);
}

const FOLDER = { kind: 'folder', site: '/site' } as const;
const WEB = { kind: 'web', url: 'https://example.org/' } as const;

describe('what is kept', () => {
  test('is a share of all sets together', () => {
    const listing = new Listing({ sample: { share: 0.1 }, since: undefined, source: FOLDER });
    for (let set = 0; set < 100; set++) listing.add(makeSet(`${set}`, 15), []);
    expect([listing.count(), listing.chosen().length]).toEqual([1500, 150]);
    expect(listing.has(addressOf('https://example.org/99/14'))).toBe(true);
    expect(listing.has(addressOf('https://example.org/99/15'))).toBe(false);
  });

  test('is a number of all sets together, the last as likely as the first', () => {
    const sets = new Set<string>();
    for (let run = 0; run < 40; run++) {
      const listing = new Listing({ sample: { count: 5 }, since: undefined, source: WEB });
      for (let set = 0; set < 4; set++) listing.add(makeSet(`${set}`, 25), []);
      expect(listing.chosen()).toHaveLength(5);
      expect(new Set(listing.chosen()).size).toBe(5);
      for (const { uri } of listing.chosen()) sets.add(uri.split('/')[3] ?? '');
    }
    // That one of four is never met in 200 draws happens once in 10^24 times.
    expect([...sets].sort()).toEqual(['0', '1', '2', '3']);
  });

  test('is what has changed since, and what does not say', () => {
    const since = new Date('2026-01-01T00:00:00Z');
    const listing = new Listing({ sample: undefined, since, source: FOLDER });
    listing.add(makeSet('old', 3, '2025-12-31T23:59:59Z'), []);
    listing.add(makeSet('new', 4, '2026-01-01T00:00:00Z'), []);
    listing.add(makeSet('silent', 5), []);
    expect([listing.count(), listing.chosen().length]).toEqual([12, 9]);
    expect(listing.has(addressOf('https://example.org/old/0'))).toBe(true);
  });
});
