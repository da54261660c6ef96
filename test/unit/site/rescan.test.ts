/** What a memory looks at again, and what it takes to be as it was. */

import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

test('a file that has just changed is read again, doubted or not', async () => {
  const site = makeSite({ 'a.txt': 'one' });
  const { memory, scan } = startScanning(site);
  expect(await scan()).toEqual(['a.txt one']);
  // Folders that are new are looked at twice; after that, only what is doubted.
  await scan();
  for (const text of ['two', 'six', 'one', 'two']) {
    writeUnseen(join(site, 'a.txt'), text);
    expect(await scan()).toEqual([`a.txt ${text}`]);
    expect(memory.hasChanged()).toBe(true);
  }
  await scan();
  expect(memory.hasChanged()).toBe(false);
});

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
  const site = makeSite({ 'a.txt': 'one', 'b/c.txt': 'one', 'b/d/e.txt': 'one', 'f/g.txt': 'one' });
  const file = (path: string) => join(site, path);
  const { memory, scan } = startScanning(site, readLateClock);
  const start = ['a.txt one', 'b/c.txt one', 'b/d/e.txt one', 'f/g.txt one'];
  expect(await scan()).toEqual(start);
  expect(await scan()).toEqual(start);
  expect(memory.hasChanged()).toBe(false);

  for (const path of ['a.txt', 'b/c.txt', 'b/d/e.txt', 'f/g.txt']) writeUnseen(file(path), 'two');
  writeFileSync(file('f/new.txt'), 'two');
  expect(await scan()).toEqual(start);
  expect(memory.hasChanged()).toBe(false);

  memory.doubt('b/c.txt');
  expect(await scan()).toEqual(['a.txt two', 'b/c.txt two', 'b/d/e.txt one', 'f/g.txt one']);
  expect(memory.hasChanged()).toBe(true);

  memory.doubt();
  const end = ['a.txt two', 'b/c.txt two', 'b/d/e.txt two', 'f/g.txt two', 'f/new.txt two'];
  expect(await scan()).toEqual(end);
});

test('a folder in doubt puts all in doubt', async () => {
  const site = makeSite({ 'a/b/c.txt': 'one', 'd/e.txt': 'one' });
  const { memory, scan } = startScanning(site, readLateClock);
  await scan();
  await scan();
  mkdirSync(join(site, 'new/b'), { recursive: true });
  writeFileSync(join(site, 'new/b/c.txt'), 'six');
  renameSync(join(site, 'a'), join(site, 'old'));
  renameSync(join(site, 'new'), join(site, 'a'));
  rmSync(join(site, 'old'), { recursive: true });
  memory.doubt('a');
  expect(await scan()).toEqual(['a/b/c.txt six', 'd/e.txt one']);
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
