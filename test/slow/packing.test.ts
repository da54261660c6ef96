/** Packages: a run that is killed while it packs, large files, and other places. */

import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { expectResourceDump, openDumps } from '../support/dumps.js';
import { commitFiles, git, makeRepository } from '../support/git.js';
import { describeDumps, makeConfig, pathsOf, runAt } from '../support/packing.js';
import { stride } from '../support/seed.js';
import { killAtStep, makeFolder, makeSite } from '../support/site.js';

describe('a run that is killed while it packs', () => {
  /** Every document and package that can be reached is whole, and has the digests that are listed. */
  const expectWhole = (site: string) => openDumps(site);

  test.each([
    ['before its steps: one package of each dump', {}, stride(5), {}],
    [
      'before many of its steps: several packages',
      { maxEntries: 2 },
      stride(7, 3),
      { 'dist/z.txt': 'z'.repeat(3 << 20) },
    ],
  ])('leaves whole packages, %s', async (_, dumps, by, more) => {
    const origin = makeRepository();
    const config = { dumps };
    commitFiles(origin, 0, { 'dist/a.txt': 'a', 'dist/b.txt': 'b', 'dist/c.txt': 'c', ...more });
    commitFiles(origin, 100, { 'dist/a.txt': 'another' });
    await describeDumps(200, join(origin, 'dist'), config);
    commitFiles(origin, 300, {
      'dist/b.txt': 'another',
      'dist/d.txt': 'd',
      'dist/e.txt': 'e',
      'dist/c.txt': undefined,
    });
    const done = await describeDumps(400, join(origin, 'dist'), config);
    git(origin, ['stash', '--quiet']);
    const files = done.packages.length * 2 + done.documents.filter(({ path }) => !/dump-/.test(path)).length;
    let steps = 0;
    let finished = false;

    const killAt = async (step: number) => {
      const repository = makeFolder();
      cpSync(origin, repository, { recursive: true });
      const site = join(repository, 'dist');
      const killed = await runAt(400, site, [...makeConfig(config), '--dumps'], {
        env: killAtStep(step),
        killAfter: 45_000,
      });
      if (killed.status === 0) finished = true;
      else {
        expect(killed.stderr).toBe('');
        steps = Math.max(steps, step);
        await expectWhole(site);
      }
      // What a run finds is much the same after each few steps.
      if (step % 4 === 0) {
        const again = await describeDumps(400, site, config);
        expect(pathsOf(again)).toEqual(pathsOf(done));
        await expectResourceDump(site);
        expect(Object.keys(readDocuments(site))).toHaveLength(files);
        expect(existsSync(join(site, '.resync-static'))).toBe(false);
      }
      rmSync(repository, { recursive: true });
    };
    for (let step = 1; !finished; step += 4 * by) {
      await Promise.all([0, 1, 2, 3].map((turn) => killAt(step + turn * by)));
    }

    // Each of the new files is at least opened and moved.
    expect(steps).toBeGreaterThan(files);
  });
});

test('a Resource Dump holds files of any length, read whole or in pieces, in packages that are put together in memory or not', async () => {
  const lengths = [1, 65_535, 65_536, 262_143, 262_144, 262_145, 1_000_000, 5_000_001];
  const files = Object.fromEntries(lengths.map((length) => [`${length}.bin`, randomBytes(length)]));
  const site = makeSite({
    ...files,
    'large.mp4': Buffer.alloc(66 << 20, 'moving pictures '),
    'large.html': Buffer.alloc(3 << 20, 'words '),
  });
  await describeDumps(0, site, { dumps: { maxBytes: 1 << 30 } });
  const [one] = await expectResourceDump(site);
  expect(one?.packages).toHaveLength(1);

  const report = await describeDumps(0, site);
  const [several] = await expectResourceDump(site);
  expect(
    several?.packages.map(({ entries }) => entries.map(({ listed }) => listed.uri.slice(20))),
  ).toContainEqual(['large.mp4']);
  expect(report.notices).toContainEqual(
    expect.objectContaining({
      code: 'packages-large',
      dump: 'resource-dump',
      count: 1,
      example: several?.packages.find(({ entries }) => entries[0]?.listed.uri.endsWith('mp4'))?.path,
    }),
  );
});
