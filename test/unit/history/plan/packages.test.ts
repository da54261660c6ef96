/** Which packages there are, how files are called in them, and where a Change Dump begins. */

import { describe, expect, test } from 'vitest';
import {
  groupChanges,
  type PackagedChange,
  planChangePackages,
} from '../../../../src/history/plan/change-packages.js';
import { planResourcePackages } from '../../../../src/history/plan/packages.js';
import { nameBitstreams } from '../../../../src/paths/package-names.js';
import { cutPackages, fitsZip, ZIP_LIMIT } from '../../../../src/standard/cuts/borders.js';
import type { ChangeEvent, Resource } from '../../../../src/standard/model.js';
import { expectSafeNames } from '../../../support/dumps.js';

const URL = 'https://example.org/';
const UP = `${URL}resourcesync/capabilitylist.xml`;
const date = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1000);
const LIMITS = { maxEntries: 10, maxBytes: 1000 };

function makeResource(path: string, length = 1, lastmod?: Date): Resource {
  return { uri: URL + path, path, length, hash: 'md5:00', ...(lastmod && { lastmod }) };
}

test.each<[lengths: number[], packages: number]>([
  [[], 0],
  [[5000], 1],
  [Array(10).fill(1), 1],
  [[500, 500], 1],
  [Array(11).fill(0), 2],
  [[500, 501], 2],
  [[1, 1, 5000, 1, 1], 3],
])('files of %j bytes make %i packages', (lengths, packages) => {
  const files = lengths.map((length, index) => ({ uri: `${URL}${String(index).padStart(3, '0')}`, length }));
  expect(cutPackages(files, LIMITS)).toHaveLength(packages);
});

