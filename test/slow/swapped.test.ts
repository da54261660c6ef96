/** A folder that is swapped for a link, over and over, while a run works in it: nothing is changed where the link leads. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import type { MirrorReport } from '../../src/mirror/index.js';
import { copy, readCopy } from '../support/mirror.js';
import { some, stride } from '../support/seed.js';
import { serve } from '../support/server.js';
import { makeFolder, makeSite, readTree, runCli } from '../support/site.js';

const loop = fileURLToPath(new URL('./swap-loop.mjs', import.meta.url));

/** Swaps a folder as long as the work goes on; returns how often. */
async function swapDuring<T>(folder: string, target: string, work: () => Promise<T>): Promise<number> {
  const swapper = spawn(process.execPath, [loop, folder, target], { stdio: ['pipe', 'pipe', 'inherit'] });
  let told = '';
  swapper.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const closed = once(swapper, 'close');
  try {
    await work();
  } finally {
    swapper.stdin.write('\n');
    await closed;
  }
  return Number(told);
}

/** The names that a run works with, so that something is in the way wherever it comes to. */
function makeOutside(from: string): string {
  const names = Object.keys(readTree(from));
  return makeSite(Object.fromEntries(names.map((path) => [path, 'theirs'])));
}

const RUNS = Number(process.env['RUNS'] ?? 12 / stride(4));

/** So many files of one folder, some of which another publication has, too. */
const filesOf = (text: string, from: number, to: number) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, index) => [`f/g/${from + index}.txt`, `${text} ${from + index}`]),
  );

/** A Source that is published anew with every call: files come, go and change. */
async function startChanging() {
  const sites = [makeSite(filesOf('one', 0, 80)), makeSite(filesOf('two', 20, 100))];
  let current = 0;
  const url = await serve('', (path, response) => {
    const file = join(sites[current] ?? '', path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return true;
    }
    const bytes = readFileSync(file);
    const type = path.endsWith('.txt') ? 'text/plain' : 'application/xml';
    response.writeHead(200, { 'content-type': type }).end(bytes);
    return true;
  });
  for (const site of sites) await describeSite({ site, url, history: 'none' });
  const next = () => {
    current = 1 - current;
  };
  return { url, next, listed: () => filesOf(current === 0 ? 'one' : 'two', 20 * current, 80 + 20 * current) };
}

/** Nobody swaps anything now. What came into the way is moved away, as the run says; what was lost is found like other damage. */
async function recover(url: string, folder: string): Promise<MirrorReport> {
  for (;;) {
    try {
      const report = await copy(url, folder, { maxDelete: '100%', verify: true });
      const blocked = report.failed.filter(({ reason }) => reason === 'in-the-way');
      if (blocked.length === 0) return report;
      for (const { path = '' } of blocked) rmSync(join(folder, path));
    } catch (error) {
      const [, file] = /^(\S+) is a file that is not ours/.exec(String(Object(error).message)) ?? [];
      if (file === undefined) throw error;
      rmSync(file);
    }
  }
}

// SECURITY.md: "A mirror writes into its folder, and nowhere else."
describe.runIf(process.platform === 'linux')('a mirror', () => {
  test.each(some(['f', 'f/g', '.resync-mirror', '.resync-mirror/state', '.resync-mirror/ready'], 2))(
    'changes nothing where %s leads',
    async (name) => {
      const { url, next, listed } = await startChanging();
      const folder = join(makeFolder(), 'copy');
      await copy(url, folder);
      mkdirSync(join(folder, '.resync-mirror/ready'));
      const outside = makeOutside(join(folder, name));
      const before = readTree(outside);
      const changed: string[] = [];
      let swaps = 0;
      for (let run = 1; run <= RUNS; run++) {
        next();
        let status: number | null = null;
        mkdirSync(join(folder, '.resync-mirror/ready'), { recursive: true });
        swaps += await swapDuring(join(folder, name), outside, async () => {
          ({ status } = await runCli(['mirror', url, folder, '--max-delete', '100%'], { killAfter: 60_000 }));
        });
        const after = readTree(outside);
        if (!isDeepStrictEqual(after, before)) {
          changed.push(`status ${status}: ${listDifferences(before, after)}`);
          rmSync(outside, { recursive: true });
          makeSite(before, outside);
        }
      }
      expect(changed).toEqual([]);
      expect(swaps).toBeGreaterThan(RUNS);
      expect(await recover(url, folder)).toMatchObject({ inSync: true });
      expect(readCopy(folder)).toMatchObject(listed());
    },
  );
});

// SECURITY.md: "On Linux, nothing is written where such a link leads."
describe.runIf(process.platform === 'linux')('a site that is described', () => {
  test.each(some(['resourcesync', '.well-known', '.resync-static', 'resourcesync/b'], 2))(
    'changes nothing where %s leads',
    async (name) => {
      const site = makeSite({ 'a/index.html': 'a', 'b/index.html': 'b' });
      const config = join(makeFolder(), 'config.json');
      const sets = ['a', 'b'].map((set) => ({ name: set, include: [`${set}/**`] }));
      writeFileSync(
        config,
        JSON.stringify({ url: 'https://example.org/', history: 'none', dumps: true, sets }),
      );
      const describeOnce = () => runCli([site, '--config', config], { killAfter: 60_000 });
      await describeOnce();
      mkdirSync(join(site, '.resync-static'));
      const outside = makeOutside(join(site, name));
      makeSite({ 'lock.txt': 'theirs' }, outside);
      const before = readTree(outside);
      const changed: string[] = [];
      let swaps = 0;
      for (let run = 1; run <= RUNS; run++) {
        makeSite({ 'a/index.html': `a ${run}`, [`b/${run}.html`]: 'b' }, site);
        mkdirSync(join(site, '.resync-static'), { recursive: true });
        swaps += await swapDuring(join(site, name), outside, describeOnce);
        const after = readTree(outside);
        if (!isDeepStrictEqual(after, before)) {
          changed.push(listDifferences(before, after));
          rmSync(outside, { recursive: true });
          makeSite(before, outside);
        }
      }
      expect(changed).toEqual([]);
      expect(swaps).toBeGreaterThan(RUNS);
      expect(await describeOnce()).toMatchObject({ status: 0 });
    },
  );
});

function listDifferences(before: Record<string, string>, after: Record<string, string>): string {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...paths].filter((path) => before[path] !== after[path]);
  return `${changed.length} files changed, ${changed.slice(0, 3).join(', ')}`;
}
