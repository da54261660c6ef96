/** Which documents there are, and where lists are cut. */

import { describe, expect, test } from 'vitest';
import { planDocuments } from '../../../../src/describe/plan/documents.js';
import type { ResourceList, SnapshotIndex } from '../../../../src/standard/document.js';
import type { Resource } from '../../../../src/standard/model.js';

const at = new Date('2026-11-20T10:15:00Z');
const url = 'https://example.org/';

function makeResources(count: number, extra: Partial<Resource> = {}): Resource[] {
  return Array.from({ length: count }, (_, index) => {
    const path = `${String(index).padStart(6, '0')}.html`;
    return { uri: url + path, path, length: index, hash: 'md5:00', ...extra };
  });
}

const SET = { name: undefined, describedby: undefined, changes: undefined };

function plan(resources: readonly Resource[], limits?: { entries: number; bytes: number }) {
  return planDocuments({ url, describedby: undefined, sets: [{ ...SET, resources }], at }, limits);
}

describe('archives', () => {
  const archived = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ uri: `${url}archives/${index}`, at }));
  const planArchived = (count: number, limits?: { entries: number; bytes: number }) => {
    const others = { 'resourcedump-archive': [], 'changelist-archive': [], 'changedump-archive': [] };
    const archives = { 'resourcelist-archive': archived(count), ...others };
    const set = { ...SET, resources: makeResources(3), archives };
    return planDocuments({ url, describedby: undefined, sets: [set], at }, limits);
  };

  test('stand before the lists that lead to them; one that names nothing is no document', () => {
    expect(planArchived(1).map(({ path }) => path)).toEqual([
      'resourcesync/resourcelist-archive.xml',
      'resourcesync/resourcelist.xml',
      'resourcesync/capabilitylist.xml',
      '.well-known/resourcesync',
    ]);
    expect(planArchived(0)).toEqual(plan(makeResources(3)));
  });

  test('have an index where one document cannot name all; only the index of a list leads to it', () => {
    const documents = planArchived(5, { entries: 2, bytes: 50_000_000 });
    expect(documents.map(({ path }) => path.replace('resourcesync/', ''))).toEqual([
      ...[1, 2, 3].map((part) => `resourcelist-archive-000${part}.xml`),
      'resourcelist-archive.xml',
      ...['resourcelist-0001.xml', 'resourcelist-0002.xml', 'resourcelist.xml', 'capabilitylist.xml'],
      '.well-known/resourcesync',
    ]);
    const leading = documents.filter(({ document }) => 'archives' in document).map(({ path }) => path);
    expect(leading).toEqual(['resourcesync/resourcelist.xml']);
  });
});

describe('planDocuments', () => {
  test('plans one list, its Capability List and the Source Description, leaves first', () => {
    const documents = plan(makeResources(2));
    expect(documents.map(({ path, document }) => [path, document.kind])).toEqual([
      ['resourcesync/resourcelist.xml', 'resource-list'],
      ['resourcesync/capabilitylist.xml', 'capability-list'],
      ['.well-known/resourcesync', 'source-description'],
    ]);
    expect(documents[1]?.document).toEqual({
      kind: 'capability-list',
      up: 'https://example.org/.well-known/resourcesync',
      describedby: undefined,
      capabilities: [
        { capability: 'resourcelist', uri: 'https://example.org/resourcesync/resourcelist.xml' },
      ],
    });
  });

  test('gives every set a folder and an entry in the one Source Description', () => {
    const sets = ['pages', 'data'].map((name) => ({
      name,
      describedby: `${url}${name}`,
      resources: makeResources(1),
      changes: undefined,
    }));
    const documents = planDocuments({ url, describedby: `${url}about`, sets, at });
    expect(documents.map(({ path }) => path)).toEqual([
      'resourcesync/pages/resourcelist.xml',
      'resourcesync/pages/capabilitylist.xml',
      'resourcesync/data/resourcelist.xml',
      'resourcesync/data/capabilitylist.xml',
      '.well-known/resourcesync',
    ]);
    expect(documents.at(-1)?.document).toEqual({
      kind: 'source-description',
      describedby: `${url}about`,
      capabilityLists: ['pages', 'data'].map((name) => ({
        uri: `${url}resourcesync/${name}/capabilitylist.xml`,
        describedby: url + name,
      })),
    });
  });

  test.each([
    [0, [0]],
    [50_000, [50_000]],
    [50_001, [50_000, 1]],
    [120_001, [50_000, 50_000, 20_001]],
  ])('%i resources make lists of %j', (count, sizes) => {
    const documents = plan(makeResources(count)).slice(0, -2);
    const lists = documents.filter(({ document }) => document.kind === 'resource-list');
    expect(lists.map(({ document }) => (document as ResourceList).resources.length)).toEqual(sizes);
    expect(documents.length).toBe(sizes.length === 1 ? 1 : sizes.length + 1);
  });

  test('parts know their index, and the index knows them, all of one moment', () => {
    const documents = plan(makeResources(5), { entries: 2, bytes: 50_000_000 });
    const index = documents.find(({ document }) => document.kind === 'resource-list-index');
    const parts = documents.filter(({ document }) => document.kind === 'resource-list');
    expect(index?.path).toBe('resourcesync/resourcelist.xml');
    expect(parts.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((n) => `resourcesync/resourcelist-000${n}.xml`),
    );
    expect((index?.document as SnapshotIndex | undefined)?.parts.map(({ uri }) => uri)).toEqual(
      parts.map(({ uri }) => uri),
    );
    for (const { document } of parts) expect(document).toMatchObject({ index: index?.uri, at });
  });
});

