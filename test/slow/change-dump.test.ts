/** Change Dumps: unpacked in order, they lead from the baseline to the site. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { datetimeAt } from '../support/changes.js';
import { child, readSource } from '../support/documents.js';
import { DUMPS_URL, expectResourceDump, openDumps } from '../support/dumps.js';
import { cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { change, describeDumps, PENDING, STEPS } from '../support/packing.js';
import { readTree } from '../support/site.js';

describe('the Change Dump', () => {
  test('of snapshots has the packages that commits of the same states have', async () => {
    const [committed, recorded] = [makeRepository(), makeRepository()];
    const [site, other] = [join(committed, 'dist'), join(recorded, 'dist')];
    for (const [step, files] of STEPS.entries()) {
      for (const one of [site, other]) change(one, files);
      commitFiles(committed, step * 100, {});
      await describeDumps(step * 100, other, { record: true, history: 'snapshots' });
    }
    await describeDumps(1000, site);
    const packagesOf = (folder: string) =>
      Object.entries(readTree(folder)).filter(([path]) => /changedump-.*zip$/.test(path));
    expect(packagesOf(site)).toHaveLength(3);
    expect(packagesOf(other)).toEqual(packagesOf(site));
  });

  test('lists what the Change List does, set by set', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const sets = [
      { name: 'texts', include: ['**/*.txt'] },
      { name: 'others', exclude: ['**/*.txt'] },
    ];
    for (const [step, files] of STEPS.entries()) {
      change(site, files);
      commitFiles(repository, step * 100, {});
    }
    change(site, PENDING);

    await describeDumps(1000, site, { sets });

    await expectResourceDump(site);
    const { sets: read } = readSource(site, DUMPS_URL);
    const dumps = await openDumps(site);
    for (const [index, { changes }] of read.entries()) {
      const packed = dumps[index]?.changePackages.flatMap(({ entries }) => entries) ?? [];
      expect(
        packed.map(
          ({
            listed: {
              uri,
              md: { path: _, ...md },
            },
          }) => ({ uri, md }),
        ),
      ).toEqual(changes.map(({ uri, md }) => ({ uri, md })));
    }
    expect(dumps.map(({ changePackages }) => changePackages.length)).toEqual([4, 3]);
  });

  test('reaches as far back as the Change List, and whole publications further', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const day = 86_400;
    for (const index of [0, 1, 2, 3]) commitFiles(repository, index * day, { 'dist/a.txt': `${index}` });

    await describeDumps(4 * day, site, { changes: { window: 1.5 } });

    const [dump] = await openDumps(site);
    expect(dump?.changeDump && child(dump.changeDump, 'rs:md').attributes['from']).toBe(datetimeAt(day));
    expect(dump?.changePackages.map(({ entries }) => entries.map(({ content }) => content))).toEqual([
      ['2'],
      ['3'],
    ]);
  });

  test('of a shallow clone begins at its boundary; of a partial one after what is missing', async () => {
    const origin = makeRepository('--object-format=sha1');
    for (const [step, files] of STEPS.entries()) {
      change(join(origin, 'dist'), files);
      commitFiles(origin, step * 100, {});
    }

    const shallow = join(cloneOf(origin, '--depth=2'), 'dist');
    await describeDumps(1000, shallow);
    const [seen] = await expectResourceDump(shallow);
    expect(seen?.changePackages.map(({ md }) => md['until'])).toEqual([datetimeAt(300)]);

    git(origin, ['config', 'uploadpack.allowFilter', 'true']);
    const partial = join(cloneOf(origin, '--filter=blob:none'), 'dist');
    change(partial, PENDING);
    const report = await describeDumps(1000, partial);
    const [had] = await expectResourceDump(partial);
    expect(report.notices).toContainEqual(
      expect.objectContaining({
        code: 'change-dump-shortened',
        from: datetimeAt(200),
        reason: 'versions-missing',
      }),
    );
    expect(had?.changePackages.map(({ md }) => md['until'])).toEqual([datetimeAt(300), datetimeAt(1000)]);
  });
});
