/** The oldest and the newest Node that we promise, and machines of one core and of several, write the same bytes, and believe each other's signatures. */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { makeHostileSite } from '../support/hostile.js';
import { CLI, makeFolder, makeSite, readTree, requireProgram, runProgram } from '../support/site.js';
import { installNode } from './programs/install.js';

test('Node 20, Node 24 and a single core write the same documents and packages', async () => {
  const { site } = makeHostileSite();
  const args = [CLI, site, '--url', 'https://example.org/', '--dumps', '--sitemap'];
  const describeBy = async (program: string, before: readonly string[] = []) => {
    rmSync(join(site, 'resourcesync'), { recursive: true, force: true });
    const run = await runProgram(program, [...before, ...args], { env: { SOURCE_DATE_EPOCH: '1700000000' } });
    expect(run, run.stderr).toMatchObject({ status: 0 });
    return readTree(site);
  };
  const [older, newer] = [await installNode(20), await installNode(24)];
  const tree = await describeBy(older);
  expect(Object.keys(tree)).toContainEqual(expect.stringMatching(/resourcedump.*\.zip$/));
  expect(await describeBy(newer)).toEqual(tree);
  expect(await describeBy(requireProgram('taskset', 'util-linux'), ['-c', '0', older])).toEqual(tree);
});

test('what Node 20 signs, Node 24 believes, and the other way round; a mirror and an audit refuse another key', async () => {
  const keygen = requireProgram('ssh-keygen', 'openssh-client');
  const makeKey = () => {
    const file = join(makeFolder(), 'key');
    expect(spawnSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', file]).status).toBe(0);
    return file;
  };
  const [older, newer] = [await installNode(20), await installNode(24)];
  for (const [signs, reads] of [
    [older, newer],
    [newer, older],
  ] as const) {
    const [key, stranger] = [makeKey(), makeKey()];
    const site = makeSite({ 'b.txt': 'b', 'a.txt': 'a' });
    const host = await startHost(site);
    const env = { CI: 'true', SOURCE_DATE_EPOCH: '1795600000' };
    const args = [CLI, site, '--url', host.url, '--history', 'none', '--sign', key];
    expect(await runProgram(signs, args, { env })).toMatchObject({ status: 0 });
    for (const [trusted, status] of [
      [`${key}.pub`, 0],
      [`${stranger}.pub`, 1],
    ] as const) {
      const folder = makeFolder();
      const mirror = [CLI, 'mirror', host.url, folder, '--trust', trusted];
      const copied = await runProgram(reads, mirror, { env });
      expect(copied, copied.stdout + copied.stderr).toMatchObject({ status });
      expect(Object.keys(readTree(folder)).includes('a.txt')).toBe(status === 0);
      const audit = await runProgram(reads, [CLI, 'audit', site, '--trust', trusted]);
      expect(audit, audit.stdout).toMatchObject({ status });
    }
    // Nor does the other one sign again what is right.
    const before = readFileSync(join(site, 'resourcesync/SHA256SUMS.sig'), 'utf8');
    expect(await runProgram(reads, args, { env })).toMatchObject({ status: 0 });
    expect(readFileSync(join(site, 'resourcesync/SHA256SUMS.sig'), 'utf8')).toBe(before);
  }
});
