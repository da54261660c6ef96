/** Resource Dumps and Change Dumps, from the command line to a Destination that unpacks them. */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import type { Report } from '../../src/describe/report.js';
import { readSource } from '../support/documents.js';
import { DUMPS_URL, expectResourceDump, expectSafeNames, openDumps } from '../support/dumps.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { makeHostileSite } from '../support/hostile.js';
import { callAt, describeDumps, dumpFiles, makeConfig, pathsOf, written } from '../support/packing.js';
import { change } from '../support/record.js';
import { makeSite, readTree } from '../support/site.js';

describe('the Resource Dump', () => {
  test('holds the bytes of a site whose names go wrong elsewhere, under names that do not', async () => {
    const { site, paths } = makeHostileSite();
    const same = randomBytes(300_000);
    change(site, {
      'empty.txt': '',
      'folder/empty.bin': '',
      'twice/a.bin': same,
      'twice/b.bin': same,
      'Case.txt': 'one',
      'case.txt': 'another',
      'FOLDER/x.txt': 'in a folder that only case tells from another',
      'picture.png': randomBytes(2000),
      'long.html': 'a long page that compresses well. '.repeat(20_000),
      ...Object.fromEntries(['nul', 'com1.html', 'a/aux.txt', 'a/b../c', ' a/b'].map((name) => [name, name])),
    });

    const report = await describeDumps(0, site, { dumps: { maxEntries: 20 }, history: 'none' });

    expect(report.resources).toBe(paths.length + 14);
    const [dump] = await expectResourceDump(site);
    expect(dump?.packages.length).toBeGreaterThan(5);
    expectSafeNames(
      dump?.packages.flatMap(({ entries }) =>
        entries.map(({ listed }) => listed.md['path']?.slice(1) ?? ''),
      ) ?? [],
    );
    expect(report.packages.map(({ url, entries, bytes }) => [url, entries, bytes])).toEqual(
      dump?.packages.map(({ listed, entries }) => [listed.uri, entries.length, Number(listed.md['length'])]),
    );
  });

  test('is of a site under a path, of each set of resources, and of any digests', async () => {
    const url = 'https://example.org/a%20b/c/';
    const site = makeSite({
      'index.html': 'home',
      'a/b.html': 'b',
      'data/x.csv': '1,2',
      'data/ü.csv': '3,4',
    });
    const report = await describeDumps(0, site, {
      url,
      hash: ['sha-512', 'md5'],
      sets: [
        { name: 'pages', include: ['**/*.html'] },
        { name: 'data', include: ['data'] },
        { name: 'all' },
        { name: 'none', include: ['x'] },
      ],
    });

    const dumps = await expectResourceDump(site, url);
    expect(dumps.map(({ packages }) => packages.map(({ entries }) => entries.length))).toEqual([
      [2],
      [2],
      [4],
      [],
    ]);
    expect(pathsOf(report).map((path) => path.replace(/-[0-9a-f]{16}\.zip/, ''))).toEqual([
      'resourcesync/pages/resourcedump',
      'resourcesync/data/resourcedump',
      'resourcesync/all/resourcedump',
    ]);
    expect(dumps[0]?.packages[0]?.listed.md['hash']).toMatch(/^md5:\w{32} sha-512:\w{128}$/);
  });
});

describe('what is in the site', () => {
  test('of dumps goes when they are switched off; ZIPs of others stay', async () => {
    const others = {
      'resourcesync/mine.zip': 'mine',
      'resourcesync/resourcedump-0123456789abcdef.zip': 'mine, with a name of ours',
      'resourcesync/changedump-20261120T101500Z.xml': '<mine/>',
      'downloads/all.zip': 'a resource',
    };
    const site = makeSite({ 'index.html': 'home', ...others });
    const report = await describeDumps(0, site);
    const files = [
      'resourcesync/resourcedump.xml',
      ...pathsOf(report).flatMap((path) => [path, path.replace('zip', 'xml')]),
    ];
    for (const file of files) expect(existsSync(join(site, file))).toBe(true);

    const off = await callAt(0, site, ['--json']);

    expect(off).toMatchObject({ status: 0 });
    expect(JSON.parse(off.stdout)).toMatchObject({ removed: files.toSorted(), packages: [] });
    const { 'index.html': _, ...rest } = readTree(site);
    expect(rest).toMatchObject(others);
    expect(dumpFiles(site)).toEqual(
      Object.keys(others)
        .filter((path) => path.includes('dump'))
        .sort(),
    );
  });

  test('of outdated packages goes, whole sets of them too', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.html': 'b' });
    const sets = {
      sets: [
        { name: 'a', include: ['a.txt'] },
        { name: 'b', include: ['b.html'] },
      ],
    };
    const first = await describeDumps(0, site, sets);
    expect(pathsOf(first)).toHaveLength(2);
    change(site, { 'a.txt': 'changed' });
    const second = await describeDumps(0, site, sets);
    expect(written(second)).toHaveLength(1);
    expect(pathsOf(first).filter((path) => existsSync(join(site, path)))).toEqual([pathsOf(first)[1]]);
    await describeDumps(0, site);
    expect(existsSync(join(site, 'resourcesync/a'))).toBe(false);
    await expectResourceDump(site);
  });

  test('and is in the way is refused: nothing is written', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const [path = ''] = pathsOf(await describeDumps(0, site));
    rmSync(join(site, 'resourcesync'), { recursive: true });
    for (const name of [path, path.replace('.zip', '.xml'), 'resourcesync/resourcedump.xml']) {
      makeSite({ [name]: 'mine' }, site);
      const before = readTree(site);
      const { status, stderr } = await callAt(0, site, ['--dumps']);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining(`${join(site, name)} was not written by resync-static`),
      });
      expect(readTree(site)).toEqual(before);
      rmSync(join(site, name));
    }
  });
});

