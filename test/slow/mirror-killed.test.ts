/** A mirror that is killed leaves whole files, old or new, and the next run does the rest. */

import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copy, IN_MEMORY, placeCopy, servedFiles, startSource } from '../support/mirror.js';
import { stride } from '../support/seed.js';
import { killAtStep, makeFolder, readTree, runCli } from '../support/site.js';

const FIRST = { 'index.html': '0', 'a.txt': 'a', 'b/b.txt': 'b', 'c/c.txt': 'c', e: 'e' };
/** With these, documents and packages come and go, too. */
const ALL = { sums: true, dumps: true, archives: true, versions: true, page: true, feed: true } as const;
const LATER = 40 * 86_400;
const NEXT = { 'a.txt': 'a2', 'b/b.txt': undefined, 'c/d.txt': 'd', e: undefined, 'e/f.txt': 'f' };

/** A copy of the first publication, and a Source that has gone on. */
async function startUpdate(documents = false) {
  const source = await startSource(documents ? ALL : {});
  const origin = makeFolder();
  await source.publish(0, FIRST);
  await copy(source.url, origin, { documents });
  const before = servedFiles(origin);
  await source.publish(LATER, NEXT);
  const after = documents ? servedFiles(source.site) : source.listed();
  const expectWhole = (folder: string) => {
    for (const [path, bytes] of Object.entries(servedFiles(folder)))
      expect([before[path], after[path]], path).toContain(bytes);
  };
  const expectRight = (folder: string) => {
    expect(servedFiles(folder)).toEqual(after);
    const left = Object.keys(readTree(folder)).filter((path) => path.startsWith('.resync-mirror/'));
    expect(left.filter((path) => !IN_MEMORY.test(path))).toEqual([]);
  };
  return { source, origin, before, after, expectWhole, expectRight };
}

// docs/copies.md: "Every file is whole, old or new, even if a run is killed."
// docs/index-a-site.md: "At least once."
test.each([
  ['first', false],
  ['second', false],
  ['cloned', false],
  ['second', true],
] as const)('before any step of a %s run (with all documents: %s)', async (run, documents) => {
  const { source, origin, expectWhole, expectRight } = await startUpdate(documents);
  const flags = documents ? ['--documents'] : [];
  let [steps, finished] = [0, false];
  const changes = join(makeFolder(), 'changes.ndjson');
  const killAt = async (step: number) => {
    const folder = makeFolder();
    if (run === 'second') placeCopy(origin, folder);
    if (run === 'cloned') cpSync(origin, folder, { recursive: true });
    const args = ['mirror', source.url, folder, '--changes', `${changes}-${step}`, ...flags];
    const killed = await runCli(args, { env: killAtStep(step) });
    if (killed.status === 0) finished = true;
    else {
      expect(killed).toMatchObject({ signal: 'SIGKILL', stderr: '' });
      steps = Math.max(steps, step);
      if (run !== 'first') expectWhole(folder);
    }
    const healed = await copy(source.url, folder, { documents, changes: `${changes}-${step}` });
    expect(healed).toMatchObject({ inSync: true });
    expectRight(folder);
    const told = readFileSync(`${changes}-${step}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).path);
    const wanted = run !== 'first' ? Object.keys(NEXT) : Object.keys(source.listed());
    expect([...new Set(told)].sort()).toEqual(wanted.sort());
    rmSync(folder, { recursive: true });
  };
  const by = stride(9) * (documents ? 3 : 1);
  for (let step = 1; !finished; step += 3 * by)
    await Promise.all([step, step + by, step + 2 * by].map(killAt));
  expect(steps).toBeGreaterThan(25);
});