describe('dumps', () => {
  const moment = (index: number) => new Date(at.getTime() - (10 - index) * 1000);
  const packages = Array.from({ length: 5 }, (_, index) => ({
    uri: `${url}resourcesync/package-${index}.zip`,
    length: 100,
    hash: 'md5:00',
    contents: `${url}resourcesync/package-${index}.xml`,
    at: moment(index + 1),
    from: moment(index),
    until: moment(index + 1),
  }));
  const planDumps = (count: number, limits?: { entries: number; bytes: number }) => {
    const own = packages.slice(0, count);
    const set = {
      ...SET,
      resources: makeResources(1),
      resourcePackages: own,
      changePackages: { from: moment(0), packages: own },
    };
    const documents = planDocuments({ url, describedby: undefined, sets: [set], at }, limits);
    return documents.filter(({ path }) => path.includes('dump'));
  };

  test.each([
    ['at the limits', 5, { entries: 5, bytes: 1e6 }],
    ['without packages', 0, undefined],
  ])('each is one document %s', (_, count, limits) => {
    const documents = planDumps(count, limits);
    expect(documents.map(({ path, document: { kind } }) => [path, kind])).toEqual([
      ['resourcesync/resourcedump.xml', 'resource-dump'],
      ['resourcesync/changedump.xml', 'change-dump'],
    ]);
    expect(documents[0]?.document).toMatchObject({
      index: undefined,
      at,
      packages: packages.slice(0, count),
    });
    expect(documents[1]?.document).toMatchObject({ from: moment(0), until: undefined });
  });

  test.each([
    ['by number', { entries: 2, bytes: 1e6 }],
    ['by bytes', { entries: 5, bytes: 32_768 + 1300 }],
  ])('past the limits they are parts and an index, which name each other: cut %s', (_, limits) => {
    const documents = planDumps(5, limits);
    const paths = ['resourcedump', 'changedump'].flatMap((name) =>
      ['-0001', '-0002', '-0003', ''].map((part) => `resourcesync/${name}${part}.xml`),
    );
    expect(documents.map(({ path }) => path)).toEqual(paths);
    const uris = paths.map((path) => url + path);
    const cuts = [packages.slice(0, 2), packages.slice(2, 4), packages.slice(4)];
    const intervals = [
      { from: moment(0), until: moment(2) },
      { from: moment(2), until: moment(4) },
      { from: moment(4), until: undefined },
    ];
    expect(documents.map(({ document }) => document)).toMatchObject([
      ...cuts.map((some) => ({ kind: 'resource-dump', index: uris[3], at, packages: some })),
      { kind: 'resource-dump-index', at, parts: uris.slice(0, 3).map((uri) => ({ uri })) },
      ...intervals.map((interval, index) => ({ index: uris[7], ...interval, packages: cuts[index] })),
      { parts: intervals.map((interval, index) => ({ uri: uris[4 + index], ...interval })) },
    ]);
  });
});