describe('the configuration', () => {
  test.each<[string, object | boolean, { resources: number; changes: number }]>([
    ['true', true, { resources: 1, changes: 1 }],
    ['no Resource Dump', { resources: false }, { resources: 0, changes: 1 }],
    ['no Change Dump', { changes: false }, { resources: 1, changes: 0 }],
    ['neither', { resources: false, changes: false }, { resources: 0, changes: 0 }],
    ['few files in a package', { maxEntries: 1 }, { resources: 3, changes: 1 }],
    ['few bytes in a package', { maxBytes: 10 }, { resources: 2, changes: 1 }],
  ])('%s', async (_, dumps, expected) => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.txt': '12345', 'dist/b.txt': '1', 'dist/c.txt': '12345' });
    commitFiles(repository, 100, { 'dist/b.txt': '12345' });
    const site = join(repository, 'dist');
    const result = await callAt(200, site, [...makeConfig({ dumps }), '--json']);
    expect(result).toMatchObject({ status: 0 });
    const report: Report = JSON.parse(result.stdout);
    const count = (dump: string) => report.packages.filter((one) => one.dump === dump).length;
    expect({ resources: count('resource-dump'), changes: count('change-dump') }).toEqual(expected);
    const capabilities = readSource(site, DUMPS_URL).sets[0]?.capabilityList.children.flatMap(
      ({ children }) => children.find(({ name }) => name === 'rs:md')?.attributes['capability'] ?? [],
    );
    expect(capabilities).toEqual([
      'resourcelist',
      ...(expected.resources > 0 ? ['resourcedump'] : []),
      'changelist',
      ...(expected.changes > 0 ? ['changedump'] : []),
    ]);
  });

  test('in a file says how large packages are, and the flag that there are any', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b' });
    const count = async (dumps: UserConfig['dumps']) => {
      const { stdout } = await callAt(0, site, [...makeConfig({ dumps }), '--dumps', '--json']);
      return pathsOf(JSON.parse(stdout)).length;
    };
    expect(await count({ maxEntries: 1 })).toBe(2);
    expect(await count(false)).toBe(1);
    expect(await count({ resources: false, changes: false, maxEntries: 1 })).toBe(2);
  });
});

describe('a file that no package can hold', () => {
  // docs/discovery.md: "A file of almost 4 GiB fits into no package"
  test('is refused before it is read and before anything is written, with what leaves it out', async () => {
    const site = makeSite({ 'index.html': 'home', 'films/long one.mp4': '' });
    truncateSync(join(site, 'films/long one.mp4'), 2 ** 32);
    const before = Object.keys(dirTree(site));

    const { status, stderr } = await callAt(0, site, ['--dumps']);

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `Error films/long one.mp4 has 4294967296 bytes, more than a ZIP package can hold.\nLeave it out with --exclude "films/long one.mp4", or leave out --dumps. Nothing has been written.\n`,
    });
    expect(Object.keys(dirTree(site))).toEqual(before);
    expect(await callAt(0, site, ['--dumps', '--exclude', 'films/long one.mp4'])).toMatchObject({
      status: 0,
    });
    await openDumps(site);
  });

  const dirTree = (site: string) =>
    Object.fromEntries(readdirSync(site, { recursive: true, encoding: 'utf8' }).map((path) => [path, true]));
});
