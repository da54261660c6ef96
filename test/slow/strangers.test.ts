/** Servers that mean harm, audited and continued by the command line: each ends in words, soon, with little memory. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import { measurePeak } from '../support/peak.js';
import { some } from '../support/seed.js';
import { makeSite, type RunResult, readTree, runCli } from '../support/site.js';
import { BEHAVIOURS, startStranger } from '../support/stranger.js';

const MOST_KILOBYTES = 400_000;
/** Milliseconds for a run without a bound of its own; with one, for starting on a machine that is busy. */
const HANGS = 60_000;
const STARTING = 10_000;
const CRASH = /\n {4}at |node:internal|unsettled|FATAL|Unhandled|TypeError|RangeError/;

/** Several tests run at once, so their folders are not those of one of them. */
const work = mkdtempSync(join(tmpdir(), 'resync-static-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const makeOwnFolder = () => mkdtempSync(join(work, 'x-'));

/** Runs the command line with a temporary folder of its own, and measures its memory. */
async function runMeasured(args: readonly string[], killAfter: number) {
  const folder = makeOwnFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const peak = measurePeak(folder);
  const result = await runCli(args, { env: { TMPDIR: temporary, ...peak.env }, killAfter });
  return { result, left: readdirSync(temporary), peak: peak.read() };
}

function expectWords({ result, left, peak }: Awaited<ReturnType<typeof runMeasured>>, words: RegExp): void {
  const { status, signal, stdout, stderr }: RunResult = result;
  expect({ signal, isExit: [0, 1, 2].includes(status ?? -1) }).toEqual({ signal: null, isExit: true });
  expect(stdout + stderr).toMatch(words);
  expect(stdout + stderr).not.toMatch(CRASH);
  expect(left).toEqual([]);
  expect(peak).toBeLessThanOrEqual(MOST_KILOBYTES);
}

/** A site with a Change List and both dumps, as it is served. */
async function publish(url: string, stranger: { files: ReadonlyMap<string, Uint8Array> }) {
  const site = makeSite({ 'index.html': 'home', 'page.html': 'one' }, makeOwnFolder());
  await describeSite({ site, url, history: 'none', dumps: true });
  stranger.files = new Map(
    Object.entries(readTree(site)).map(([path, bytes]) => [`/${path}`, Buffer.from(bytes, 'latin1')]),
  );
}

// Hold of SECURITY.md: "`audit` ends within `--max-time` and `--max-bytes`", "stay below 400 MB of memory".
describe('a server that means harm', () => {
  // Most of them wait for most of their time.
  test.concurrent.each(some(BEHAVIOURS, 3))('$name', async (behaviour) => {
    const { audit, published, maxTime = 20 } = behaviour;
    const stranger = await startStranger(behaviour);
    try {
      await publish(stranger.url, stranger);
      const site = makeSite({ 'index.html': 'home', 'page.html': 'two' }, makeOwnFolder());
      const [audited, continued] = await Promise.all([
        runMeasured(
          ['audit', stranger.url, '--verbose', '--max-time', `${maxTime}`],
          maxTime * 1000 + STARTING,
        ),
        runMeasured([site, '--url', stranger.url, '--history', 'published', '--dumps'], HANGS),
      ]);
      // On a machine that is busy, the time may be over first.
      expectWords(audited, new RegExp(`${audit.source}|bound-reached`));
      expectWords(continued, published ?? /Listed|Done/);
    } finally {
      stranger.close();
    }
  });
});
