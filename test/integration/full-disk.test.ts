/** A disk that fills up while the documents are written, for every amount of room that is too little. */

import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyPlan } from '../../src/cli/init/run.js';
import { describe as describeSite } from '../../src/index.js';
import { stride } from '../support/seed.js';
import { serve } from '../support/server.js';
import { makeFolder, makeSite, readTree, runCli, runProgram } from '../support/site.js';
import { KINDS, mountMemory } from './programs/disk.js';

const FORMER = { SOURCE_DATE_EPOCH: '1700000000' };

const cases = Object.entries(KINDS).flatMap(([kind, { options, leave }]) =>
  [true, false].map((described) => ({ kind, options, leave, described, dumps: false })),
);
cases.push({ kind: 'room for packages', ...KINDS.room, described: true, dumps: true });

// Only root of Linux can mount a file system of a chosen size.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a full disk', () => {
  test.each(cases)(
    'with too little $kind leaves things as they were, described before: $described',
    async ({ options, leave, described, dumps }) => {
      const sets = join(makeFolder(), 'sets.json');
      writeFileSync(sets, '{"url":"https://example.org/","sets":[{"name":"a"},{"name":"b"}]}');
      const args = ['--config', sets, '--json', ...(dumps ? ['--dumps'] : [])];
      const site = await mountMemory(options);
      const files = Array.from({ length: 60 }, (_, index) => [`${index}.txt`, `${index}`]);
      let failures = 0;

      const by = stride(dumps ? 15 : 8);
      for (let left = 0; ; left += by) {
        makeSite(Object.fromEntries(files), site);
        if (described) expect(await runCli([site, ...args], { env: FORMER })).toMatchObject({ status: 0 });
        makeSite({ '1.txt': 'another' }, site);
        const before = readTree(site);
        leave(site, left);

        const { status, stdout, stderr } = await runCli([site, ...args]);

        rmSync(join(site, '.fill'), { recursive: true });
        if (status === 0) break;
        failures++;
        expect({ left, status, stdout, stderr }).toEqual({
          left,
          status: 1,
          stdout: expect.stringContaining('"code":"write-failed"'),
          stderr: expect.stringMatching(/^Error Cannot write .*: the disk is full\.\n.*Make room/),
        });
        expect({ left, tree: readTree(site) }).toEqual({ left, tree: before });
        // With room again, it works at once.
        expect(await runCli([site, ...args])).toMatchObject({
          status: 0,
        });
        rmSync(join(site, 'resourcesync'), { recursive: true });
        rmSync(join(site, '.well-known'), { recursive: true });
      }

      // A lock, a list and a Capability List for each of two sets, and the Source Description: none of them goes for free.
      expect(failures * by).toBeGreaterThanOrEqual(6);
    },
  );

  // Holds of docs/copies.md: "free room on the disk".
  test('is none yet when a mirror ends, and the next run goes on', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${index}.bin`, randomBytes(3_000_000)]),
    );
    const site = makeSite(files);
    const url = await serve(site);
    await describeSite({ site, url, history: 'none' });
    const folder = await mountMemory('size=60m');

    const { status, stderr } = await runCli(['mirror', url, folder]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/less than 3145728 bytes are free on the disk\.\n[\s\S]*Make room/);
    const { bavail, bsize } = statfsSync(folder);
    expect(bavail * bsize).toBeGreaterThan(0);
    await runProgram('mount', ['-o', 'remount,size=300m', folder]);
    const second = await runCli(['mirror', url, folder, '--json']);
    expect(second).toMatchObject({ status: 0, stderr: '' });
    // Files of the first run are not fetched again.
    expect(JSON.parse(second.stdout).bytes).toBeLessThan(60_000_000);
  });

  test('leaves the configuration that init would edit', async () => {
    const folder = await mountMemory(KINDS.room.options);
    const before = `${'a'.repeat(4000)}\n`;
    makeSite({ 'astro.config.mjs': before }, folder);
    KINDS.room.leave(folder, 0);
    const edits = [{ file: 'astro.config.mjs', before, after: before.repeat(2) }];
    const failure = applyPlan(folder, { edits, makesRepository: false });
    await expect(failure).rejects.toMatchObject({ code: 'write-failed' });
    rmSync(join(folder, '.fill'));
    expect(readTree(folder)).toEqual({ 'astro.config.mjs': before });
  });

  test('for what an audit fetches is an error in words, and nothing stays', async () => {
    const site = makeSite({ 'index.html': 'home', 'noise.bin': randomBytes(3_000_000) });
    const url = await serve(site);
    await describeSite({ site, url, history: 'none', dumps: true });
    const temporary = await mountMemory('size=1m');

    const { status, stdout, stderr } = await runCli(['audit', url], { env: { TMPDIR: temporary } });

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Error Cannot write .*package\.zip: the disk is full\.\n.*Make room there/);
    expect(readTree(temporary)).toEqual({});
  });
});
