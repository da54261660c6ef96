/** Documents that the standard forbids cannot be made. */

import { expect, test } from 'vitest';
import {
  makeCapabilityList,
  makeChangeList,
  makeIntervalIndex,
  makeResourceList,
  makeSnapshotIndex,
  makeSourceDescription,
} from '../../../src/standard/make.js';
import type { ChangeEvent } from '../../../src/standard/model.js';

const up = 'https://example.org/c.xml';
const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const deleted = (number: number): ChangeEvent => ({
  change: 'deleted',
  uri: 'https://example.org/',
  datetime: day(number),
});
const resource = { uri: 'https://example.org/', path: 'index.html', length: 0, hash: 'md5:00' };
const part = { uri: 'https://example.org/a.xml', from: day(1), until: day(2) };

test.each<[string, () => unknown, RegExp]>([
  [
    'a Capability List twice',
    () =>
      makeSourceDescription({
        describedby: undefined,
        capabilityLists: [
          { uri: up, describedby: undefined },
          { uri: up, describedby: undefined },
        ],
      }),
    /§8/,
  ],
  [
    'a capability twice',
    () =>
      makeCapabilityList({
        up,
        describedby: undefined,
        capabilities: [
          { capability: 'resourcelist', uri: 'a' },
          { capability: 'resourcelist', uri: 'b' },
        ],
      }),
    /§9/,
  ],
  [
    '50,001 entries',
    () =>
      makeResourceList({
        up,
        index: undefined,
        at: day(1),
        resources: Array.from({ length: 50_001 }, () => resource),
      }),
    /§7: at most 50000/,
  ],
  [
    'a part twice',
    () =>
      makeSnapshotIndex({ kind: 'resource-list-index', up, at: day(1), parts: [{ uri: 'a' }, { uri: 'a' }] }),
    /§10\.2/,
  ],
  [
    'changes out of order',
    () =>
      makeChangeList({
        up,
        index: undefined,
        from: day(1),
        until: undefined,
        changes: [deleted(3), deleted(2)],
      }),
    /§12\.1/,
  ],
  [
    'a change before from',
    () => makeChangeList({ up, index: undefined, from: day(2), until: undefined, changes: [deleted(1)] }),
    /§12\.1/,
  ],
  [
    'a change after until',
    () => makeChangeList({ up, index: undefined, from: day(1), until: day(2), changes: [deleted(3)] }),
    /§7/,
  ],
  [
    'until before from',
    () => makeChangeList({ up, index: undefined, from: day(2), until: day(1), changes: [] }),
    /§7/,
  ],
  [
    'a list after an open one',
    () =>
      makeIntervalIndex({
        kind: 'change-list-index',
        up,
        parts: [
          { ...part, until: undefined },
          { ...part, uri: 'b' },
        ],
      }),
    /§12\.2/,
  ],
  [
    'lists out of order',
    () => makeIntervalIndex({ kind: 'change-list-index', up, parts: [part, { ...part, uri: 'b' }] }),
    /§12\.2/,
  ],
])('%s is refused', (_, make, rule) => {
  expect(make).toThrow(rule);
  expect(make).toThrow(expect.objectContaining({ name: 'DocumentError' }));
});

test('50,000 entries are not too many', () => {
  const resources = Array.from({ length: 50_000 }, () => resource);
  expect(makeResourceList({ up, index: undefined, at: day(1), resources }).resources).toHaveLength(50_000);
});
