/** A mirror that is killed leaves whole files, old or new, and the next run does the rest. */

import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copy, IN_MEMORY, placeCopy, readCopy, startSource } from '../support/mirror.js';
import { makeRandom } from '../support/random.js';
import { stride } from '../support/seed.js';
import { makeFolder, readTree, runCli } from '../support/site.js';

const hook = new URL('../support/kill-at-step.mjs', import.meta.url).href;

const FIRST = { 'index.html': '0', 'a.txt': 'a', 'b/b.txt': 'b', 'c/c.txt': 'c', e: 'e' };
const NEXT = { 'a.txt': 'a2', 'b/b.txt': undefined, 'c/d.txt': 'd', e: undefined, 'e/f.txt': 'f' };

/** A copy of the first publication, and a Source that has gone on. */
async function startUpdate() {
  const source = await startSource();
  const origin = makeFolder();
  await source.publish(0, FIRST);
  await copy(source.url, origin);
  const before = readCopy(origin);
  await source.publish(60, NEXT);
  const after = source.listed();
  const expectWhole = (folder: string) => {
    for (const [path, bytes] of Object.entries(readCopy(folder)))
      expect([before[path], after[path]], path).toContain(bytes);
  };
  const expectRight = (folder: string) => {
    expect(readCopy(folder)).toEqual(after);
    const left = Object.keys(readTree(folder)).filter((path) => path.startsWith('.resync-mirror/'));
    expect(left.filter((path) => !IN_MEMORY.test(path))).toEqual([]);
  };
  return { source, origin, before, after, expectWhole, expectRight };
}

// docs/mirror.md: "Every file is an old or a new one, whole, whenever a run is killed." "Every change is told at least once".
test.each(['first', 'second', 'cloned'] as const)('before any step of a %s run', async (run) => {
  const { source, origin, expectWhole, expectRight } = await startUpdate();
  let [steps, finished] = [0, false];
  const changes = join(makeFolder(), 'changes.ndjson');
  const killAt = async (step: number) => {
    const folder = makeFolder();
    if (run === 'second') placeCopy(origin, folder);
    if (run === 'cloned') cpSync(origin, folder, { recursive: true });
    const env = { NODE_OPTIONS: `--import=${hook}`, KILL_AT_STEP: `${step}` };
    const args = ['mirror', source.url, folder, '--changes', `${changes}-${step}`];
    const killed = await runCli(args, { env, killAfter: 60_000 });
    if (killed.status === 0) finished = true;
    else {
      expect(killed).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      steps = Math.max(steps, step);
      if (run !== 'first') expectWhole(folder);
    }
    expect(await copy(source.url, folder, { changes: `${changes}-${step}` })).toMatchObject({ inSync: true });
    expectRight(folder);
    const told = readFileSync(`${changes}-${step}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).path);
    const wanted = run !== 'first' ? Object.keys(NEXT) : Object.keys(source.listed());
    expect([...new Set(told)].sort()).toEqual(wanted.sort());
    rmSync(folder, { recursive: true });
  };
  const by = stride(2);
  for (let step = 1; !finished; step += 3 * by)
    await Promise.all([step, step + by, step + 2 * by].map(killAt));
  expect(steps).toBeGreaterThan(25);
});

test('at random moments', async () => {
  const { source, origin, expectWhole, expectRight } = await startUpdate();
  const random = makeRandom();
  const begin = performance.now();
  await runCli(['mirror', source.url, makeFolder()]);
  const longest = performance.now() - begin;
  const runs = Number(process.env['RUNS'] ?? 40);
  await Promise.all(
    [0, 1].map(async () => {
      for (let count = 0; count < runs / 2; count++) {
        const folder = makeFolder();
        placeCopy(origin, folder);
        await runCli(['mirror', source.url, folder], { killAfter: random() * 1.2 * longest });
        expectWhole(folder);
        expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
        expectRight(folder);
        rmSync(folder, { recursive: true });
      }
    }),
  );
});