describe('nameBitstreams', () => {
  const nameOf = (path: string, ...others: string[]) =>
    new Map(nameBitstreams([path, ...others])).get(path) ?? '';
  const OPAQUE = /^~[0-9a-f]{24}(?:\.[a-z0-9]+)?$/i;

  test.each([
    ...['a/b/c.d.txt', 'ü/日本語.html', 'two words.txt', '-rf', 'console.js', 'com10.txt', 'a~b/~c'],
    "it's [1] {2} (3) & 100%, a#b;c=d+e@f$g!.txt",
    '\u{1f600}.png',
    `${'n'.repeat(80)}/${'m'.repeat(79)}`,
  ])('calls %s what it is called', (path) => expect(nameOf(path)).toBe(path));

  test.each([
    ...['CON', 'con.txt', 'a/Aux.tar.gz', 'nul/a.html', 'COM1.html', 'lpt\u00b2', 'conin$'],
    ...['trailing dot.', 'trailing space ', 'folder./a', 'folder /a', ' leading', '.well-known/a', 'a/.b'],
    ...['..', '../a', 'a/../b', './a', '/etc/passwd', 'a//b', 'C:/windows', 'c:a', 'back\\slash'],
    ...['a:stream', 'what?', 'a*', '"quoted"', '<tag>', 'a|b', 'line\nbreak', 'nul\0', 'delete\x7f'],
    ...['not a character \uffff', 'nor this \u{1fffe}', 'cafe\u0301', '~'],
    ...['~0123456789abcdef01234567.html', 'n'.repeat(81), `${'n/'.repeat(80)}nn`],
  ])('gives %j a name that does not tell it', (path) => expect(nameOf(path)).toMatch(OPAQUE));

  test('keeps the extension, which tells what it is', () => {
    expect(nameOf('what?.html')).toMatch(/^~\w+\.html$/);
    expect(nameOf('a.b?')).toMatch(/^~\w+$/);
    expect(nameOf(`${'n'.repeat(300)}.jpeg`)).toMatch(/^~\w+\.jpeg$/);
  });

  test('keeps apart every character from its other cases', () => {
    const characters = Array.from({ length: 0x1_e944 }, (_, code) => code)
      .filter((code) => code > 32 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
      .filter((one) => one !== '/' && (one.toLowerCase() !== one || one.toUpperCase() !== one));
    const paths = new Set(
      characters.flatMap((one) => [one, one.toLowerCase(), one.toUpperCase(), one.normalize('NFD')]),
    );
    expect(paths.size).toBeGreaterThan(2000);
    expectSafeNames(nameBitstreams([...paths].map((one) => `x${one}`)).map(([, name]) => name));
  });
});

describe('planResourcePackages', () => {
  test('names, dates and sorts what is in a package', () => {
    const resources = [
      makeResource('a:b.txt', 1, date(5)),
      makeResource('z.txt', 2, date(9)),
      makeResource('y.txt', 3, date(1)),
    ];
    const [planned, ...others] = planResourcePackages(resources, { up: UP, at: date(100) }, LIMITS);
    expect(others).toEqual([]);
    expect(planned?.manifest).toMatchObject({ kind: 'resource-dump-manifest', up: UP, at: date(9) });
    expect(planned?.manifest.bitstreams.map(({ resource, path }) => [resource.path, path])).toEqual([
      ['a:b.txt', expect.stringMatching(/^\/resources\/~\w+\.txt$/)],
      ['z.txt', '/resources/z.txt'],
      ['y.txt', '/resources/y.txt'],
    ]);
    expect(planned?.bitstreams.map(({ source }) => source)).toEqual([
      { file: 'y.txt' },
      { file: 'z.txt' },
      { file: 'a:b.txt' },
    ]);
  });

  test('a package is of the moment of the snapshot where one of its resources has no date', () => {
    const resources = [makeResource('a.txt', 1, date(5)), makeResource('b.txt', 2)];
    expect(planResourcePackages(resources, { up: UP, at: date(100) }, LIMITS)[0]?.manifest.at).toEqual(
      date(100),
    );
    expect(
      planResourcePackages([makeResource('a', 1, date(5))], { up: UP, at: date(2) }, LIMITS)[0]?.manifest.at,
    ).toEqual(date(2));
    expect(planResourcePackages([], { up: UP, at: date(2) }, LIMITS)).toEqual([]);
  });
});

describe('planChangePackages', () => {
  const created = (path: string, seconds: number): PackagedChange => ({
    change: 'created',
    uri: URL + path,
    datetime: date(seconds),
    file: { path, blob: `blob of ${path}` },
  });
  const plan = (lengths: Readonly<Record<string, number | undefined>>, inSite: readonly string[] = []) => {
    const represent = (change: PackagedChange): ChangeEvent => {
      if (change.change === 'deleted') return change;
      const length = lengths[change.file.path];
      const { uri, datetime } = change;
      return {
        change: change.change,
        uri,
        datetime,
        representation: length === undefined ? {} : { length, hash: 'md5:00', type: 'text/plain' },
      };
    };
    const changes = Object.keys(lengths).map((path, index) => created(path, 10 * (index + 1)));
    const publications = groupChanges(changes, date(0), date(0));
    return planChangePackages(
      publications,
      { from: date(0), up: UP, withdrawn: () => false },
      represent,
      (blob) => {
        const file = inSite.find((path) => blob === `blob of ${path}`);
        return file === undefined ? { blob } : { file };
      },
    );
  };

  test('makes one for each publication, from the site where that has the bytes, else from git', () => {
    const { from, packages, shortened } = plan({ 'a.txt': 1, 'b.txt': 2 }, ['b.txt']);
    expect({ from, shortened }).toEqual({ from: date(0), shortened: undefined });
    expect(packages.map(({ manifest }) => [manifest.from, manifest.until])).toEqual([
      [date(0), date(10)],
      [date(10), date(20)],
    ]);
    const facts = { hash: 'md5:00', type: 'text/plain' };
    expect(packages.flatMap(({ bitstreams }) => bitstreams)).toEqual([
      { name: 'changes/20231114T221330Z/a.txt', length: 1, ...facts, source: { blob: 'blob of a.txt' } },
      { name: 'changes/20231114T221340Z/b.txt', length: 2, ...facts, source: { file: 'b.txt' } },
    ]);
  });

  test.each([
    ['versions-missing', undefined],
    ['too-large', ZIP_LIMIT],
  ])('begins after the last publication that cannot be packed: %s', (shortened, length) => {
    const { from, packages, ...rest } = plan({ 'a.txt': 1, 'b.txt': length, 'c.txt': length, 'd.txt': 4 });
    expect(rest).toEqual({ shortened });
    expect(from).toEqual(date(30));
    expect(packages.map(({ manifest }) => manifest.from)).toEqual([date(30)]);
  });

  test('begins after one with more changes than a manifest may list', () => {
    const changes = Array.from({ length: 50_001 }, (_, index) => {
      return { change: 'deleted', uri: `${URL}${index}`, datetime: date(10) } as const;
    });
    const publications = [{ from: date(0), until: date(10), changes }];
    const settings = { from: date(0), up: UP, withdrawn: () => false };
    const asTold = (change: PackagedChange) => change as ChangeEvent;
    const planned = planChangePackages(publications, settings, asTold, () => undefined);
    expect(planned).toEqual({ from: date(10), packages: [], shortened: 'too-large' });
  });

  test('and is empty where that is the newest', () => {
    expect(plan({ 'a.txt': 1, 'b.txt': ZIP_LIMIT })).toEqual({
      from: date(20),
      packages: [],
      shortened: 'too-large',
    });
  });
});

test.each([
  [[], true],
  [[4_000_000_000], true],
  [[ZIP_LIMIT], false],
  [[2 ** 32 - 1], false],
  [[2e9, 2e9, 3e8], false],
  [Array(50_000).fill(80_000), true],
])('whether a ZIP file can hold it: %#', (lengths, fits) =>
  expect(fitsZip(lengths.map((length: number) => ({ length })))).toBe(fits),
);
