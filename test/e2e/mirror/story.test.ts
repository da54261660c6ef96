/** The whole story: a site is described, served, mirrored, edited, mirrored again; and the copy is a Source itself. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import { describe as describeSite } from '../../../src/index.js';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { callCli, makeFolder } from '../../support/site.js';

// docs/copies.md: "the folder holds everything that the site listed at one moment"
test('a copy equals the site byte for byte, can be described, audited and copied again, and keeps its memory', async () => {
  const source = await startSource({ dumps: true });
  await source.publish(0, { 'index.html': '<h1>Home</h1>', 'a/index.html': 'a', 'data/x.csv': '1,2\n' });
  const folder = makeFolder();
  const first = await callCli(['mirror', source.url, folder]);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toMatch(
    /^Copied {2}3 created, 0 updated, 0 deleted, 0 unchanged\n[\s\S]*Z: \d+ requests, \S+ k?B\.\n$/,
  );
  await source.publish(60, { 'a/index.html': 'A', 'b/index.html': 'b', 'data/x.csv': undefined });
  const second = await callCli(['mirror', source.url, folder]);
  expect(second.stdout).toMatch(/1 created, 1 updated, 1 deleted, 1 unchanged/);
  expect(second.stdout).toMatch(
    /\nIn sync after \S+ s, as of \d{4}-\S+Z: \d+ requests, \S+ k?B, 1 file needed none\.\n$/,
  );
  expect(readCopy(folder)).toEqual(source.listed());

  const url = await serve(folder);
  await describeSite({ site: folder, url, history: 'none' });
  expect(await audit({ source: folder })).toMatchObject({ errors: 0, warnings: 0 });
  expect(await audit({ source: url })).toMatchObject({ errors: 0 });
  const other = makeFolder();
  expect(await copy(url, other)).toMatchObject({ inSync: true, created: 3 });
  expect(readCopy(other)).toEqual(source.listed());
  await source.publish(120, { 'b/index.html': 'B' });
  expect(await copy(source.url, folder)).toMatchObject({
    inSync: true,
    updated: 1,
    sets: [{ way: 'changes' }],
  });
  expect(readCopy(folder)).toEqual(source.listed());
});

test('the command tells what it did, to people and to programs, and by its status', async () => {
  const source = await startSource();
  await source.publish(0, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' });
  const folder = makeFolder();
  const args = ['mirror', source.url, folder];
  const json = await callCli([...args, '--json']);
  expect(json.status).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({ inSync: true, created: 4, source: source.url, folder });
  expect(await callCli([...args, '--quiet'])).toMatchObject({ status: 0, stdout: '', stderr: '' });

  await source.publish(60, { 'b.txt': undefined, 'c.txt': undefined, 'd.txt': undefined });
  const stopped = await callCli([...args, '--quiet']);
  expect(stopped).toMatchObject({ status: 3 });
  expect(stopped.stdout).toMatch(/Nothing was deleted: 3 files are no longer listed.*--max-delete/);
  expect(await callCli([...args, '--max-delete', '80%', '--dry-run'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Would copy {2}0 created, 0 updated, 3 deleted/),
  });
  expect(await callCli([...args, '--max-delete', '80%'])).toMatchObject({ status: 0 });
  expect(readCopy(folder)).toEqual({ 'a.txt': 'a' });

  expect(await callCli(['mirror', 'http://127.0.0.1:1/', folder])).toMatchObject({ status: 2 });
  expect(await callCli(['mirror', 'http://127.0.0.1:1/', makeFolder()])).toMatchObject({ status: 1 });
});

test('a run that cannot begin says what to write, once, and leaves no folder', async () => {
  const cwd = makeFolder();
  const mirror = (...args: string[]) => callCli(['mirror', ...args], { cwd });
  expect((await mirror('example.org', 'copy')).stderr).toContain('Did you mean https://example.org/?');
  expect((await mirror('https://example.org/')).stderr).toBe(
    'Error The command cannot run: 1 mistake\n  <folder> is missing. Give a folder, such as ./copy\n',
  );
  const failed = await mirror('http://127.0.0.1:9/', 'a/copy');
  expect(failed.status).toBe(1);
  expect(failed.stderr.match(/http:\/\/127\.0\.0\.1:9\//g)).toHaveLength(1);
  expect(readdirSync(cwd)).toEqual([]);
  writeFileSync(join(cwd, 'file'), 'mine');
  for (const [folder, says] of [
    ['file', 'file: a file is in its place.'],
    ['file/copy', 'file/copy: a file is in the place of its folder.'],
  ] as const)
    expect(await mirror('http://127.0.0.1:9/', folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(says),
    });
});
