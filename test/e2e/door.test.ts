/** Links, pipes, devices and large files in the place of our lock, our staged files or our documents. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCli, makeFolder, makeSite, readTree, runCli } from '../support/site.js';

const POSIX = process.platform !== 'win32';
const OPTIONS = ['--url', 'https://example.org/', '--history', 'none'];

// SECURITY.md: "No symbolic link is followed", and docs/reference.md: a run keeps what it stages in `.resync-static`.
describe.runIf(POSIX)('a lock that is', () => {
  test.each(['a link', 'a device', 'a pipe', 'a folder', 'too large'])(
    '%s is an error that names it, at once, and stays',
    async (kind) => {
      const site = makeSite({ 'index.html': 'home' });
      const outside = makeSite({ lock: 'theirs' });
      const lock = join(site, '.resync-static/lock');
      mkdirSync(join(site, '.resync-static'));
      if (kind === 'a link') symlinkSync(join(outside, 'lock'), lock);
      else if (kind === 'a device') symlinkSync('/dev/zero', lock);
      else if (kind === 'a pipe') execFileSync('mkfifo', [lock]);
      else if (kind === 'a folder') mkdirSync(lock);
      else writeFileSync(lock, 'x'.repeat(10_000));
      const before = readTree(site);
      // Whoever waits for a device or a pipe has to be killed.
      const run = kind === 'a device' || kind === 'a pipe' ? runCli : callCli;
      const { status, signal, stderr } = await run([site, ...OPTIONS]);
      expect({ status, signal }).toEqual({ status: 1, signal: null });
      expect(stderr).toMatch(/^Error .* is a (?:link|pipe|folder|file of 10000 bytes)/);
      expect(stderr).toContain(lock);
      expect(stderr).toContain('Move or remove it, and run again.');
      expect(readTree(site)).toEqual(before);
      expect(readTree(outside)).toEqual({ lock: 'theirs' });
    },
  );
});

test('what a killed run has left may be links: they go, and what they lead to stays', async () => {
  const outside = makeSite({ 'a/b.txt': 'theirs' });
  const site = makeSite({ 'index.html': 'home', '.resync-static/staged/x/y': 'left' });
  symlinkSync(outside, join(site, '.resync-static/staged/x/link'), 'junction');
  expect(await callCli([site, ...OPTIONS])).toMatchObject({ status: 0 });
  expect(readTree(outside)).toEqual({ 'a/b.txt': 'theirs' });
  expect(Object.keys(readTree(site)).filter((path) => path.startsWith('.resync-static'))).toEqual([]);
});

test.each(['resourcesync', '.well-known', '.resync-static'])(
  'nothing is written where %s leads',
  async (name) => {
    const site = makeSite({ 'index.html': 'home' });
    const outside = makeFolder();
    symlinkSync(outside, join(site, name), 'junction');
    const { status, stderr } = await callCli([site, ...OPTIONS]);
    expect(status).toBe(1);
    expect(stderr).toContain(join(site, name));
    expect(readTree(outside)).toEqual({});
  },
);
