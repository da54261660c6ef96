/** Documents that the standard forbids cannot be made. */

import { expect, test } from 'vitest';
import { checkDocument } from '../../../src/standard/make.js';
import type { ChangeEvent } from '../../../src/standard/model.js';

const up = 'https://example.org/c.xml';
const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const deleted = (number: number): ChangeEvent => ({
  change: 'deleted',
  uri: 'https://example.org/',
  datetime: day(number),
});
const resource = { uri: 'https://example.org/', path: 'index.html', length: 0, hash: 'md5:00' };

const capabilities = (...names: 'resourcelist'[]) =>
  checkDocument({
    kind: 'capability-list',
    up,
    describedby: undefined,
    capabilities: names.map((capability, index) => ({ capability, uri: `${index}` })),
  });
const resources = (count: number) =>
  checkDocument({
    kind: 'resource-list',
    up,
    index: undefined,
    at: day(1),
    resources: Array.from({ length: count }, () => resource),
  });
const changes = (from: number, until: number | undefined, ...days: number[]) =>
  checkDocument({
    kind: 'change-list',
    up,
    index: undefined,
    from: day(from),
    until: until === undefined ? undefined : day(until),
    changes: days.map(deleted),
  });
const lists = (...untils: (Date | undefined)[]) =>
  checkDocument({
    kind: 'change-list-index',
    up,
    parts: untils.map((until, index) => ({ uri: `${index}`, from: day(1), until })),
  });

test.each<[string, () => unknown, RegExp]>([
  [
    'a Capability List twice',
    () => {
      const list = { uri: up, describedby: undefined };
      return checkDocument({
        kind: 'source-description',
        describedby: undefined,
        capabilityLists: [list, list],
      });
    },
    /§8/,
  ],
  ['a capability twice', () => capabilities('resourcelist', 'resourcelist'), /§9/],
  ['50,001 entries', () => resources(50_001), /§7: at most 50000/],
  [
    'a part twice',
    () => checkDocument({ kind: 'resource-list-index', up, at: day(1), parts: [{ uri: 'a' }, { uri: 'a' }] }),
    /§10\.2/,
  ],
  ['changes out of order', () => changes(1, undefined, 3, 2), /§12\.1/],
  ['a change before from', () => changes(2, undefined, 1), /§12\.1/],
  ['a change after until', () => changes(1, 2, 3), /§7/],
  ['until before from', () => changes(2, 1), /§7/],
  [
    'an archived list that ends before it begins',
    () => {
      const entries = [{ uri: 'a', from: day(2), until: day(1) }];
      return checkDocument({ kind: 'change-list-archive', up, index: undefined, entries });
    },
    /§7/,
  ],
  ['a list after an open one', () => lists(undefined, undefined), /§12\.2/],
  ['lists out of order', () => lists(day(2), day(2)), /§12\.2/],
])('%s is refused', (_, make, rule) => {
  expect(make).toThrow(rule);
  expect(make).toThrow(expect.objectContaining({ name: 'DocumentError' }));
});

test('50,000 entries are not too many', () => {
  expect(resources(50_000).resources).toHaveLength(50_000);
});
