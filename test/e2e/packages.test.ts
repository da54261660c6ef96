/** Which packages are written, which stay, and that the same inputs make the same. */

import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectResourceDump } from '../support/dumps.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { callAt, describeDumps, dumpFiles, pathsOf, written } from '../support/packing.js';
import { makeSite, stampsOf } from '../support/site.js';

describe('packages that did not change', () => {
  // docs/discovery.md: "only packages that changed are written again"
  test('are left alone when the same is described again, with a later clock, and without history', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, {
      'dist/a.txt': 'a',
      'dist/b.txt': 'b',
      'dist/big.bin': randomBytes(262_145),
    });
    commitFiles(repository, 100, { 'dist/a.txt': 'a2', 'dist/b.txt': undefined, 'dist/CON.txt': '' });
    commitFiles(repository, 200, { 'dist/b.txt': 'b is back', 'dist/big.bin': randomBytes(262_144) });
    const site = join(repository, 'dist');
    for (const history of ['auto', 'none', 'snapshots']) {
      const first = await describeDumps(1000, site, { history });
      const files = dumpFiles(site).filter((path) => !/dump\.xml$/.test(path));
      const stamps = stampsOf(site, files);
      const again = await describeDumps(2000, site, { history });
      expect(pathsOf(again)).toEqual(pathsOf(first));
      expect(written(again)).toEqual([]);
      expect(again.removed).toEqual([]);
      expect(stampsOf(site, files)).toEqual(stamps);
      await expectResourceDump(site);
    }
  });

  test('are of no later moment than their dump where the clock was set back', async () => {
    const site = makeSite({ 'a.txt': 'a' });
    await describeDumps(1000, site);
    await describeDumps(900, site);
    await expectResourceDump(site);
  });

  test('are written anew where they, their copy or their dump is missing or damaged', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b' });
    const [path = ''] = pathsOf(await describeDumps(0, site));
    const zip = readFileSync(join(site, path));
    for (const harm of [
      () => rmSync(join(site, path)),
      () => truncateSync(join(site, path), zip.length - 1),
      () => appendFileSync(join(site, path.replace('.zip', '.xml')), ' '),
      () => rmSync(join(site, path.replace('.zip', '.xml'))),
      () => rmSync(join(site, 'resourcesync/resourcedump.xml')),
      () =>
        writeFileSync(
          join(site, 'resourcesync/resourcedump.xml'),
          '<!-- Written by resync-static --><urlset',
        ),
    ]) {
      harm();
      const result = await callAt(0, site, ['--dumps', '--json']);
      // A package that lost its end has lost the mark of ours, too.
      if (result.status === 1) {
        expect(result.stderr).toContain(`${join(site, path)} was not written by resync-static`);
        writeFileSync(join(site, path), zip);
        continue;
      }
      await expectResourceDump(site);
      expect(readFileSync(join(site, path))).toEqual(zip);
    }
  });

  test('are written anew where a run was killed before it could list what it had packed', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b' });
    const [path = ''] = pathsOf(await describeDumps(0, site));
    const zip = readFileSync(join(site, path));
    const other = Buffer.from(zip);
    other[40] = (other[40] ?? 0) ^ 1;
    writeFileSync(join(site, path), other);
    utimesSync(join(site, path), 4e9, 4e9);
    await describeDumps(0, site);
    expect(readFileSync(join(site, path))).toEqual(zip);
    await expectResourceDump(site);
  });

  test('are written anew when other digests are asked for, although deletions have none', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/index.html': 'home', 'dist/a.txt': 'a' });
    commitFiles(repository, 100, { 'dist/a.txt': undefined });
    const site = join(repository, 'dist');
    await describeDumps(200, site);
    await describeDumps(200, site, { hash: ['sha-512'] });
    const [dump] = await expectResourceDump(site);
    expect(dump?.changePackages.map(({ listed }) => listed.md['hash'])).toEqual([
      expect.stringMatching(/^sha-512:\w+$/),
    ]);
  });
});
