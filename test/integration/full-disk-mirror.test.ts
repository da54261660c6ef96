/** A disk that fills up while a copy is written, for every amount of room that is too little, and one that is read-only. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copy, IN_MEMORY, placeCopy, readCopy, startSource } from '../support/mirror.js';
import { stride } from '../support/seed.js';
import { killAtStep, makeFolder, readTree, runCli, runProgram } from '../support/site.js';
import { KINDS, mountMemory } from './programs/disk.js';

const FIRST = { 'index.html': '0', 'a.txt': 'a', 'b/b.txt': 'b', 'c/c.txt': 'c', e: 'e' };
const NEXT = { 'a.txt': 'a2', 'b/b.txt': undefined, 'c/d.txt': 'd', e: undefined, 'e/f.txt': 'f' };

const JOURNAL = '.resync-mirror/journal';

/** Which run of a copy meets the disk: the second one has a former publication, and the last one a journal, too. */
const RUNS = ['first', 'second', 'a journal'] as const;

/** A Source that has gone on, and what a run on it begins with: nothing, a copy, or one with a journal of which nothing is done. */
async function startCopy(run: (typeof RUNS)[number]) {
  const source = await startSource();
  const second = makeFolder();
  await source.publish(0, FIRST);
  await copy(source.url, second);
  const before = readCopy(second);
  await source.publish(60, NEXT);
  const after = source.listed();
  const start = run === 'a journal' ? await interrupt(source.url, second) : second;
  const place = (folder: string) => {
    if (run === 'first') mkdirSync(folder);
    else placeCopy(start, folder);
  };
  return { source, before, after, place };
}

/** A step before that which writes the journal; the first search for it says which, as every run takes the same steps. */
let before = 1;

/** Kills runs at later and later steps, until one has written its journal. */
async function interrupt(url: string, from: string): Promise<string> {
  for (let step = before; ; step++) {
    const folder = makeFolder();
    placeCopy(from, folder);
    const { status } = await runCli(['mirror', url, folder], { env: killAtStep(step) });
    if (status === 0) throw new Error('No run was killed with a journal.');
    if (existsSync(join(folder, JOURNAL))) {
      before = Math.max(1, step - 3);
      return folder;
    }
    rmSync(folder, { recursive: true });
  }
}

const cases = Object.entries(KINDS).flatMap(([kind, how]) => RUNS.map((run) => ({ kind, ...how, run })));

// Only root of Linux can mount a file system of a chosen size.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('the disk of a copy', () => {
  // Holds of docs/copies.md: "Every file is whole, old or new", "A failure deletes nothing."
  test.each(cases)('with too little $kind for $run: files stay whole', async ({ options, leave, run }) => {
    const { source, before, after, place } = await startCopy(run);
    const stay = run === 'first' ? [] : Object.keys(before).filter((path) => path in after);
    let failures = 0;

    const by = stride(9);
    for (let left = 0; ; left += by) {
      const disk = await mountMemory(options);
      const folder = join(disk, 'copy');
      place(folder);
      leave(disk, left);
      const changes = join(makeFolder(), 'changes');

      const { status, stdout, stderr } = await runCli(['mirror', source.url, folder, '--changes', changes]);

      rmSync(join(disk, '.fill'), { recursive: true });
      if (status !== 0) {
        failures++;
        expect({ left, status, stdout, stderr }).toEqual({
          left,
          status: 1,
          stdout: expect.not.stringContaining('in sync'),
          stderr: expect.stringMatching(/^Error Cannot write .*: the disk is full\.\n.*Make room/s),
        });
        const found = readCopy(folder);
        for (const [path, bytes] of Object.entries(found))
          expect([before[path], after[path]], path).toContain(bytes);
        expect(Object.keys(found), `${left}`).toEqual(expect.arrayContaining(stay));
        expect(await copy(source.url, folder, { changes })).toMatchObject({ inSync: true });
      }
      expect(readCopy(folder)).toEqual(after);
      const memory = Object.keys(readTree(folder)).filter((path) => path.startsWith('.resync-mirror/'));
      expect(memory.filter((path) => !IN_MEMORY.test(path))).toEqual([]);
      await runProgram('umount', [disk]);
      if (status === 0) break;
    }

    // To finish a journal, files are moved: that takes no more room.
    expect(failures).toBeGreaterThanOrEqual(run === 'a journal' ? 0 : 1);
  });

  test('that is read-only is named, and nothing changes', async () => {
    const { source, after, place } = await startCopy('second');
    const disk = await mountMemory('size=1m');
    const folder = join(disk, 'copy');
    place(folder);
    const before = readTree(disk);
    await runProgram('mount', ['-o', 'remount,ro', disk]);

    const { status, stderr } = await runCli(['mirror', source.url, folder]);

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Error Cannot write .*copy.*: the file system is read-only\./),
    });
    expect(readTree(disk)).toEqual(before);
    await runProgram('mount', ['-o', 'remount,rw', disk]);
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toEqual(after);
  });

  test('that has no room for the file of --changes: no line is cut off, and the next run tells all', async () => {
    const { source, place } = await startCopy('second');
    const folder = makeFolder();
    place(folder);
    // There is room for half a line.
    const disk = await mountMemory('size=8k');
    const changes = join(disk, 'changes');
    const former = `{"path":"${'x'.repeat(4000)}"}\n`;
    writeFileSync(changes, former);
    writeFileSync(join(disk, 'fill'), Buffer.alloc(4096));

    const { status, stderr } = await runCli(['mirror', source.url, folder, '--changes', changes]);

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Error Cannot write .*changes.*: the disk is full\./),
    });
    expect(readFileSync(changes, 'utf8')).toBe(former);
    rmSync(join(disk, 'fill'));
    expect(await copy(source.url, folder, { changes })).toMatchObject({ inSync: true });
    const lines = readFileSync(changes, 'utf8').slice(former.length).trim().split('\n');
    const told = lines.map((line) => (JSON.parse(line) as { path: string }).path);
    expect([...new Set(told)].sort()).toEqual(Object.keys(NEXT).sort());
  });
});
