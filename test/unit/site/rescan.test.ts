/** What a memory looks at again, and what it takes to be as it was. */

import { createHash } from 'node:crypto';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveConfig } from '../../../src/config/resolve.js';
import { CLOCK_STEP } from '../../../src/site/scan/known-file.js';
import { makeSiteMemory } from '../../../src/site/scan/rescan.js';
import { scanSite } from '../../../src/site/scan/scan.js';
import { makeSite } from '../../support/site.js';

const md5 = (text: string) => `md5:${createHash('md5').update(text).digest('hex')}`;
const WORDS = new Map(['one', 'two', 'six'].map((word) => [md5(word), word]));

/** Has no URL that is short enough. */
const TOO_LONG = Array.from({ length: 11 }, () => 'x'.repeat(200)).join('/');

/** Scans a site with one memory again and again; what is found is told as `a.txt one`. */
function startScanning(site: string, readClock?: () => number) {
  const config = resolveConfig({ site, url: 'https://example.org/', hash: ['md5'] });
  const memory = makeSiteMemory(readClock);
  const scan = async () => {
    const { resources } = await scanSite(site, config, { reader: memory });
    return resources.map(({ path, hash = '' }) => `${path} ${WORDS.get(hash)}`);
  };
  return { memory, scan };
}

/** A clock by which all that has been written up to now has not changed for long. */
const readLateClock = () => Date.now() + CLOCK_STEP + 1;

/** Other bytes, as many, and nothing to see but the moment of the change. */
function writeUnseen(file: string, text: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, text);
  utimesSync(file, atime, mtime);
}

test.each([
  { wait: CLOCK_STEP - 1, found: 'two' },
  { wait: CLOCK_STEP, found: 'one' },
])('a change may go unseen only later than a step of a clock takes: $wait ms', async ({ wait, found }) => {
  const site = makeSite({ 'a.txt': 'one' });
  const { mtimeMs, ctimeMs } = statSync(join(site, 'a.txt'));
  const { scan } = startScanning(site, () => Math.max(mtimeMs, ctimeMs) + wait);
  await scan();
  await scan();
  writeUnseen(join(site, 'a.txt'), 'two');
  expect(await scan()).toEqual([`a.txt ${found}`]);
});

test('of files that have not changed for long, only those in doubt are looked at', async () => {
  const site = makeSite({ 'd/e.txt': 'one', 'b/c.txt': 'one' });
  const { memory, scan } = startScanning(site, readLateClock);
  await scan();
  await scan();
  for (const path of ['d/e.txt', 'b/c.txt']) writeUnseen(join(site, path), 'two');
  expect(await scan()).toEqual(['b/c.txt one', 'd/e.txt one']);
  memory.doubt('b/c.txt');
  expect(await scan()).toEqual(['b/c.txt two', 'd/e.txt one']);
});

test('what a scan that failed had to look at is looked at by the next', async () => {
  const site = makeSite({ 'a.txt': 'one', 'b/c.txt': 'one' });
  const { memory, scan } = startScanning(site, readLateClock);
  await scan();
  await scan();
  writeUnseen(join(site, 'b/c.txt'), 'two');
  makeSite({ [TOO_LONG]: 'x' }, site);
  memory.doubt('b/c.txt');
  memory.doubt(TOO_LONG);
  await expect(scan()).rejects.toMatchObject({ code: 'url-too-long' });
  rmSync(join(site, TOO_LONG));
  memory.doubt(TOO_LONG);
  expect(await scan()).toEqual(['a.txt one', 'b/c.txt two']);
});
