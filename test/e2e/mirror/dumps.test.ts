/** Copies that are made from packages. */

import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { makeFolder, readTree } from '../../support/site.js';

const files = (count: number, text: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f/${index}.txt`, `${text} ${index} `.repeat(200)]),
  );

const startDumped = async () => {
  const source = await startSource({ dumps: true });
  const { asked } = source;
  const resources = () => asked.filter((path) => path.startsWith('/f/'));
  const packages = () => asked.filter((path) => path.endsWith('.zip'));
  return { source, asked, resources, packages };
};

describe('a Source with dumps', () => {
  test('is copied from its packages where that is cheaper, and followed by those of its changes', async () => {
    const { source, asked, resources, packages } = await startDumped();
    await source.publish(0, files(60, 'one'));
    const folder = makeFolder();
    const first = await copy(source.url, folder);
    expect(first).toMatchObject({ inSync: true, created: 60 });
    expect(first.bytes).toBeGreaterThan(0);
    expect(readCopy(folder)).toEqual(source.listed());
    expect([resources().length, packages().length]).toEqual([0, 1]);

    await source.publish(60, { ...files(40, 'two'), 'f/50.txt': undefined });
    await source.publish(120, files(30, 'three'));
    asked.length = 0;
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, updated: 40, deleted: 1 });
    expect(readCopy(folder)).toEqual(source.listed());
    expect(resources()).toEqual([]);
    expect(packages().every((path) => path.includes('changedump'))).toBe(true);

    await source.publish(180, files(2, 'four'));
    asked.length = 0;
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, updated: 2 });
    expect([resources().length, packages().length]).toEqual([2, 0]);
    asked.length = 0;
    expect(await copy(source.url, makeFolder(), { from: 'list' })).toMatchObject({
      inSync: true,
      created: 59,
    });
    expect([resources().length, packages().length]).toEqual([59, 0]);
    expect(Object.keys(readTree(folder)).filter((path) => /package|ready|staged/.test(path))).toEqual([]);
  });

  test.each([
    ['is gone', (file: string) => unlinkSync(file)],
    ['is damaged', (file: string) => writeFileSync(file, readFileSync(file).fill(0, 100, 200))],
  ])('is copied all the same where a package %s', async (_, damage) => {
    const { source, resources } = await startDumped();
    await source.publish(0, files(30, 'one'));
    const [zip = ''] = Object.keys(readTree(source.site)).filter((path) => path.endsWith('.zip'));
    damage(join(source.site, zip));
    const folder = makeFolder();
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 30 });
    expect(resources()).toHaveLength(30);
    expect(readCopy(folder)).toEqual(source.listed());
  });

  test('needs no lists beside them', async () => {
    const { source, resources } = await startDumped();
    const removeLists = () => {
      const file = join(source.site, 'resourcesync/capabilitylist.xml');
      const rows = readFileSync(file, 'utf8').split('\n');
      writeFileSync(
        file,
        rows.filter((line) => !/capability="(?:resource|change)list"/.test(line)).join('\n'),
      );
    };
    await source.publish(0, files(5, 'one'));
    removeLists();
    const folder = makeFolder();
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 5 });
    await source.publish(60, { ...files(2, 'two'), 'f/4.txt': undefined });
    removeLists();
    const report = await copy(source.url, folder);
    expect(report).toMatchObject({ inSync: true, updated: 2, deleted: 1, sets: [{ way: 'changes' }] });
    expect(readCopy(folder)).toEqual(source.listed());
    expect(resources()).toEqual([]);
  });
});
