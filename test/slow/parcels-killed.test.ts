/** A run that packs a parcel, or applies one, and is killed: nothing is lost, and the next one does the rest. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copy, IN_MEMORY, placeCopy, readCopy, startSource } from '../support/mirror.js';
import { stride } from '../support/seed.js';
import { makeFolder, readTree, runCli } from '../support/site.js';

const hook = new URL('../support/kill-at-step.mjs', import.meta.url).href;

/** Two publications, copies of both, and a parcel of each. */
async function startCarried() {
  const source = await startSource();
  const [origin, here, stick] = [makeFolder(), makeFolder(), makeFolder()];
  const parcel = join(stick, 'site.zip');
  await source.publish(0, { 'index.html': '0', 'a.txt': 'a', 'b/b.txt': 'b', e: 'e' });
  await copy(source.url, origin);
  await copy(source.url, here, { parcel });
  const [before, former] = [readCopy(origin), readFileSync(parcel)];
  await source.publish(60, {
    'a.txt': 'a2',
    'b/b.txt': undefined,
    'c/d.txt': 'd',
    e: undefined,
    'e/f.txt': 'f',
  });
  return { source, origin, here, stick, parcel, before, former, after: source.listed() };
}

/** Kills a command before each step, three at a time, until it comes to its end; returns how many steps it has. */
async function killAtEach(
  inCi: number,
  run: (step: number, kill: (args: string[]) => Promise<boolean>) => Promise<void>,
): Promise<number> {
  let [steps, isFinished] = [0, false];
  const killAt = (step: number) =>
    run(step, async (args) => {
      const env = { NODE_OPTIONS: `--import=${hook}`, KILL_AT_STEP: `${step}` };
      const outcome = await runCli(args, { env, killAfter: 60_000 });
      if (outcome.status === 0) isFinished = true;
      else {
        expect(outcome).toMatchObject({ signal: 'SIGKILL', stderr: '' });
        steps = Math.max(steps, step);
      }
      return outcome.status !== 0;
    });
  const by = stride(inCi);
  for (let step = 1; !isFinished; step += 3 * by)
    await Promise.all([step, step + by, step + 2 * by].map(killAt));
  return steps;
}

test('before any step of applying one', async () => {
  const { source, origin, here, parcel, before, after } = await startCarried();
  await copy(source.url, here, { parcel });
  const steps = await killAtEach(5, async (_, kill) => {
    const folder = makeFolder();
    placeCopy(origin, folder);
    await kill(['mirror', parcel, folder]);
    for (const [path, text] of Object.entries(readCopy(folder)))
      expect([before[path], after[path]], path).toContain(text);
    expect(await copy(parcel, folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toEqual(after);
    const left = Object.keys(readTree(folder)).filter((path) => path.startsWith('.resync-mirror/'));
    expect(left.filter((path) => !IN_MEMORY.test(path))).toEqual([]);
    rmSync(folder, { recursive: true });
  });
  expect(steps).toBeGreaterThan(20);
});

test('before any step of packing one, and the former parcel stays until the new one is whole', async () => {
  const { source, here, parcel, former } = await startCarried();
  await copy(source.url, here, { parcel });
  const whole = readFileSync(parcel);
  const steps = await killAtEach(5, async (_, kill) => {
    const [folder, stick] = [makeFolder(), makeFolder()];
    const file = join(stick, 'site.zip');
    placeCopy(here, folder);
    writeFileSync(file, former);
    await kill(['mirror', source.url, folder, '--parcel', file]);
    expect([former, whole].some((bytes) => bytes.equals(readFileSync(file)))).toBe(true);
    expect(await copy(source.url, folder, { parcel: file })).toMatchObject({ inSync: true });
    expect(readFileSync(file).equals(whole)).toBe(true);
    expect(Object.keys(readTree(stick))).toEqual(['site.zip']);
    expect(readCopy(folder)).toEqual(source.listed());
    for (const made of [folder, stick]) rmSync(made, { recursive: true });
  });
  expect(steps).toBeGreaterThan(20);
});
